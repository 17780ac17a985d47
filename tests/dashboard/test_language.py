"""Chinese and English: who gets which, and that nothing is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from focuscrawl.dashboard.rendering import chosen_language
from focuscrawl.export.selection import REASONS
from focuscrawl.report import translation
from focuscrawl.report.precision import UNTOLD
from focuscrawl.report.reasons import stop_words
from focuscrawl.report.revisits.page_freshness import BY_POLICY, CRASHED, FAILED, HOW, NEXT, PERIODS, every
from focuscrawl.report.translation import Language, catalogue
from focuscrawl.store.engines.sqlite import READ_ONLY
from focuscrawl.store.frontier.operator_changes import Added
from models.topic.vsm import choose
from tests.dashboard.desk import desk_of
from tests.dashboard.words import all_words
from tests.report import sample

PLACE = re.compile(r"{\w*}")


def test_nothing_is_missing_in_chinese() -> None:
    assert sorted(all_words() - set(catalogue())) == []


def test_nothing_is_left_over() -> None:
    assert sorted(set(catalogue()) - all_words()) == []


def test_both_languages_have_the_same_places_for_values() -> None:
    assert [
        english for english, chinese in catalogue().items() if sorted(PLACE.findall(english)) != sorted(PLACE.findall(chinese))
    ] == []


@pytest.mark.parametrize(
    ("accept", "code"),
    [
        ("", "en"), ("zh-CN,zh;q=0.9,en;q=0.8", "zh"), ("de,en;q=0.7,zh;q=0.3", "en"), ("fr", "en"), ("en;q=0,zh;q=0.1", "zh"),
        ("zh;q=x", "en"), ("*", "en"),
    ],
)  # fmt: skip
def test_the_browser_says_what_its_reader_reads(accept: str, code: str) -> None:
    assert chosen_language("", accept).code == code


SAID = [
    choose([0.3] * 5, noise=[0.01]).explanation, choose([0.9], noise=[0.01], made_up=[0.1, 0.2]).explanation,
    choose([0.1] * 3, noise=[0.2]).explanation, choose([0.1] * 3, noise=[0.01], negatives=[0.2] * 3).explanation,
    choose([], noise=[]).explanation,
    "Barren: http://farm.test/: most of the last 85 pages repeat what was read before.",
    "Barren: http://paper.test/cite?id: the last 5 answers were files, not pages.",
    "Barren: first visits to unknown domains: 3 of the last 60 pages brought something.",
    "Barren: first visits to domains that farm.test names: 1 of the last 60 pages brought something.",
    "Barren: first visits to domains that 3 others name: 1 of the last 60 pages brought something.",
    "Barren: redirects from http://forum.test/jump.php?id: most of the last 12 pages repeat what was read before.",
    "Barren: new hosts of farm.test: most of the last 52 pages repeat what was read before.",
    "Barren: http://copy.test shows the pages of http://a.test.",
    "Only 1 of the 6 examples are recognized by the others: they share few words. Keywords that such pages share, such as moon,"
    " planet, star, or more examples of each kind would help; what is found first will be uncertain.",
    "Only 0 of the 12 examples are recognized by the others: they share few words. Keywords that such pages share or more"
    " examples of each kind would help; what is found first will be uncertain.",
    "All 3 examples are pages of a.test: an example of another site tells the topic from the site.",
    "The keyword 望远镜 is in another language than all examples: pages in it score lower, and many will be passed over. An"
    " example page in each language would help.",
    "The keywords 望远镜, 星系 are in another language than all examples: pages in it score lower, and many will be passed"
    " over. An example page in each language would help.",
    "Keywords that stand on pages about anything distinguish few pages: the, 的.",
    "Keywords of which one word counts alone, because texts of any kind have the others: first aid (aid), vitamin c (vitamin).",
    "Negative terms and weights of which one word counts alone, because texts of any kind have the others: first aid (aid).",
    "Negative terms and weights that count for nothing, because such words are no terms: http, the. Keywords that stand on"
    " pages about anything distinguish few pages: of.",
    "Searched for: ice; age, moon", "0.5 was given by the user.", "4 of 5 examples are recognized by the others",
    "The topic is no more than a word or two: three example pages, or more keywords, would recognize its pages better.",
    "A crawl calls pages relevant whose relevance reaches it.", "Threshold of similarity:",
    "It is a similarity, and only RELEVANCE_MODEL=vsm uses it; the default model judges by probabilities.",
    "Threshold of relevance (calibrated): 0.3", "Only RELEVANCE_MODEL=vsm uses it.",
    "the topic has no words yet", "A topic needs words, pages or a text that say what it is about.",
    "There is already a topic stars; choose another name, or change that topic.",
    "the question was about another page; here is the next one",
    "the topic has changed since it was trained, or was not trained yet; train it, then score the waiting URLs",
    "at least 3 new, 2 changed, 1 gone since 2026-11-20 14:00:00 UTC; 1 page is missing, to be confirmed.",
    "300 pages of 14 sites: 2 index, 298 content. 100 pages (33 %) name a category of the site, 9 different at the first level;"
    " the others are drawn in grey by the first directory of their URL. Only pages that were read whole are asked for their"
    " category.",
    "1 page of 1 site: 0 index, 1 content. 1 page (100 %) names a category of the site, 1 different at the first level;"
    " the others are drawn in grey by the first directory of their URL. Only pages that were read whole are asked for their"
    " category.",
    "3 new, 2 changed, 1 gone since 2026-11-20 14:00:00 UTC; 2 pages are missing, to be confirmed.",
    "The run stopped: 300 pages were stored, as many as were asked for.", "The run was broken off: nothing more is due.",
    "The run is going on.",
    "It took 16 s and stored 300 pages (18.9 a second).", "148 pages of 300 are relevant: a harvest rate of 49 %.",
    "In all 2 runs, 1 page of 300 is relevant: a harvest rate of 1 %.",
    "19 pages repeat others (17 exactly); 130 relevant pages without repeats.",
    "1 page repeats others (1 exactly); 1 relevant page without repeats.",
    "Drift: 主题漂移.",
    "Drift: the last 100 relevant pages are less about the topic than the first ones were (similarity 0.12 after 0.34); they"
    " speak of shops, prices; nothing is learned from those that are far from it.",
    "Drift: 90 of the last 100 relevant pages are nearly the same, from http://a.test/0/*.",
    "The pages are in Chinese, but the keywords are not: add keywords in the language of the pages, or seeds in that of the"
    " keywords.",
    "Drift: topic 茶: 90 of the last 100 relevant pages are nearly the same, from http://a.test/0/*.",
    "Of 100 pages called relevant about 88 should really be so; it was 80 to 95 in four of five such crawls.", UNTOLD,
    "In 3 s it revisited 26 pages with 31 requests: 1 changed, 2 new, 3 gone, 20 the same.", "No page was stored.",
    "Of known pages 107 left the collection, and 1 joined it.",
    "Searches of the web: 12, which found 1,085 new URLs; 40 pages of these stored, 31 relevant.",
    "Searches of the web: 1, which found 1 new URL; 1 page of these stored, 0 relevant.",
    "Searches of the web that failed in this run: 3; its log says why.", "1 error is in the log.",
    "1,200 errors are in the log.", "1 error is in the log: crawls/a; b.log", "2 errors are in the log: /var/log/a.log",
    "Fetched mainly because a search of the web found it and the title in the results is about the topic.",
    "Passed over for their language: 36 pages (en 34, fr 2); the topic asks for zh, and `languages` in its topic file can name"
    " more.",
    "Passed over for their language: 1 page (en 1); topic 天文 asks for zh, and `languages` in its topic file can name more.",
    "By topic: 天文 30 (20 %); 3 pages for more than one.", "Not read because of the type: image/png (3).",
    "Of the last 200 pages 44 % are relevant, poorer than in the first half (57 %).",
    "Breadth-first would have found 40 to 115 relevant pages among 300 pages (estimated from the stored links); this crawl"
    " found 130.", "The pages come from 13 hosts of 14 known; 633 URLs still wait.",
    "The pages come from 13 hosts of 14 known; 1 URL still waits.",
    "The pages come from 1 host of 14 known; 1 URL still waits.",
    "No page was stored, mostly because no connection to the server. Advice: check its spelling if it is a seed's host,"
    " and the network if nearly all hosts are affected.",
    *(f"{told} {tail}." for told in ("Fetched", "To be fetched", "Requested") for tail in (
        "first because it is a seed", "mainly because a sitemap or feed of its host announced it",
        "early on purpose, to get to know a new host",
        "mainly because its anchor is about the topic",
        "mainly because it has mirrors and relevant pages lead to it; links like it have brought less than it promises",
    )),
    "Fetched at 2026-11-22 12:30:50 UTC; its relevance 0.966 reaches the threshold 0.300: relevant.",
    "Fetched at 2026-11-22 12:30:50 UTC; its relevance 0.1 is below the threshold 0.300: not relevant; its text repeats"
    " http://a.test/x"
    " (98 % alike); it asks not to be indexed, so it is not exported; when it was revisited, it had not changed.",
    "Fetched at 2026-11-22 12:30:50 UTC; its relevance 0.1 is below the threshold 0.300: not relevant; of railway, tunnel, in"
    " the name of its site, only what the page says beyond that counts.",
    "Fetched at 2026-11-22 12:30:50 UTC; an example page of the topic, so it is relevant by definition.",
    "Fetched at 2026-11-22 12:30:50 UTC; it names the topic in its title alone, so it counts less in the order `learned`.",
    "Fetched at 2026-11-22 12:30:50 UTC; it is in English, and the topic asks for Chinese: not relevant.",
    "Fetched at 2026-11-22 12:30:50 UTC; it is in Chinese, and the topics ask for English: not relevant.",
    "Fetched at 2026-11-22 12:30:50 UTC; a person labelled it yes, so it is relevant.",
    "Fetched at 2026-11-22 12:30:50 UTC; a person labelled it no, so it is not relevant.",
    "Fetched at 2026-11-22 12:30:50 UTC; a person labelled a page that says the same, http://a.test/x, yes, so it is relevant.",
    "Fetched at 2026-11-22 12:30:50 UTC; a person labelled a page that says the same, http://a.test/x, no, so it is not"
    " relevant.",
    "Waiting: rank 3 of 12 in the frontier, 1 of 2 on its host; its host may be asked now.",
    "Waiting for a revisit: rank 3 of 12 in the frontier, 1 of 2 on its host; its host may be asked again at 12:00 (in 3 s).",
    "Waiting: rank 3 of 12 in the frontier, 1 of 2 on its host; its host is busy with another request.",
    "Waiting: rank 3 of 12 in the frontier, 1 of 2 on its host; an operator holds its host"
    " (`scrapy frontier release` ends that).",
    "Waiting for its answer: a worker has held it since 2026-11-22 12:30:50 UTC.",
    "Waiting for another try, due at 12:00 (in 3 min): the server did not answer in time; 2 tries failed.",
    "Waiting for another try, due now: no connection to the server; 1 try failed.",
    "Refused: robots.txt of its host forbids it, by line 2, `Disallow: /private/`.",
    "Refused: robots.txt of its host forbids it.",
    "Refused by the rule `calendar`: a calendar page far from today; http://a.test/ links there.",
    "Refused: an operator removed it (`removed`); `scrapy frontier add` puts it back.",
    "Refused after it was requested: it lies outside the scope (`scope`).",
    "Failed: the page does not exist (`http-404`).",
    "Failed: a component of your own did not let it through (`dropped`); `scrapy frontier add` queues it again.",
    "Failed after 3 tries: the server did not answer in time (`timeout`).",
    "Nothing was found there at 2026-11-22 12:30:50 UTC: the page does not exist (`http-404`).",
    "Fetched, and redirected: the server answered 301 and sent the crawl to another URL.",
    "Fetched, and redirected: the server answered 301 and sent the crawl to http://a.example/b.",
    "Never seen: no page that this crawl has read links to it. Its host is not known either.",
    "Never seen: no page that this crawl has read links to it. Its host is known (1 page stored, 0 relevant).",
    "its turn", "robots.txt, then its turn", "the host's delay, in 3 s", "the host's answer to another request",
    "the host's release", "robots.txt, asked again in 3 s", "its answer (worker 3, 2 s)", "nothing: an operator removed it",
    "timeout: again in 5 min, 2 tries failed", "900 pages were stored, as many as were asked for",
    "101 relevant pages were stored; 100 were asked for", "1 page was stored, as many as were asked for",
    "1 relevant page was stored; 1 was asked for", "1 request was made, as many as were asked for",
    "3,700 requests were made, as many as were asked for",
    "the 0.5 minutes are over", "another worker took this one for dead (no heartbeat for 45 s)", "the store cannot be written",
    "see the error above",
    "1,200 of the 1,300 hosts with pages do not answer now",
    "the only host with pages does not answer now; 1 URL more on hosts that an operator holds",
    "no waiting URL falls due soon; 3 URLs more on hosts that an operator holds",
    "nothing of partition 1/3 falls due soon; 1,204 URLs of other partitions wait for workers with 2/3, 3/3",
    "nothing more is due; the next page is due 2026-11-29 10:00 UTC",
    *(f"nothing more may be fetched within FRONTIER_IDLE_STOP (600 s); URLs that wait {what} {then}"
      for what in ("for their hosts (1)", "for another try (2)", "for their hosts (1) or for another try (2)")
      for then in ("stay due", "were not revisited")),
    "nothing more may be fetched within FRONTIER_IDLE_STOP (600 s); URLs that wait for their hosts (13) stay due; 13 of them on"
    " hosts that gave no answer: sky.test (12), 星.test (1)",
    "1,300 of them on hosts that gave no answer: sky.test (1,200), 星.test (100) and 1 more",
    *(f"{number} {noun} {tail}" for noun in ("words", "links") for number in (2, "1,200")
      for tail in ("added", "gone", "added, 3 gone")),
    "1 word added; 2 links gone", "1 link gone, missing at the last visit", "a lot, missing at the last visit",
    "it redirects to a URL that is refused: a calendar page far from today",
    "answers 410", "moved to http://a.test/", "server error 500 (Internal Server Error)", "HTTP status 418 (I'm a Teapot)",
    stop_words("harvest", "3 of the last 500 pages were relevant, below the limit of 0.05"),
    stop_words("promise", "of the next 100 pages 0.8 are expected to be relevant, below the limit of 0.02"),
    stop_words("drift", "60 of the last 100 relevant pages are nearly the same, from http://a.test/x/*"),
    stop_words("edge", "for 100 pages the best waiting URL has had a chance below 0.02 of being relevant, most recently 0.01"),
    "Go on: nothing new was found from page 560 on; of the next 100 pages up to 7 should be relevant, about one in 40; 3 or"
    " more relevant pages are left.",
    "Go on: of the next 100 pages 65 to 95 should be relevant; 65 to 95 relevant pages are left.",
    "Go on: nothing new was found from page 560 on; of the next 100 pages 65 to 95 should be relevant; 65 to 95 relevant"
    " pages are left.",
    "Go on: of the next 100 pages 1 to 19 should be relevant, about one in 6; 140 to 480 or more relevant pages are left.",
    "The topic is running out: of the next 100 pages 1 to 9 should be relevant, seldom more; 1 to 9 relevant pages are left.",
    "Stop: nothing new was found from page 560 on, and hardly any of the next 100 pages is expected to be relevant.",
    "13 relevant pages lay behind irrelevant ones; there may be more of them, which no estimate counts.",
    "Stop: hardly any of the next 100 pages is expected to be relevant.",
    "Before it goes on, look at the pages stored last: they are not like the first ones, so that what the crawl takes for"
    " relevant may be something else; more keywords or labels (`scrapy topic label`) set it right.",
    "Nothing is left to fetch: to find more of the topic, add seeds, words or examples.",
    "Too early to tell what is left: that takes 50 pages which links have led to.",
    "a.test (57 of its 86 pages are relevant): robots.txt forbids 15 URLs that relevant pages link to; its owner may"
    " allow them.",
    "a.test (1 of its 86 pages is relevant): 1 URL not followed, behind irrelevant pages; LINKSCORE_TUNNEL_DEPTH or seeds there"
    " reach them.",
    "a.test (57 of its 86 pages are relevant): relevant pages link to 15 URLs there that the scope keeps out.",
    "a.test (1 of its 86 pages is relevant): 15 URLs left behind by max_pages_per_host.",
    "a.test (1 of its 86 pages is relevant): 1 URL that relevant pages link to lie deeper than max_depth.",
    "a.test: robots.txt forbids 15 URLs that relevant pages link to; its owner may allow them.",
    "a.test: 1 URL not followed, behind irrelevant pages; LINKSCORE_TUNNEL_DEPTH or seeds there reach them.",
    "a.test: 15 URLs left behind by max_pages_per_host.",
    "a.test (1 of its 2 pages is relevant): its pages say hardly anything and link nowhere; if scripts make them, that takes a"
    " crawler with a browser.",
    "a.test: its pages say hardly anything and link nowhere; if scripts make them, that takes a crawler with a browser.",
    "Breadth-first would have found 1 relevant page among 1 page (estimated from the stored links); this crawl found 1.",
    "a.test: 15 URLs that relevant pages link to lie deeper than max_depth.",
    "a.test: relevant pages link to 15 URLs there that the scope keeps out.",
    "None of 60 pages is relevant: seeds nearer to the topic, more words or examples would help"
    " (`scrapy topic show --crawl NAME` shows the topic's words).",
    "1 relevant page was behind irrelevant ones; there may be more of them, which no estimate counts.",
    "The topic is running out: nothing new was found from page 560 on; of the next 100 pages up to 4 should be relevant, seldom"
    " more; up to 4 relevant pages are left.",
    "no heartbeat comes: it hangs, or its store or network does",
    "its process has ended; the next worker takes over what it held",
    "no heartbeat comes: it hangs, or its store or network does; the next worker takes over what it held",
    "there is no crawl 'frist' in crawls; did you mean 'first'?", "there is no crawl 'x' in crawls; known: first, second",
    "This dashboard was started with --read-only: it changes nothing.",
    "542 URLs are revisited: 3 due now, 20 in the next 14 days, 9 later. Seen in the last 28 days: 45 new, 1 changed, 2 gone,"
    " 6 moved, 1 back.",
    "1 URL is revisited: 0 due now, 1 in the next 14 days, 0 later.",
    *(f"Seen in the last 28 days: 4 {kind}." for kind in ("new", "changed", "gone", "moved", "back")),
    *(f"Seen in the last 28 days: 4 changed, 4 {kind}." for kind in ("new", "changed")),
    "Besides: 16 changed by a few words, 21 may be gone, 2 still missing, 6 moved, 1 back, 3 not reached.",
    *(f"Besides: 2 {rest}." for rest in ("may be gone", "still missing", "not reached")),
    "a.test: 60 pages (1 index, 59 content)", "7 other sites: 180 pages", "1 other site: 1 page", "others",
    "Among its first 80 pages this run found 20 relevant (25 %); the run before, of 2026-11-22, had found 67 (84 %).",
    "The run before, of 2026-11-22, stored 80 pages; this one stored none.",
    "The recrawl before, of 2026-11-22, revisited 7 pages: 1 changed, 0 new, 0 gone, 6 the same.",
    "6 more were stored and are gone since (3 relevant); curves count them, totals do not.",
    "3.59 clicks between two pages, the longest way 8; 0.35 + 2.06 log10 n expects 5.98; 91 % of the pairs are connected.",
    "3.59 ± 0.1 clicks between two pages, the longest way at least 8 (from 100 pages drawn at random); 0.35 + 2.06 log10 n"
    " expects 5.98; 91 % of the pairs are connected.",
    "no page links to another.", "too few different values to say.", "no power law: it falls off faster.",
    "power law, exponent 2.21 ± 0.07 from 4 on (345 values), p 0.40.",
    "no power law (p 0.00); the nearest has exponent 2.21 ± 0.07 from 4 on (345 values).",
    "Words of the best pages that the topic does not have: lens, orbit.",
    "Add those that fit: `scrapy topic terms topics/sky.toml --keyword lens,orbit`.",
    "1,284 words by vote, 2 % code", "84 words by fast, 0 % code", "84 words by all text, 0 % code", "1.00 of the rules",
    "0.90 of the rules; not c4_sentences 1 (at least 3)", "0.90 of the rules; not symbols 0.4 (at most 0.1)",
    *(f"2026-11-22 19:08:57 UTC: {looked}" for looked in HOW.values() if "{" not in looked),
    *(f"2026-11-22 19:08:57 UTC: {HOW[how].format(answer=answer)}"
      for how in ("gone", "moved") for answer in ("", ": the server answered 404")),
    "it could not be visited: the server did not answer in time", "not visited again yet",
    "no visit has found it there again",
    "no visit has seen it again", "on 1 of 5 visits by more than 3 bits", "on 1 of 1 visit by more than 3 bits",
    "2026-11-22 19:08:57 UTC; 2 visits since without it", "first at 2026-11-22 19:08:57 UTC, by 2 visits so far",
    *(f"{how} at 2026-11-22 19:08:57 UTC, and still at 2026-11-23 19:08:57 UTC" for how in ("first", "moved")),
    *(every(days) for days in (0.0001, 1 / 1440, 5 / 1440, 1 / 24, 5 / 24, 1.0, 9.0, 800.0)), "never",
    *(f"due since 2026-11-22 19:08:57 UTC, {why}" for why in NEXT.values()),
    *(f"2026-11-30 07:05:16 UTC (in 7 d 11 h), {why.format(period=period)}"
      for policy, why in BY_POLICY.items()
      for period in ("", ": " + PERIODS.get(policy, "{} now").format("7 d 11 h"))),
    *(f"2026-11-30 07:05:16 UTC (in 7 d 11 h), {why}" for why in (FAILED, CRASHED)),
    "in this run, because an operator asked for it (`scrapy frontier add`)",
    *(f"2026-11-30 07:05:16 UTC (in 7 d 11 h), {rate} and what it is worth (0.87{hub}){period}"
      for rate in ("by how often it changes", "by how often pages of its site change")
      for hub in ("", ", 0.12 of it for the new pages that it leads to") for period in ("", ", 7 d 11 h after the last one")),
    *(f"http-429: again {when}{tries}" for when in ("now", "in 5 min") for tries in ("", ", 1 try failed", ", 2 tries failed")),
    "1 request", "nothing relevant in 60 pages: other seeds or words may help", "hardly anything expected: time to stop",
    "nothing new from page 560 on, hardly anything expected: time to stop",
    "drifted away from its topic: look at the pages stored last",
    "nothing new from page 560 on; next 100 pages: 6 to 40 relevant",
    "next 100 pages: up to 7 relevant; 3 to 9 or more left",
    "paused by an operator (me): nothing is fetched until `scrapy resume news`",
    "0.62: 12 pages link to it (their level 1.5), 2 copies, directory depth 1",
    "0.62: 1 page links to it (their level 0.0), no copy, directory depth 1",
    "0.33: 0 pages link to it, no copy, directory depth 2",
    "not relevant: in English",
    "Waiting: rank 3 of 12 in the frontier, 1 of 2 on its host; its host may be asked now. Nothing of the host may be fetched"
    " until its robots.txt can be read (its server answered 503).",
    "Never seen: no page that this crawl has read links to it. Its host is not known either. Known, however: http://a.test/x."
    " A link to it would be refused by the rule `calendar`: a calendar page far from today.",
    *(f"Failed: the page does not exist (`http-404`); the stored version of 2026-11-22 12:30:50 UTC is kept{exported}; {again}."
      for exported in ("", " and exported")
      for again in ("the next `scrapy recrawl` revisits it",
                    "the first `scrapy recrawl` after 2026-11-22 12:30:50 UTC revisits it")),
    *(f"news: 17 URLs queued, 5 waiting for another try, 0 leased{now}"
      for now in ("", "; the crawl is paused by an operator", "; the crawl is stopped by an operator")),
    "in all (3 removed)", "The next host may be asked in 3 s, the next retry is due now.", "The next host may be asked now.",
    "The next retry is due in 3 min 5 s.", "Hosts with the most waiting URLs (of 40)", "Collection news",
    "Crawl news", "Topic sky",
    "Topic sky, model calibrated: 24 pages (12 relevant), 5 folds",
    "Topic sky, made 2026-01-01; document frequencies of 300 pages.", "and 80 more terms", "Terms (the 20 strongest of 92)",
    "3 yes, 1 no", "Not counted, because their text is not stored: 2 pages.",
    "Judged differently than labelled (3)",
    *(f"news is {word} by me; `scrapy resume news` lets it run" for word in ("paused", "stopped")),
    "nobody works on news now; the last heartbeat came 11 min ago",
    "Worker 3: its process has ended; the next worker takes over what it held.",
    "Worker 3 of news: no heartbeat comes: it hangs, or its store or network does.", "The 3 heaviest of 45 pages",
    "0.90 of the rules; not c4_sentences 1 (at least 3); symbols 0.4 (at most 0.1); dots 0.1 (at least 0.4)",
    *(f"{p} problem{'' if p == 1 else 's'}, {w} warning{'' if w == 1 else 's'}." for p in (0, 1) for w in (1, 2)),
    "crawl news", "36 in versions that fit; focuscrawl 0.2.0, Scrapy 2.17.0",
    "install them again: make setup EXTRAS=postgresql",
    "spiders, models are those of /a", "models comes from /b", "models in /b has the name of one of ours",
    "rjieba 0.1; rjieba and jieba agree on 9 words", "rjieba and jieba cut a sentence differently (a b | c d)",
    "the segmenter does not load: no such file", "sites are not told apart: a.b.co.uk -> co.uk",
    "all can be used; 16 requests at once, 1.5 s between two of a host", "30.1 GB free at /a", "/a cannot be written to",
    "8,000 files can still be made at /a", "it says 1970-01-01", "it jumped by 0.30 s within 0.2 s",
    "2026-11-22 12:30:50 UTC, steady", "the PostgreSQL server's clock is 3.0 s ahead",
    "the PostgreSQL server's clock is 3.0 s behind", "steady, 0.01 s apart from the PostgreSQL server's", "1,024 may be open",
    "no answer from 192.0.2.1:53, 192.0.2.2:53", "sqlite store of version 20, whole: url 9, page 4, host 3, lease 0",
    "sqlite store of version 20: url 9, page 4, host 3, lease 0", "the store is damaged: row 3 is missing",
    "the store cannot be read (disk I/O error)",
    "restore store.sqlite from a copy, or save what can be read with `sqlite3 a .recover | sqlite3 repaired.sqlite` and put"
    " that"
    " in its place; the WARC files stay whole", "worker 3 (pid 12 on box) has been silent for 12 s",
    "1 worker ended without a word and left 2 leases", "2 workers ended without a word and left 1 lease",
    "1 lease of workers that are gone",
    *(f"a.warc.gz of worker 3 {found}; 1,200 were committed" for found in ("is missing", "has 800 bytes")),
    "1 more WARC file is missing or too short", "37 more WARC files are missing or too short",
    "1 WARC file of dead workers end after their last commit (a.warc.gz)",
    "2 WARC files of dead workers end after their last commit (a.warc.gz)",
    "a.warc.gz has 800 bytes of at least 1,200; it holds the answers of 2 stored pages",
    "a.warc.gz is missing; it holds the answers of 1 stored page", "paused by me@box", "stopped by me@box",
    f"/a {READ_ONLY}", "/a cannot be read by this user; it belongs to root",
    "its disk is mounted read-only: copy the crawl's folder to another, and set CRAWLS_DIR",
    "let its owner write to the crawl's folder (`chmod -R u+w`)",
    "it belongs to root: start the program as that user, or let this one read and write the crawl's folder (`chown -R`)",
    "Diffs: scrapy why URL --diff --crawl news",
    *(f"{title} ({of})" for title in ("New", "Changed", "Gone", "Missing at the last visit, not yet confirmed", "Sites")
      for of in ("3", "50 of 1,200")),
    "Crawl news has no page yet.", "Web of news", "300 of 14 hosts, 9 sites",
    "1,200 between them, 3,400 to URLs that were not stored", "30 links between hosts; 1 pair cite each other",
    "30 links between hosts; 2 pairs cite each other",
    *(f"{title} (by {by})" for title in ("Hubs", "Authorities") for by in ("all links", "links between hosts")),
    "fetched now, judged by crawl news", "from the archive of crawl news", "The 10 best links",
    "refused by calendar: 3 (a calendar page far from today)", "failed: a cut record", "relevance sky",
    "a link to it is refused by the rule calendar; only as a seed would it be fetched",
    "192.0.2.1 when it was fetched", "now refused: loopback", "192.0.2.1 port 80 is allowed", "status 404: no rules",
    "status 503: nothing may be fetched", "allowed, no line matches", "forbidden, no line matches",
    "allowed by Allow: /", "forbidden by Disallow: /a;b", "status 200, 12,000 bytes in 30 ms, when it was fetched",
    "status 200, 12,000 bytes", "status 301", "it is not stored: the server did not answer in time (timeout)",
    "charset utf-8, 0 broken characters", "charset gb18030, 1 broken character", "12,000 bytes", "1 byte",
    "title “Topics; and more”", "3,400 characters by trafilatura", "1 character by trafilatura", "0 characters (empty)",
    "3,400 characters", "1 character", "12 links, 0 broken, 0 too many", "1 link, 0 broken, 0 too many",
    "language zh, content page; “Topics”", "1,200 terms", "0.966, threshold 0.300: relevant; sky 0.50, of the star 0.20",
    "0.100, threshold 0.300: not relevant",
    "0.966, threshold 0.300: not relevant, because it is in English, and the topic asks for Chinese; sky 0.50",
    "exact duplicate of http://a.test/ (100 %)", "near duplicate of http://a.test/ (93 %)",
    "strategy learned, tunnelling learned; learned from 300 fetches", "strategy weight; learned from 1 fetch",
    "12 scored, 3 refused", "indexed 2,000 pages …", "indexed 2,000 pages of crawl news",
    "the search index of news holds 1 page; 0 pages new or changed",
    "no page of news says that; --all searches off-topic pages too",
    *(f"Crawl news: 300 stored pages, 40 of them relevant {how}. Relevant pages found after so many fetches; area 1 is all of"
      " them"
      " first." for how in ("by the crawl's verdicts", "by the crawl's verdicts, 3 of them labelled by hand",
                            "by the verdicts of topic sky", "by the verdicts of topic sky, 3 of them labelled by hand")),
    "at 100", *(f"Only stored pages can be fetched again: up to {links} to others were passed over, so a strategy that would"
    " have"
                " left the crawl's path is measured too low, and the crawl's own too high." for links in ("1 link", "9 links")),
    "news: 3 of 12 waiting URLs moved, 1 up and 2 down; the others were worth the same or nothing that is stored links to"
    " them.",
    "news: 0 of 1 waiting URL moved, 0 up and 0 down; the others were worth the same or nothing that is stored links to them.",
    "Of 300 stored pages that a former topic judged 3 would be newly relevant, 1 no longer; what they were counted as stays"
    " until the next run.",
    "news has the topic as it was trained. Its last run followed every link (weight), so that 12 waiting URLs keep their order"
    " until a run chooses by score.", "The next run of news goes on with that.",
    "crawl news is paused: 2 workers will lease nothing more; `scrapy resume news` lets it continue",
    "crawl news was already stopped: 1 worker will end soon; `scrapy resume news` resumes it",
    "crawl news runs again: 1 worker will continue",
    "crawl news runs again: no worker is at work; `scrapy crawl topic` starts one",
    "crawl news is paused: no worker is at work, and one that starts waits; `scrapy resume news` changes that",
    "crawl news is stopped: no worker is at work, and one that starts ends at once; `scrapy resume news` changes that",
    *(f"3 {what}" for what in Added), "to be removed: 3 waiting URLs; to be taken out: 2 pages",
    "removed: 1 waiting URL, 1 that a worker had in hand; 1 URL had ended before and stays as it is",
    "removed: 1 waiting URL, 1 that the crawl had not found yet; 2 URLs had ended before and stay as they are",
    "removed: 3 waiting URLs, 1 that a worker had in hand, 2 that the crawl had not found yet; taken out of the collection: 2"
    " pages,"
    " and copies from elsewhere replace 1 of them; the WARC files stay as they are",
    "removed: 3 waiting URLs; taken out of the collection: 2 pages; the WARC files stay as they are",
    "a.test is held: no requests are sent to it; waiting there: 3",
    "a.test was already held: no requests are sent to it; waiting there: 0",
    "a.test is released", "a.test was not held", "300 pages of news read, 3 of them with another text than before",
    "1 page kept as they were: their answers are not in /a/warc or cannot be read", "no run so far in crawls",
    "30 pages of news: 3 new, 2 changed, 1 gone", "12 relevant pages of news", "1 page of news: 0 new, 0 changed, 1 gone",
    "1 page of news not read whole yet: `scrapy extract news --missing` does that",
    *(f"3 {reason}" for reason in REASONS.values()), "3 by --kind", "no page was written: no page is stored yet",
    "no page was written: --min-words 30 keeps one; left out by --language were en (3), fr (1) and 2 more",
    "Trained topic sky (calibrated) on 7 labels: topics/sky.json", "Trained topic sky (calibrated) on 1 label: topics/sky.json",
    "Terms added (2): crypt 0.106, md5 0.083", "Terms dropped (1): vpn 0.042", "Weights moved: sha1 0.030 → 0.189",
    "Threshold of relevance (calibrated): 0.2 → 0.4715", "Threshold of similarity: 0.0901 → 0.1239",
    "Threshold of similarity: 0.0901", "Of 7 pages at hand 5 are relevant: 2 newly, 0 no longer.",
    "Of 1 page at hand 0 are relevant: 0 newly, 1 no longer.",
    "2 pages did not count, because their text is not stored; --fetch fetches it.",
    "7 labels of topic sky: 4 yes, 3 no (topics/sky.labels.tsv)", "1 label of topic sky: 1 yes, 0 no (topics/sky.labels.tsv)",
    "0 labels of topic sky: 0 yes, 0 no; `scrapy topic label NAME --sample 20` asks for some",
    "2 stored pages of crawl sky are judged otherwise by that: exports, searches and reports follow.",
    "1 stored page of crawl sky is judged otherwise by that: exports, searches and reports follow.",
    "Crawl sky, 250 stored pages: 240 were relevant; 3 would be newly relevant, 218 no longer.",
    "Crawl sky, 500 of 1,200 stored pages: 1 were relevant; 3 would be newly relevant, 218 no longer.",
    "Most relevant pages of sky would leave its collection; if they are on the topic, label some of these yes and train again"
    " first.",
    "The next run of sky judges all stored pages so; `scrapy topic rescore sky` scores its waiting URLs now.",
    "The text of 1 page is not here yet: the crawl tries again.",
    "The text of 2 pages is not here yet: the crawl fetches it, or --fetch does now.",
    "No page to start from yet: `scrapy topic suggest sky` finds some, or write them into [seeds] urls.",
    ".xlsx names no format, so JSON lines were written; --format names another",
    "2 pages left out: not whole in /a/warc (a cut record)",
    "news: 17 URLs queued, 5 waiting for another try, 0 leased; robots.txt comes first on 1 host, for 3 URLs",
    "First the robots.txt of their hosts", "recrawl 0.250", "behind 0.100",
    "16 s", "3 min", "3 min 5 s", "2 h", "2 h 4 min", "9 d", "44 d 19 h",
]  # fmt: skip
"""As the program makes them."""
LATIN = re.compile(r"[a-z]{3,} [a-z]{2,} [a-z]{2,}|\d (?:host|page|site|request|URL)|\d (?:s|min|h|d)\b")


@pytest.mark.parametrize("sentence", SAID, ids=range(len(SAID)))
def test_sentences_that_are_made_elsewhere_are_whole_in_chinese(sentence: str) -> None:
    chinese = Language("zh").translated(sentence)
    assert chinese
    assert not LATIN.search(re.sub(r"`[^`]*`|http\S+", "", chinese)), chinese


def test_no_form_of_a_sentence_is_left_over(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()
    filled = translation.filled

    def noted(form: str, values: Mapping[str, str]) -> str:
        used.add(form)
        return filled(form, values)

    monkeypatch.setattr(translation, "filled", noted)
    for sentence in SAID:
        Language("zh").translated(sentence)
    assert [chinese for _, chinese in translation.sentences() if chinese not in used] == []


def test_no_blank_stands_between_chinese_words() -> None:
    assert translation.filled("约 {n} 页", {"n": "至多 10"}) == "约至多 10 页"
    assert translation.filled("第 {n} 次", {"n": "3"}) == "第 3 次"
    assert translation.filled("对 {place} 的", {"place": "新主机"}) == "对新主机的"
    assert translation.filled("任务 {word} {state}", {"word": "news", "state": "已暂停"}) == "任务 news 已暂停"
    assert translation.filled("{page} {state}", {"page": "页面", "state": "已暂停"}) == "页面已暂停"


def test_what_is_quoted_from_a_page_stays_as_it_is() -> None:
    assert Language("zh").translated("title “Topics; and: more. Of it”") == "标题“Topics; and: more. Of it”"
    assert Language("zh").translated("0.966, threshold 0.300: relevant; topics 0.50") == "0.966，阈值 0.300：相关；topics 0.50"


def test_a_sentence_of_the_program_is_said_in_chinese(tmp_path: Path) -> None:
    shown = desk_of(tmp_path, "first").page(f"/c/first/page?url={sample.DENIED}", **{"accept-language": "zh"})
    assert "主机的 robots.txt 第 2 行" in shown


def test_durations_on_a_page_are_chinese(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, "first")
    run, sites = (desk.page(f"/c/first/{name}", **{"accept-language": "zh"}) for name in ("settings", "freshness"))
    assert re.search(r">[\d.]+ (?:秒|分钟|小时|天)", run)
    assert not re.search(r"\d (?:s|min|h|d)\b", run + sites)


def test_what_is_not_known_stays_english_and_is_marked(tmp_path: Path) -> None:
    assert Language("zh").translated("Something quite new; its turn") is None
    assert Language("zh").translated("Topic files are missing") is None, "no title of a table of the topic `files`"
    assert Language("zh").translated("its turn" + "; its turn" * 99) is None
    assert Language("en").translated("Something quite new") == "Something quite new"


def test_the_switch_beats_the_browser() -> None:
    assert chosen_language("en", "zh").code == "en"
    assert chosen_language("xx", "zh").code == "zh"


def test_values_are_put_in_and_never_read_as_places() -> None:
    assert Language("en")("Crawl {name}", name="{x}") == "Crawl {x}"
    assert Language("zh")("{not in the catalogue}") == "{not in the catalogue}"


def test_a_page_is_in_the_readers_language_and_says_so(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, "first")
    assert '<html lang="en">' in desk.page("/")
    chinese = desk.page("/", **{"accept-language": "zh-CN"})
    assert '<html lang="zh-Hans">' in chinese
    assert "采集任务" in chinese


def test_the_switch_is_a_link_that_leads_back(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, "first")
    answer = desk.client.get("/language/zh", params={"back": "/c/first/?a=b"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/c/first/?a=b")
    assert "采集任务" in desk.page("/")


@pytest.mark.parametrize("back", ["//evil.test/", "https://evil.test/", "/\\evil.test"])
def test_the_switch_leads_nowhere_else(tmp_path: Path, back: str) -> None:
    answer = desk_of(tmp_path).client.get("/language/zh", params={"back": back})
    assert answer.headers["location"] == "/"
