"""The article of a page as readability finds it, in three quarters of the time that readability takes.

Before it searches the article, readability cleans the page as for a reader in a browser: it passes over all elements five times
and rewrites all links. Here the same elements are removed from the tree, but links stay as they are, because no text depends on
them. (If less than 250 characters of source are left of an article, it is searched once more, less strictly; there the length
of a rewritten link may count.) All elements have one class, because lxml would otherwise call a Python function for the class
of an element each time that it is touched.
"""

from __future__ import annotations

from lxml import etree
from lxml.html import HtmlComment, HtmlElement, HtmlEntity, HTMLParser, HtmlProcessingInstruction, document_fromstring
from readability import Document
from readability.readability import REGEXES

ONE_CLASS = etree.ElementDefaultClassLookup(
    element=HtmlElement, comment=HtmlComment, pi=HtmlProcessingInstruction, entity=HtmlEntity
)
"""A look-up for parsers of pages without the classes of forms and their fields, so that no Python function is called."""
_PARSER = HTMLParser(encoding="utf-8")
_PARSER.set_element_class_lookup(ONE_CLASS)
_CLEANED = ("script", "style", "link", etree.Comment, etree.ProcessingInstruction)
"""Elements that are removed with all that is in them; the text after them stays."""


class ArticleDocument(Document):  # type: ignore[misc]  # readability has no types
    """Like `readability.Document` for a source given as text. Links are not rewritten; `summary` has the same text."""

    def _parse(self, input: str) -> HtmlElement:
        document = document_fromstring(input.encode("utf-8", "replace"), parser=_PARSER)
        for element in document.xpath("//*[@hidden]"):
            element.drop_tree()
        for element in document.xpath("//*[@style]"):
            if REGEXES["displayNoneRe"].search(element.get("style")):
                element.drop_tree()
        for element in document.iter("image"):
            element.tag = "img"
        _remove_handlers(document)
        etree.strip_elements(document, *_CLEANED, with_tail=False)
        etree.strip_attributes(document, "style")
        return document


def _remove_handlers(document: HtmlElement) -> None:
    for element in document.xpath("//*[@*[starts-with(name(), 'on')]]"):
        for name in list(element.attrib):
            if name.startswith("on"):
                del element.attrib[name]
