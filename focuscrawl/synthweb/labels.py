"""The words that stand around the texts: navigation, footers, advertisements."""

from __future__ import annotations

LABELS: dict[str, dict[str, str]] = {
    "en": {
        "home": "Home",
        "about": "About us",
        "contact": "Contact",
        "login": "Log in",
        "next": "Next page",
        "previous": "Previous page",
        "related": "Related articles",
        "hot": "Popular now",
        "sponsor": "Sponsored offer",
        "more": "continue",
        "partner": "partner page",
        "file": "download",
        "old": "old version",
        "private": "members only",
        "month": "next month",
        "day": "day",
        "deeper": "more of this",
        "facet": "filter",
        "published": "Published",
        "sorry": "Sorry, this page could not be found. Try the home page or the search.",
    },
    "zh": {
        "home": "首页",
        "about": "关于我们",
        "contact": "联系方式",
        "login": "登录",
        "next": "下一页",
        "previous": "上一页",
        "related": "相关文章",
        "hot": "热门",
        "sponsor": "广告推广",
        "more": "继续",
        "partner": "合作页面",
        "file": "下载",
        "old": "旧版",
        "private": "会员专区",
        "month": "下个月",
        "day": "日",
        "deeper": "更多",
        "facet": "筛选",
        "published": "发布时间",
        "sorry": "对不起，您访问的页面不存在，请返回首页。",
    },
}
ADS = {
    "en": (
        "Buy two umbrellas and get one free this week.",
        "Cheap phones delivered to your door.",
        "Learn to drive in ten days.",
    ),
    "zh": ("本周雨伞买二送一。", "特价手机送货上门。", "十天学会开车，现在报名。"),
}
