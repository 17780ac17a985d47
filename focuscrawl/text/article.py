"""What readability takes for the article of a page, in three quarters of its time.

Before it looks for the article, readability cleans the page as for a reader in a browser: it goes through all elements five
times, and writes all links anew. What is taken out of the tree is the same here; addresses stay as they are, for no text hangs
on them. (An article of which less than 250 characters of source are left is looked for once more, less strictly; there the
length of a rewritten address may count.) And elements are of one class: else lxml asks a function in Python which class an
element has, each time that it is touched.
"""

from __future__ import annotations

from lxml import etree
from lxml.html import HtmlComment, HtmlElement, HtmlEntity, HTMLParser, HtmlProcessingInstruction, document_fromstring
from readability import Document
from readability.readability import REGEXES

ONE_CLASS = etree.ElementDefaultClassLookup(
    element=HtmlElement, comment=HtmlComment, pi=HtmlProcessingInstruction, entity=HtmlEntity
)
"""For parsers of pages: without the classes of forms and their fields, so that no function in Python is asked."""
_PARSER = HTMLParser(encoding="utf-8")
_PARSER.set_element_class_lookup(ONE_CLASS)
_CLEANED = ("script", "style", "link", etree.Comment, etree.ProcessingInstruction)
"""Elements that go with all that is in them; the text behind them stays."""


class ArticleDocument(Document):  # type: ignore[misc]  # readability has no types
    """As `readability.Document`, for a source as text and without addresses: `summary` has the same text."""

    def _parse(self, input: str) -> HtmlElement:
        document = document_fromstring(input.encode("utf-8", "replace"), parser=_PARSER)
        for element in document.xpath("//*[@hidden]"):
            element.drop_tree()
        for element in document.xpath("//*[@style]"):
            if REGEXES["displayNoneRe"].search(element.get("style")):
                element.drop_tree()
        for element in document.iter("image"):
            element.tag = "img"
        for element in document.xpath("//*[@*[starts-with(name(), 'on')]]"):
            for name in list(element.attrib):
                if name.startswith("on"):
                    del element.attrib[name]
        etree.strip_elements(document, *_CLEANED, with_tail=False)
        etree.strip_attributes(document, "style")
        return document
