from __future__ import annotations

import json
from dataclasses import astuple
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.reading.dates import day
from focuscrawl.reading.metadata import Metadata, metadata_of
from focuscrawl.text.document import parse
from focuscrawl.text.head import meta
from tests.linear_time import linear

URL = "http://a.example/blog/post"
NOW = datetime(2026, 1, 2, tzinfo=UTC).timestamp()


def read(html: str, url: str = URL) -> Metadata:
    document = parse(html)
    return metadata_of(document, meta(document), url, NOW)


def json_ld(*nodes: dict[str, object]) -> str:
    return f'<script type="application/ld+json">{json.dumps(nodes[0] if len(nodes) == 1 else {"@graph": nodes})}</script>'


ARTICLE: dict[str, object] = {
    "@type": "BlogPosting",
    "author": {"@type": "Person", "name": "Ada"},
    "datePublished": "2021-03-04T23:30:00+08:00",
    "dateModified": "2022-05-06",
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "publisher": {"@type": "Organization", "name": "The House"},
}


def test_a_page_that_says_nothing() -> None:
    assert read("<p>text") == Metadata()


def test_json_ld_is_asked_first() -> None:
    html = json_ld(ARTICLE) + '<meta name=author content=Bob><meta property="article:published_time" content=2001-01-01>'
    assert read(html) == Metadata("Ada", "2021-03-04", "2022-05-06", "", "The House", "CC-BY-4.0")


def test_references_within_json_ld_are_followed() -> None:
    html = json_ld(
        {"@type": "WebSite", "@id": "#site", "name": "A Site"},
        {"@type": "Person", "@id": "#ada", "name": "Ada"},
        {"@type": "WebPage", "author": {"@id": "#ada"}, "isPartOf": {"@id": "#site"}, "datePublished": "2020-02-02"},
    )
    assert read(html) == Metadata(author="Ada", published="2020-02-02", site_name="A Site")


@pytest.mark.parametrize(
    "broken", ["{", "[]", "null", '"x"', '{"@graph": 3}', '{"@type": "Article", "author": [1, {"name": [null]}], "license": 7}']
)
def test_broken_json_ld_says_nothing(broken: str) -> None:
    assert read(f'<script type="application/ld+json">{broken}</script>') == Metadata()


def test_json_ld_with_line_ends_in_strings_is_read() -> None:
    text = json_ld({"@type": "Article", "headline": "one two", "author": "Ada"}).replace("one two", "one\ntwo")
    assert read(text).author == "Ada"


def test_a_comment_or_organization_does_not_describe_the_page() -> None:
    html = json_ld({"@type": "Comment", "author": "Troll", "dateCreated": "2020-01-01"}, {"@type": "Person", "name": "Eve"})
    assert read(html) == Metadata()


