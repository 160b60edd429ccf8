r"""Text that tries to break out of wherever it is drawn, by kind, and what tells whether it did.

A payload that runs sets ``window.__pwned`` or opens a dialog; one that loads asks port 9 of this machine,
which a test intercepts. Use::

    @pytest.mark.parametrize("payload", ALL)
    def test_shows(payload): assert active_parts(draw(payload)) == []
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from urllib.parse import urlsplit

from hypothesis import strategies as st

__all__ = ["ALL", "PAYLOADS", "active_parts", "shown_text", "text_nodes", "untrusted_text"]

RUN = "window.__pwned=1"
HOST = "http://127.0.0.1:9"

_ELEMENTS = (
    f"<script>{RUN}</script>",
    f"<SCRIPT/x>{RUN}</SCRIPT >",
    f"<script\n>{RUN}</script\n>",
    f"<scr<script>ipt>{RUN}</scr</script>ipt>",
    f'<script src="{HOST}/a.js"></script>',
    f'<script type="module">import "{HOST}/b.js"</script>',
    f'<iframe srcdoc="<script>parent.{RUN}</script>"></iframe>',
    f'<iframe srcdoc="&lt;img src=x onerror=&quot;parent.{RUN}&quot;&gt;"></iframe>',
    f'<iframe src="javascript:parent.{RUN}"></iframe>',
    f'<object data="javascript:{RUN}"></object>',
    f'<object data="data:text/html,<script>{RUN}</script>"></object>',
    f'<embed src="{HOST}/plugin">',
    f'<base href="{HOST}/">',
    f'<meta http-equiv="refresh" content="0;url=javascript:{RUN}">',
    f'<meta http-equiv="refresh" content="0;url={HOST}/refresh">',
    f'<link rel="stylesheet" href="{HOST}/a.css">',
    f'<link rel="prefetch" href="{HOST}/prefetch">',
    f'<form action="javascript:{RUN}"><input type="submit" autofocus></form>',
    f'<form id="submit"><button formaction="javascript:{RUN}">Submit answers</button></form>',
    f'<isindex action="javascript:{RUN}" type="image">',
    f'<portal src="{HOST}/portal"></portal>',
    f'<template shadowrootmode="open"><img src=x onerror="{RUN}"></template>',
    f'<a href="javascript:{RUN}" ping="{HOST}/ping">Allow</a>',
    "<dialog open>Your session ended</dialog>",
    '<input name="querySelector"><img name="body">',
)
_HANDLERS = (
    f'<img src=x onerror="{RUN}">',
    f"<img src=x onerror={RUN}>",
    f"<img/src=x/onerror={RUN}>",
    f"<img src=x oNeRrOr='{RUN}'",
    '<img src=x onerror="&#119;indow.__pwned=1">',
    f'<img src="" onload="{RUN}" onerror="{RUN}">',
    f'<body onload="{RUN}">',
    f'<details open ontoggle="{RUN}"><summary>x</summary></details>',
    f'<input autofocus onfocus="{RUN}">',
    f'<select autofocus onfocus="{RUN}"></select>',
    f'<textarea autofocus onfocus="{RUN}"></textarea>',
    f'<video><source onerror="{RUN}"></video>',
    f'<video src=x onerror="{RUN}" autoplay></video>',
    f'<audio src=x onerror="{RUN}"></audio>',
    f'<marquee onstart="{RUN}">x</marquee>',
    f'<div onpointerover="{RUN}" style="height:9999px">x</div>',
    f'<b style="animation-name:x" onanimationstart="{RUN}">x</b>',
    f'<p contenteditable onbeforeinput="{RUN}" tabindex=1 onfocus="{RUN}">x</p>',
    f"<x onclick={RUN} style=display:block>Submit answers",
    f'<a href="#" onclick="{RUN}" accesskey="s">x</a>',
)
_FOREIGN = (
    f'<svg onload="{RUN}">',
    f"<svg><script>{RUN}</script></svg>",
    "<svg><script>&#119;indow.__pwned=1</script></svg>",
    f'<svg><a xlink:href="javascript:{RUN}"><text y="20">x</text></a></svg>',
    f'<svg><animate onbegin="{RUN}" attributeName="x" dur="1s"></svg>',
    f'<svg><set attributeName="href" to="javascript:{RUN}"></svg>',
    f'<svg><use href="{HOST}/a.svg#x"></use></svg>',
    f'<svg><image href="{HOST}/b.png" onerror="{RUN}"></svg>',
    f'<svg><foreignObject><img src=x onerror="{RUN}"></foreignObject></svg>',
    f"<svg><style><img src=x onerror={RUN}></style></svg>",
    f'<svg><title><img src=x onerror="{RUN}"></title></svg>',
    f'<svg></p><style><a id="</style><img src=x onerror={RUN}>">',
    f'<math href="javascript:{RUN}">x</math>',
    f'<math><mtext><table><mglyph><style><img src=x onerror="{RUN}"></style></mglyph></table></mtext></math>',
    f'<math><annotation-xml encoding="text/html"><img src=x onerror="{RUN}"></annotation-xml></math>',
    f'<math><maction actiontype="statusline" xlink:href="javascript:{RUN}">x</maction></math>',
    f'<math><mi//xlink:href="data:x,<script>{RUN}</script>">',
    f"<![CDATA[<script>{RUN}</script>]]>",
)
_URLS = tuple(
    f"{scheme}"
    for scheme in (
        f"javascript:{RUN}",
        f"JaVaScRiPt:{RUN}",
        f" javascript:{RUN}",
        f"java\tscript:{RUN}",
        f"java\nscript:{RUN}",
        f"\x01javascript:{RUN}",
        f"javascript&colon;{RUN}",
        f"javascript&#58;{RUN}",
        f"&#106;avascript:{RUN}",
        f"&#x6A&#x61&#x76&#x61script:{RUN}",
        f"java&Tab;script:{RUN}",
        f"java&NewLine;script:{RUN}",
        f"javascript://%0a{RUN}",
        f"javascript%3A{RUN}",
        "vbscript:msgbox(1)",
        f"data:text/html,<script>{RUN}</script>",
        "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
        f"data:image/svg+xml,<svg onload='{RUN}'/>",
        f"blob:{HOST}/x",
        "file:///etc/passwd",
        "//127.0.0.1:9/relative",
        r"\\127.0.0.1\share",
        "/hub/logout",
        "../api/shutdown",
        "feed:javascript:alert(1)",
        "view-source:javascript:alert(1)",
    )
)
_LINKS = (
    *(f"[Open the report]({url})" for url in _URLS),
    *(f'<a href="{url}">Open the report</a>' for url in _URLS),
)
_MARKDOWN = (
    f"![pixel]({HOST}/pixel.png)",
    f"![x]({HOST}/x.png \"' onerror='{RUN}\")",
    f'![x" onerror="{RUN}]({HOST}/y.png)',
    f"![a][b]\n\n[b]: {HOST}/reference.png",
    f"[![badge]({HOST}/badge.svg)](javascript:{RUN})",
    f"<javascript:{RUN}>",
    f'<{HOST}/x"onmouseover="{RUN}>',
    f"[x][y]\n\n[y]: javascript:{RUN}",
    f"[x](<javascript:{RUN}>)",
    f'[x](https://example.com "\\" onmouseover=\\"{RUN}")',
    f"[x](https://example.com'onmouseover='{RUN})",
    f"`<img src=x onerror={RUN}>`",
    f'``` "><img src=x onerror={RUN}>\ncode\n```',
    f"```html\n<img src=x onerror={RUN}>\n```",
    f"~~~{{=html}}\n<script>{RUN}</script>\n~~~",
    f"<!-- --><img src=x onerror={RUN}><!-- -->",
    f"<!--><img src=x onerror={RUN}>-->",
    f"<? <img src=x onerror={RUN}> ?>",
    f"<!DOCTYPE x [<!ENTITY y '<img src=x onerror={RUN}>'>]>&y;",
    f"- [ ] <img src=x onerror={RUN}>",
    f"| <img src=x onerror={RUN}> |\n|---|\n| </table><img src=x onerror={RUN}> |",
    f"**<img src=x onerror={RUN}>** _x_",
    f"[a]: <x> '<img src=x onerror={RUN}>'\n\n[a]",
    f"\\<img src=x onerror={RUN}>",
    f"&lt;img src=x onerror={RUN}&gt;",
    f"$\\href{{javascript:{RUN}}}{{x}}$",
    f"$$\\style{{background:url({HOST}/tex)}}{{x}}$$",
    f"\\(\\href{{javascript:{RUN}}}{{Allow}}\\)",
    f"\\begin{{equation}}\\href{{javascript:{RUN}}}{{x}}\\end{{equation}}",
    "$\\def\\x{\\x\\x}\\x$ $\\newcommand{\\frac}{0}$",
    f"$<img src=x onerror={RUN}>$",
    f"$$\n</script><img src=x onerror={RUN}>\n$$",
    "[https://bank.example](https://evil.example)",
)
_STYLES = (
    f"<style>@import '{HOST}/import.css';</style>",
    f"<style>*{{background:url({HOST}/star)}}</style>",
    f"<style></style><img src=x onerror={RUN}>",
    f"</style><script>{RUN}</script>",
    f'<p style="background:url({HOST}/p)">x</p>',
    f'<p style="background-image:u\\72l({HOST}/escaped)">x</p>',
    f'<p style="list-style:url({HOST}/list)">x</p>',
    f'<p style="width:expression({RUN})">x</p>',
    f'<p style="behavior:url({HOST}/x.htc)">x</p>',
    f'<p style="-moz-binding:url({HOST}/x.xml)">x</p>',
    f'<p style="--x:url({HOST}/var);border-image:var(--x)">x</p>',
    '<p style="position:fixed;inset:0;z-index:9999;background:#fff">Submit answers</p>',
    '<p style="posit\\69on:fixed;inset:0">x</p>',
    '<p style="margin:-9999px">x</p>',
    '<p style="width:99999999px;height:99999999px">x</p>',
    f'<p style="color:red;/*;*/background:url({HOST}/comment)">x</p>',
    f"<p style='color:\"red;background:url({HOST}/quote)\"'>x</p>",
    f"<p style=\"content:'</p><img src=x onerror={RUN}>'\">x</p>",
    f'<p style="cursor:url({HOST}/cursor),auto;filter:url({HOST}/filter)">x</p>',
    '<p class="jp-mod-active ask-receipt" id="jupyter-config-data">{}</p>',
)
_BREAKOUTS = (
    f'"><img src=x onerror={RUN}>',
    f"'><img src=x onerror={RUN}>",
    f'" onmouseover="{RUN}" x="',
    f"' autofocus onfocus='{RUN}",
    f"` onerror={RUN} `",
    f"--><script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"</textarea><script>{RUN}</script>",
    f"</title><script>{RUN}</script>",
    f"</pre></code></details></div><script>{RUN}</script>",
    f"</p></li></ul></td></table><img src=x onerror={RUN}>",
    f'<noscript><p title="</noscript><img src=x onerror={RUN}>">',
    f"<p title='</p><img src=x onerror={RUN}>'",
    f"<plaintext><img src=x onerror={RUN}>",
    f'<xmp><p id="</xmp><img src=x onerror={RUN}>">',
    f"<select><style></select><img src=x onerror={RUN}></style>",
    f"<form><div></form><form><img src=x onerror={RUN}>",
    f"{{{{constructor.constructor('{RUN}')()}}}}",
    f"${{{RUN}}}",
    f"<%= {RUN} %>",
    f"{{% raw %}}<script>{RUN}</script>",
    "{0.__class__} %(x)s %s {x!r}",
    f"\\u003cscript\\u003e{RUN}\\u003c/script\\u003e",
    f"+ADw-script+AD4-{RUN}+ADw-/script+AD4-",
    f"\N{FULLWIDTH LESS-THAN SIGN}script\N{FULLWIDTH GREATER-THAN SIGN}{RUN}",
    f"&#60;script&#62;{RUN}&#60;/script&#62;",
    f"&amp;lt;img src=x onerror={RUN}&amp;gt;",
    "/etc/passwd",
    "notebook.html",
    "https://127.0.0.1:9/page.html",
)
_HIDDEN = (
    "Delete \u202ealetlaS\u202c only",
    "\u2066\u2067hidden\u2069 order\u2069",
    "rm -rf \u200b/\u200b tmp",
    "pay\u00adpal",
    "\ufeffbyte order mark",
    "tag \U000e0041\U000e0062\U000e0063 smuggled",
    "varia\ufe01tion \U000e0101 selectors",
    "a\u034fb\u2060c\u2064d",
    "\u3164\u115f\uffa0",
    "line\u2028separator\u2029paragraph\x85next",
    f"java\u200bscript:{RUN}",
    f"<scr\u200bipt>{RUN}</script>",
    f"<img src=x o\x00nerror={RUN}>",
    "NUL \x00 bell \x07 delete \x7f c1 \x9f",
    "lone \ud800 high",
    "lone \udc00 low \udfff",
    f"\udc3c<img src=x onerror={RUN}>\ud83d",
    "noncharacters \ufffe \uffff",
    "Z\u0300\u0301\u0302\u0303" + "\u0300" * 200,
    "\u061c\u200e\u200fmarks",
)
_TERMINAL = (
    "\x1b[31mred\x1b[0m",
    f"\x1b]8;;{HOST}/link\x1b\\click\x1b]8;;\x1b\\",
    f"\x1b]8;;javascript:{RUN}\x07click\x1b]8;;\x07",
    "\x1b]0;title\x07 \x1b]2;title\x1b\\",
    "\x1b]52;c;ZWNobyBwd25lZA==\x07",
    "\x1b[2J\x1b[H screen cleared",
    "\x1b[8mconcealed\x1b[28m",
    "\x1b[?1049h\x1b[?25l",
    "\x1b[6n\x1b[c\x1b[>q",
    '\x1bP$q"p\x1b\\ \x1b_apc\x1b\\ \x1b^pm\x1b\\',
    f"\x1b[31;<img src=x onerror={RUN}>m",
    f'\x1b[38;2;1;2;3"onclick={RUN}m x',
    "\x9b31mC1\x9b0m \x9d0;title\x9c",
    "\x1b\x1b[0m[31mreassembled",
    "\x1b]8;;never ended",
    "\x1b[999999999999999999999m \x1b[38;5;m \x1b[48;2m",
    "approve\rdeny   \nback\x08\x08\x08\x08space",
    f"\x1b[1m<script>{RUN}</script>\x1b[0m",
)
_LARGE = (
    "A" * 20_000,
    "https://example.com/" + "a" * 10_000,
    f"<img src=x onerror={RUN} " + "x=y " * 2_000 + ">",
    "<div>" * 1_000,
    "> " * 1_000 + "deep",
    "[" * 5_000,
    "*a **b " * 2_000,
    "`" * 5_001,
    "".join("  " * depth + "- x\n" for depth in range(150)),
    "\u202e" * 500,
    "&" * 5_000,
    "\x1b[31m" * 2_000,
)

PAYLOADS: Mapping[str, tuple[str, ...]] = {
    "elements": _ELEMENTS,
    "handlers": _HANDLERS,
    "svg and mathml": _FOREIGN,
    "links": _LINKS,
    "markdown": _MARKDOWN,
    "styles": _STYLES,
    "breakouts": _BREAKOUTS,
    "hidden characters": _HIDDEN,
    "terminal": _TERMINAL,
    "large": _LARGE,
}
"""Every payload by its kind."""

ALL = tuple(payload for kind in PAYLOADS.values() for payload in kind)

_TAG_NAMES = (
    "a article aside b blockquote br caption code data dd del details dfn div dl dt em figcaption figure footer h1 h2"
    " h3 h4 h5 h6 header hr i ins kbd li main mark nav ol p pre s samp section small span strong sub summary sup table"
    " tbody td tfoot th thead tr u ul"
)
_TAGS = frozenset(_TAG_NAMES.split())
_ATTRIBUTES = frozenset({"class", "colspan", "dir", "href", "rel", "rowspan", "start", "style", "title"})
_LOADING_STYLE = re.compile(
    r"url|import|expression|binding|behavior|\\|position|inset|z-index|var\((?!--(jp|vscode)-)", re.IGNORECASE
)


class _Parser(HTMLParser):
    """Collects what a page would make of the HTML."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.active: list[str] = []
        self.nodes: list[tuple[str, str]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _TAGS:
            self.active.append(f"<{tag}>")

        if tag not in {"br", "hr"}:
            self.open.append(tag)

        for name, value in attrs:
            check: Callable[[str], bool] = _CHECKS.get(name, lambda _value: True)
            if name not in _ATTRIBUTES or not check(value or ""):
                self.active.append(f"{name}={value}")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.active.append(f"</{tag}> closes another element")

    def handle_data(self, data: str) -> None:
        self.nodes.append((self.open[-1] if self.open else "", data))

    def handle_comment(self, data: str) -> None:
        self.active.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.active.append(f"<!{decl}>")

    def handle_pi(self, data: str) -> None:
        self.active.append(f"<?{data}>")


_CHECKS: Mapping[str, Callable[[str], bool]] = {
    "class": lambda value: all(re.fullmatch(r"ask-[a-z-]+", name) for name in value.split()),
    "href": lambda value: urlsplit(value).scheme in {"http", "https", "mailto"},
    "rel": lambda value: value == "noopener noreferrer",
    "style": lambda value: not _LOADING_STYLE.search(value),
}


def _parsed(html: str) -> _Parser:
    parser = _Parser()
    parser.feed(html)
    parser.close()
    if parser.open:
        parser.active.append(f"<{parser.open[-1]}> is left open")

    return parser


def active_parts(html: str) -> list[str]:
    """Give every element, attribute and URL that is not known to be harmless."""
    return _parsed(html).active


def text_nodes(html: str) -> list[tuple[str, str]]:
    """Give each piece of text with the element that it stands in."""
    return _parsed(html).nodes


def shown_text(html: str) -> str:
    """Give the text that a page shows."""
    return "".join(text for _, text in text_nodes(html))


def untrusted_text() -> st.SearchStrategy[str]:
    """Give text of all kinds: any characters, the odd ones, and payloads run together."""
    return st.one_of(
        st.text(),
        st.text(st.characters(categories=["Cc", "Cf", "Cs", "Sm", "Po", "L"])),
        st.lists(st.sampled_from([*ALL[:200], "\n", "`", "$", "*", "<", " "])).map("".join),
    )
