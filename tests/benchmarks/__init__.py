"""How fast askwidgets is: ``python -m tests.benchmarks``, each figure taken beside what it is measured against."""