@pytest.mark.parametrize(
    ("html", "author"),
    [
        ('<meta name="author" content=" Ada  Lovelace ">', "Ada Lovelace"),
        ('<meta property="article:author" content="https://social.example/ada"><meta name="dc.creator" content="Ada">', "Ada"),
        ('<meta name="citation_author" content="Ada"><meta name="citation_author" content="Bob">', "Ada; Bob"),
        ('<meta name="citation_authors" content="Ada Lovelace;Charles Babbage;">', "Ada Lovelace; Charles Babbage"),
        ('<span itemprop="author" itemscope><meta itemprop="name" content="阿达"></span>', "阿达"),
        ('<a rel="author" href="/ada">Ada</a> <a rel="author" href="/ada">Ada</a>', "Ada"),
        ('<meta name="author" content="The Project. <http://a.example/>">', "The Project"),
        ('<meta name="author" content="Ada (ada@a.example)">', "Ada"),
        ('<meta name="author" content="admin">', ""),
        ('<meta name="author" content="101042">', ""),
        ('<meta name="author" content="Discuz! Team and Comsenz UI Team">', ""),
        ('<span class="author vcard"><a class="url fn n" href="/ada">Ada</a></span>', "Ada"),
        ('<table class="infobox vcard"><tr><th class="fn org">London</th></tr></table>', ""),
        ('<article class="comment"><b class="author vcard"><i class="fn">Bob</i></b></article>', ""),
        ('<meta name="author" content="ada@a.example">', ""),
        ('<meta name="byl" content="By Ada Lovelace"><meta name="byline" content="x">', "Ada Lovelace"),
        ('<meta name="author" content="By">', "By"),
        ('<meta name="parsely-author" content="Ada">', "Ada"),
        ("<p class=byline>By Ada Lovelace</p>", "Ada Lovelace"),
        ("<div class=author>Written by <a>Ada King Lovelace</a></div>", "Ada King Lovelace"),
        ("<p class=byline>By the way, Ada is away</p><p>By Ada Lovelace</p>", ""),
        ("<p class=byline>By Ada</p><p class=byline>By Bob</p>", ""),
        ("<ol class=comments><li><p class=byline>By Bob</p></ol>", ""),
        ("<div class=info><span>来源：江城日报</span><span>作者：林小满</span><span>2024-03-10</span></div>", "林小满"),
        ("<div class=info>作者：本报记者 林小满 2024-03-10</div>", "林小满"),
        ("<div class=info>作者：佚名 来源：网络</div>", ""),
        ("<div class=info>作者：2024-03-10</div>", ""),
        ("<div class=meta>作者：10篇</div>", ""),
        ('<meta name="author" content="管理员">', ""),
        ("<div class=info>作者：admin 点击：12</div>", ""),
        ("<div class=info>作者：林小满</div><div class=info>作者：周大路</div>", ""),
        (f"<div class=info>作者：林小满 {'很长的一段话，' * 20}</div><p>作者：周大路</p>", ""),
        (json_ld({"@type": "QAPage", "mainEntity": {"@type": "Question", "author": {"name": "Ada"}}}), "Ada"),
        ('<script type="application/ld+json">{"@type": "Article", "author": ["Ada", ], }</script>', "Ada"),
        ('<script type="application/ld+json">//<![CDATA[\n{"@type": "Article", "author": "Ada"}\n//]]></script>', "Ada"),
    ],
)
def test_authors(html: str, author: str) -> None:
    assert read(html).author == author


