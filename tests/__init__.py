"""The tests of askwidgets; a file here mirrors a module of the package, or is what a tier stands on."""
