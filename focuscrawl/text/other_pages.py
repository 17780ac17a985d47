"""Recognizes the labels that announce a list of other pages: related ones, the next one, or the most read.

Not "see also" and "related topics", with which manuals end, nor "further information", below which an article names its
sources. But what means the first two in some other languages (*Vedi anche*, *Zobacz też*, *Verwandte Themen*) is such a label,
because news sites write it above related news. A label alone leaves nothing out: `focuscrawl.text.beside` looks whether links
follow it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from focuscrawl.text import clean

_LABELS = {
    "en": (
        r"(?:related|recommended|popular|trending|mostread|mostviewed|mostpopular|mostshared)(?:now|today|thisweek)?",
        r"relatedreading|most(?:read|viewed|popular|shared).{0,20}(?:articles|news|stories)",
        r"(?:related|recommended|popular|trending|recent|latest|similar|featured|other|more|mostread|mostviewed|top)"
        r"(?:articles|posts|news|stories|episodes|products|items|videos|questions|threads|discussions|coverage|comments)"
        r"(?:from.{0,30})?",
        r"(?:related|similar)(?:artworks|cases|content|courses|homes|jobs|listings|papers|properties|recipes)",
        r"more(?:from|on|in(?!fo)|toread|likethis).{0,40}|recommended(?:for|from|by).{0,30}",
        r"(?:previous|prev|next|newer|older)"
        r"(?:message|post|article|entry|story|chapter|page|bythread|bydate|inthread|inlist)?",
        r"(?:read|up)next|read(?:more|also)|alsoread|keepreading|whattoreadnext|editorspicks?|hotnetworkquestions",
        r"you(?:may|might|will)?(?:also)?(?:like|love|enjoy|beinterestedin)",
    ),
    "zh": (
        r"[上下前后後][一1](?:篇|章|页|頁|条|條|节|節|个|個)(?:文章|新闻|新聞)?",
        r"(?:相关|相關|相似|类似|類似|同类|同類|推荐|推薦|热门|熱門|热点|熱點|最新|近期|今日|精彩|延伸|更多|其他|随机|隨機)的?"
        r"(?:新闻|新聞|阅读|閱讀|文章|推荐|推薦|报道|報導|稿件|资讯|資訊|问题|問題|评论|評論|视频|影片|图片|帖子|话题|話題|博文|日志|专题"
        r"|案例|职位|職位|房源|活动|活動|藏品|商品|产品|產品|图集|圖集|课程|課程|作品)+",
        r"(?:新闻|新聞|点击|點擊|阅读|閱讀|文章|热点|熱點|热门|熱門|一周|本周|今日)*(?:排行|热点|熱點)榜?|热搜榜?|热门|熱門",
        r"[为為][您你]推[荐薦]|猜?[您你](?:可能|也[许許])?[也还還]?[会會]?喜[欢歡]|大家都在看|大家[还還]看了|看了又看",
        r"看[过過了].{0,8}[还還]看[过過了]?|[编編][辑輯]推[荐薦]",
    ),
    "de": (
        r"mehr(?:zum?|zur|aus|von|über)(?!info).{0,40}|zumweiterlesen|(?:auch|ebenfalls)interessant|meistgelesen",
        r"mehr(?:lesen|dazu)?|nochmehr(?!info).{0,30}|weiterlesen",
        r"lesensie(?:hier)?(?:auch|mehr)|lies(?:auch|mehr)|kundenkauftenauch|(?:vorheriger|voriger|nächster)(?:artikel|beitrag)",
        r"daskönnte(?:sie|dich|ihnen|dir|euch)(?:auch|ebenfalls)?(?:interessieren|gefallen)",
        r"(?:sie|du)könnte(?:n|st)auch.{0,40}interessiertsein",
        r"(?:ähnliche|verwandte|weitere|neueste|aktuelle|andere|passende|meistgelesene|beliebte)+"
        r"(?:artikel|beiträge|meldungen|nachrichten|news|produkte|themen|videos|kommentare|rezepte)(?:zum|aus|von|in|im)?.{0,30}",
    ),
    "nl, sv, da, no, fi": (
        r"lees(?:ook|meer|verder)|meer(?:lezen|over.{0,40})|(?:gerelateerde|verwante|meer)(?:artikelen|berichten|nieuws)|meestgelezen",
        r"läs(?:också|även|mer)|(?:relaterade|liknande)(?:artiklar|inlägg)|mestläst",
        r"l[eæ]sogså|l[eæ]smere?|mestl[eæ]st|luemyös",
    ),
    "fr": (
        r"[àa]?lire(?:aussi|également|ensuite)|surlemêmesujet|lesplus(?:lus|populaires)",
        r"(?:vous|cela|ça)(?:aimerez|pourriez|pourrait|devriez)(?:aussi|également)?(?:vous)?(?:aimer|intéresser)?"
        r"(?:aussi|également)?",
        r"(?:articles?|contenus?|produits?|billets?|sujets?|vidéos?)"
        r"(?:similaires?|liés?|associés?|connexes|récents|précédent|suivant)",
    ),
    "es": (
        r"(?:también)?(?:te|le|les)?(?:puede|podría)(?:también)?(?:interesar|gustar)(?:te|le)?(?:también)?",
        r"(?:lee|lea|leer|ver|vea|mira)(?:también|además|más)|más(?:sobre|de|en|noticias).{0,40}|lomás(?:leído|visto)",
        r"(?:noticias|artículos|entradas|temas|notas|contenidos?)(?:relacionad[oa]s?|similares|recientes)",
    ),
    "pt": (
        r"(?:leia|veja|confira)(?:também|mais)|saibamais|mais(?:sobre|lidas|lidos|notícias).{0,30}",
        r"você(?:pode|vai)(?:também)?(?:gostar|seinteressar)|(?:notícias|artigos|matérias|posts)(?:relacionad[oa]s|recentes)",
    ),
    "it": (
        r"(?:leggi|vedi|guarda)(?:anche|pure|altro)|(?:ti)?potrebbe(?:ro)?(?:anche)?interessar(?:ti|e)|ipiùletti",
        r"(?:articoli|notizie|post)(?:correlat[ie]|simili|recenti)",
    ),
    "pl, cs": (
        r"(?:czytaj|zobacz|przeczytaj|sprawdź)(?:też|także|również|więcej)|najczęściejczytane|polecamy",
        r"(?:podobne|powiązane|polecane|najnowsze)(?:artykuły|wpisy|tematy|wiadomości)",
        r"(?:související|podobné)články|čtětetaké|přečtětesi(?:také)?",
    ),
    "ru, uk": (
        r"(?:читайте|смотрите|читать)(?:также|ещё|еще|далее)|(?:материалы|новости|статьи)?потеме|самоечитаемое|читайтетакож",
        r"(?:похожие|другие|последние|связанные|популярные)(?:статьи|новости|материалы|записи|публикации|темы)",
    ),
    "ro, tr, el": (
        r"citește(?:și|mai).{0,20}|ilgili(?:haberler|yazılar|konular)|διαβάστε(?:επίσης|ακόμα|ακόμη)|σχετικάάρθρα",
    ),
    "ja": (
        r"(?:関連|おすすめ|オススメ|人気|新着|最新|注目)(?:する)?の?(?:記事|ニュース|動画|コンテンツ|トピックス|商品)"
        r"(?:一覧|ランキング|はこちら)?|アクセスランキング|[前次]の記事",
        r"(?:あわせて|合わせて|併せて|こちらも)(?:読みたい|読む|読まれています|おすすめ)(?:記事)?",
    ),
    "ko": (r"(?:관련|인기|많이본|추천)(?:기사|뉴스|글)",),
}  # fmt: skip
"""Patterns of the labels in lower case and without spaces and marks, by language."""
_OTHER_PAGES = re.compile("|".join(pattern for patterns in _LABELS.values() for pattern in patterns))


@lru_cache(maxsize=4096)  # the labels of a template are on all of its pages
def announces_others(text: str) -> bool:
    """Whether a text is such a label."""
    return _OTHER_PAGES.fullmatch(clean.bare(text)) is not None