@pytest.mark.parametrize(
    ("html", "published"),
    [
        ('<meta property="article:published_time" content="2019-11-26T13:37:17.000Z">', "2019-11-26"),
        ('<meta name="DC.date.issued" content="2018-07">', ""),
        ('<meta property="bytedance:published_time" content="2024-03-04T10:00:00+08:00">', "2024-03-04"),
        (json_ld({"@type": "JobPosting", "datePosted": "2024-03-04"}), "2024-03-04"),
        ('<meta name="citation_publication_date" content="2018/07/09">', "2018-07-09"),
        ('<time itemprop="dateCreated datePublished" datetime="2017-01-02T03:04">x</time>', "2017-01-02"),
        ('<time pubdate datetime="2016-05-04">x</time>', "2016-05-04"),
        ('<div class="post-meta">2022年07月27日 <a>x</a></div>', "2022-07-27"),
        ("<time>4 March 2015</time>", "2015-03-04"),
        ("<p>It was released on 2005-08-15, they say.", ""),
        ("<p>作者：王小明 发布时间：2024年03月05日 10:20 来源：某某网</p>", "2024-03-05"),
        ("<div>來源：某某網 發布日期: 2024-3-5</div>", "2024-03-05"),
        ("<time>2024-03-04</time><p>发布时间：2024-03-05</p>", "2024-03-04"),
        ("<p>发布时间：2024-03-05</p><p>发布时间：2024-03-06</p>", ""),
        ("<p>最新版本发布时间：2013-11-11</p>", ""),
        ("<p>A page.</p><p>Published on Thursday, March 4th 2021 in News</p>", "2021-03-04"),
        ("<p>A page.</p><p>Posted by Ada Jane Doe on 4 March 2021</p>", "2021-03-04"),
        ("<p>Eine Seite.</p><p>Geschrieben von Ada am 04.03.2021, 10:20 Uhr</p>", "2021-03-04"),
        ("<p>Eine Seite.</p><p>Erscheinungsdatum</p><p>4. März 2021</p>", "2021-03-04"),
        ("<p>Une page.</p><p>Mise en ligne : 4 mars 2021</p>", "2021-03-04"),
        ("<p>Страница.</p><p>Опубликовано: 4 марта 2021</p>", "2021-03-04"),
        ("<p>Posted on March 4, 2021</p><p>Posted on March 5, 2021</p>", ""),
        ("<p>Release date: 2021-03-04</p>", ""),
        ("<p>Unposted 2021-03-04</p>", ""),
        ("<p>Posted in the archive of what we did between May and 4 March 2021</p>", ""),
        ("<script>var ct = \"1710115200\"; var createTime = '2024-03-11 08:00';</script>", "2024-03-11"),
        ('<script>window.publish_time="2024-03-11 08:00";</script>', "2024-03-11"),
        ("<script>var oriCreateTime = '1710115200', act = '1710115200';</script>", ""),
        ("<script>createTime = '1710115200'; createTime = '1610115200';</script>", ""),
        ('<script>{"createTime": "2024-03-11"}</script><script>if (createTime == "2024-03-11") {}</script>', ""),
        ("<time>2024-03-04</time><script>var ct = '1710115200';</script>", "2024-03-04"),
        ("<p>王小明 发表于 2024-03-05</p>", ""),
        ('<meta property="article:published_time" content="2099-01-01">', ""),
        ('<meta property="article:published_time" content="0001-01-01">', ""),
        ('<meta property="article:published_time" content="2021-02-31">', ""),
        ('<time datetime="2020-01-01">x</time><time datetime="2020-01-02">y</time>', ""),
        ('<time datetime="2020-01-01">x</time><time class="post-updated" datetime="2020-01-02">y</time>', "2020-01-01"),
        ("<i>发表于</i> <time>2020-01-01</time> <i>更新于</i> <time>2020-01-02</time>", "2020-01-01"),
        ('<time>2020-01-01</time><time title="修改时间：2020-01-02">2020-01-02</time>', "2020-01-01"),
        ("<article><time>2020-01-01</time></article><aside><time>2020-01-02</time></aside>", "2020-01-01"),
        ("<article><time>2020-01-01</time></article><article>x</article>", ""),
        ("<section><h1>T</h1><time>2020-01-01</time><article>x</article></section><time>2020-01-02</time>", "2020-01-01"),
        ("<section><h1>T</h1><article>x<time>2020-01-03</time></article><time>2020-01-02</time></section>", "2020-01-03"),
        ("<body><h1>T</h1><article>x</article><div><time>2020-01-02</time></div>", ""),
        ("<div><h1>Site</h1><article>x</article><aside><time>2020-01-02</time></aside></div>", ""),
        (
            json_ld({"@context": "https://ziyuan.baidu.com/contexts/cambrian.jsonld", "pubDate": "2020-01-01T08:00:00"}),
            "2020-01-01",
        ),
        (json_ld({"@context": "https://a.example/", "pubDate": "2020-01-01T08:00:00"}), ""),
        (
            "<article class='post has-comments'><time>2020-01-01</time></article><div class=comments>"
            "<article class=comment-body><time>2020-01-02</time></article><article class=comment-body>x</article></div>",
            "2020-01-01",
        ),
        ("<p>Last modified: <time>2020-01-02</time> by Ada</p>", ""),
        ("<a href=/2><h4>Another page about ships</h4><time>2020-01-02</time></a>", ""),
        ("<a href=/2>另一个关于船的网页 <time>2020-01-02</time></a><time>2020-01-01</time>", "2020-01-01"),
        ("<a href=/1 rel=bookmark>Posted on <time>2020-01-01</time></a>", "2020-01-01"),
        ("<p>Posted <time>2020-01-01</time>, last updated <time>2020-01-02</time></p>", "2020-01-01"),
        ("<div class=info>来源：央视网<span>|</span><span>2024年03月10日 19:22</span></div>", "2024-03-10"),
        (f"<div class='admonition info'>{'word ' * 20} 2024-03-10</div>", ""),
        ("<div class=info>2024-03-10</div><div class=time>2024-03-11</div>", ""),
        ("<main><time>2020-01-01</time><ol class=comment-list><time>2020-01-02</time></ol></main>", "2020-01-01"),
        ("<abbr class=published itemprop=datePublished title='2012-05-01T07:51:00-07:00'>7:51 AM</abbr>", "2012-05-01"),
        ('<i itemprop="datePublished">2020-01-01</i><i itemprop="datePublished">2020-01-02</i>', ""),
        (json_ld({"@type": "Article", "datePublished": "2020-01-01"}, {"@type": "Article", "datePublished": "2020-01-02"}), ""),
        (
            json_ld({"@type": "WebPage", "datePublished": "2020-01-01"}, {"@type": "Article", "datePublished": "2020-01-02"}),
            "2020-01-02",
        ),
    ],
)
def test_published(html: str, published: str) -> None:
    assert read(html).published == published


@pytest.mark.parametrize(
    ("shown", "published"),
    [
        ("2023-12-06", "2023-12-06"), ("2023年12月6日", "2023-12-06"), ("2023-12-05", "2023-12-05"),
        ("昨天", "2023-12-05"), ("2024-01-01", "2023-12-05"),
    ],
)  # fmt: skip
def test_of_a_moment_in_utc_the_day_counts_that_readers_see(shown: str, published: str) -> None:
    """Blogs of Hexo in China: what is published before eight in the morning is of the day before in UTC."""
    html = json_ld({"@type": "BlogPosting", "datePublished": "2023-12-05T16:38:08.000Z"})
    html += f"<article><time datetime='2023-12-05T16:38:08Z'>{shown}</time><p>Words.</p></article>"
    assert read(html).published == published
    offset = html.replace("08.000Z", "08.000-08:00")
    assert read(offset).published == "2023-12-05", "a moment with an offset is of its own day"


@pytest.mark.parametrize(
    ("language", "moment", "published"),
    [
        ("zh-CN", "2023-12-05T16:38:08.000Z", "2023-12-06"), ("zh-TW", "2023-12-05T15:59:59+00:00", "2023-12-05"),
        ("ZH", "2023-12-05T00:00:00Z", "2023-12-05"), ("zh-CN", "2023-12-05T16:38:08+01:00", "2023-12-05"),
        ("zh-CN", "2023-02-29T16:38:08Z", ""), ("en", "2023-12-05T16:38:08Z", "2023-12-05"),
    ],
)  # fmt: skip
def test_of_a_moment_in_utc_the_day_of_china_counts_on_pages_in_chinese(language: str, moment: str, published: str) -> None:
    head = f"<meta property='article:published_time' content='{moment}'>"
    assert read(f"<html lang='{language}'>{head}<p>Words.</p></html>").published == published
    shown = f"<time datetime='{moment}'>2023-03-01</time>"
    assert read(f"<html lang='{language}'>{head}<p>{shown}</p></html>").published == published, "not the day of another moment"


@pytest.mark.parametrize("moment", ["0000-00-00T00:00:00Z", "2023-02-30T10:00:00+00:00", "9999-12-31T20:00:00Z"])
def test_a_moment_that_cannot_be_is_no_date(moment: str) -> None:
    html = "<html lang=zh><title>Rails</title><article><time datetime='{}'>2023-12-06</time><p>Words.</p></article>"
    assert read(html.format("2023-12-05T20:00:00Z")).published == "2023-12-06"
    assert read(html.format(moment)).published == ""


def test_the_day_may_stand_in_the_url() -> None:
    assert read("", "http://a.example/2021/10/19/tmux/").published == "2021-10-19"
    assert read("", "http://a.example/2021/13/19/tmux/").published == ""
    assert read("", "http://a.example/x?d=/2021/10/19/").published == ""


@pytest.mark.parametrize(
    ("html", "modified"),
    [
        ('<meta property="article:modified_time" content="2021-09-13T09:56:53.732Z">', "2021-09-13"),
        ("<footer>Last updated on Feb 03, 2025.</footer>", "2025-02-03"),
        ("<h3>Last update:</h3><p>Nov 11, 2024</p>", "2024-11-11"),
        ("<p>最后更新于 2023年5月6日</p>", "2023-05-06"),
        ("<p>" + "text " * 900 + "We last updated on 2001-01-01. " + "text " * 900, ""),
    ],
)
def test_modified(html: str, modified: str) -> None:
    assert read(html).modified == modified


def test_a_page_is_not_modified_before_it_was_published() -> None:
    html = '<meta property="article:published_time" content="2021-09-13"><meta name="lastmod" content="2020-01-01">'
    assert read(html).modified == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thu, 04 Mar 2021 05:06:07 GMT", "2021-03-04"),
        ("le 4 mars 2021", "2021-03-04"),
        ("20210304", "2021-03-04"),
        ("2021 年 3 月 4 日", "2021-03-04"),
        ("4. März 2021 - 10.20 Uhr", "2021-03-04"),
        ("04 Mar 2021 - 12.30", "2021-03-04"),
        ("yesterday", ""),
        ("2026-01-04", ""),
        ("1989-12-31", ""),
        ("", ""),
    ],
)
def test_day(text: str, expected: str) -> None:
    assert day(text, datetime(2026, 1, 3)) == expected


@pytest.mark.parametrize(
    ("html", "canonical"),
    [
        ('<link rel="canonical" href="/Blog/post/?utm_source=x">', "http://a.example/Blog/post/"),
        ('<base href="http://b.example/x/"><link rel="canonical" href="y">', "http://b.example/x/y"),
        ('<meta property="og:url" content="https://a.example/p">', "https://a.example/p"),
        ('<link rel="canonical" href="javascript:void(0)">', ""),
        ("", ""),
    ],
)
def test_canonical(html: str, canonical: str) -> None:
    assert read(html).canonical == canonical


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ('<meta property="og:site_name" content="The  Site"><meta name="application-name" content="App">', "The Site"),
        ('<meta name="SiteName" content="江城市人民政府"><meta name="application-name" content="App">', "江城市人民政府"),
        (json_ld({"@type": "WebSite", "name": "Mine"}), "Mine"),
        ('<meta name="application-name" content="App">', "App"),
    ],
)
def test_site_name(html: str, name: str) -> None:
    assert read(html).site_name == name


CC = "https://creativecommons.org/licenses/by-sa/4.0/"


@pytest.mark.parametrize(
    ("html", "licence"),
    [
        (f'<a rel="license" href="{CC}">x</a>', "CC-BY-SA-4.0"),
        ('<link rel="license" href="/terms.html">', "http://a.example/terms.html"),
        ('<link rel="license" type="application/rsl+xml" href="/rsl.xml">', ""),
        ('<meta name="dc.rights" content="CC BY 4.0">', "CC-BY-4.0"),
        ('<meta name="copyright" content="© 2020 Ada, all rights reserved">', ""),
        (f"<footer>本文采用 <a href={CC}>知识共享</a> 许可协议</footer>", "CC-BY-SA-4.0"),
        (f'<p>Licensed under <a href="{CC}">this</a> or <a href="{CC.replace("-sa", "")}">that license</a>', ""),
        (f"<p>The organization explains it <a href={CC}>here</a>.", ""),
        ('<a rel="copyright" href="copyright.html">Copyright</a>', ""),
    ],
)
def test_licence(html: str, licence: str) -> None:
    assert read(html).licence == licence


NAMES = st.sampled_from(["@type", "@id", "@graph", "name", "author", "license", "datePublished", "isPartOf", "url"])
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from(["Article", "WebPage", "2021-03-04", "#x"])
)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5), max_leaves=20
)


@settings(max_examples=200, deadline=None)
@given(JSON, st.text(max_size=60))
def test_no_json_ld_and_no_text_breaks_it(value: object, text: str) -> None:
    script = f'<script type="application/ld+json">{json.dumps(value)}</script>'
    found = read(
        f'{script}<meta name="author" content="{text}"><meta name="date" content="{text}"><link rel="license" href="{text}">'
    )
    assert all(isinstance(each, str) for each in astuple(found))
    assert found.published == "" or date.fromisoformat(found.published).year >= 1990


def test_deep_values_do_not_break_it() -> None:
    nested = '{"@type":"Article","author":' + "[" * 1_000 + '"Ada"' + "]" * 1_000 + "}"
    assert read(f'<script type="application/ld+json">{nested}</script>').author == ""


@pytest.mark.parametrize("depth", [10, 300, 5_000])
def test_deep_json_ld_does_not_break_it(depth: int) -> None:
    nested = '{"@graph":[' * depth + '{"@type":"Article","author":"Ada"}' + "]}" * depth
    assert read(f'<script type="application/ld+json">{nested}</script>').author == ("Ada" if depth < 500 else "")


def test_who_comments_is_no_author() -> None:
    comment = '<li itemprop="comment" itemscope itemtype="https://schema.org/Comment"><b itemprop="author">{}</b></li>'
    page = (
        '<article itemscope><b itemprop="author">Jane Author</b></article>' + comment.format("Bob") + comment.format("troll99")
    )
    assert read(page).author == "Jane Author"


def test_who_answers_is_not_the_author_of_the_question() -> None:
    answer = '<div itemprop="suggestedAnswer" itemscope itemtype="https://schema.org/Answer"><b itemprop="author">Bob</b></div>'
    page = f'<div itemscope itemtype="https://schema.org/Question"><b itemprop="author">Ada</b>{answer}</div>'
    assert read(page).author == "Ada"


@pytest.mark.parametrize(
    "line",
    [
        "最后更新：2021-03-04",
        "最后修改: 2021-03-04",
        "最近更新：2021-03-04",
        "上次更新 2021-03-04",
        "最後更新時間：2021-03-04",
        "本頁面最後修訂於2021-03-04",
        "更新时间：2021年3月4日",
    ],
)
def test_the_last_update_in_both_scripts(line: str) -> None:
    assert read(f"<p>{line}</p><p>text</p>").modified == "2021-03-04"


@pytest.mark.parametrize("text", ["<h3>最近更新</h3><ul><li>2019-01-05 某某文章</ul>", "<p>最近修改密码的用户 2018-02-03</p>"])
def test_a_list_of_news_is_no_date_of_change(text: str) -> None:
    assert read(f"<p>text</p>{text}").modified == ""


def test_a_page_that_is_a_review_has_its_author() -> None:
    page = '<div itemscope itemtype="http://schema.org/Review"><span itemprop="author">Jane Doe</span></div>'
    assert read(page).author == "Jane Doe"


@pytest.mark.parametrize("piece", ["posted by ", "published ", "2021 ", "posted by a 2021 on "])
def test_labels_in_hostile_texts_are_looked_for_in_linear_time(piece: str) -> None:
    with linear():
        assert read(f"<p>{piece * (1_000_000 // len(piece))}</p>").published == ""


@pytest.mark.parametrize("piece", ["a=", "\\", "pub", "var ct=", "publishTime ", "createTime = '2024-", f"pubTime{' ' * 1000}"])
def test_variables_of_hostile_scripts_are_looked_for_in_linear_time(piece: str) -> None:
    script = piece * (1_000_000 // len(piece))
    with linear():
        assert read(f"<script>{script}</script>").published == ""
        assert read(f"<script>{script}{' ' * 1_000_000}</script>").published == ""
