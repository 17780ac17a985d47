"""Which query parameters and path parts say how a visitor came, not which page is meant.

Tracking parameters name a campaign or a click, session parameters a visit; both make endless addresses of one page.
The lists hold names that are used for nothing else; where a name is ambiguous (`sid`, `from`), its value decides.
"""

from __future__ import annotations

import re

_TRACKING_PREFIXES = (
    "utm_", "mtm_", "pk_", "piwik_", "matomo_", "hsa_", "__hs", "_hs", "hmsr", "hmpl", "hmcu", "hmkw", "hmci",
)  # fmt: skip
_TRACKING_NAMES = """
    gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid fbclid fb_action_ids fb_action_types fb_source
    msclkid yclid ysclid ymclid twclid ttclid igshid igsh li_fat_id mc_cid mc_eid mkt_tok _ga _gl _openstat vero_id
    vero_conv oly_enc_id oly_anon_id wickedid rb_clickid s_cid ns_mchannel ns_source ns_campaign ns_linkname at_medium
    at_campaign at_custom1 hsctatracking spm scm spm_id_from from_spmid vd_source share_source share_medium share_plat
    share_session_id share_tag share_from unique_k bsource bd_vid qhclickid sudaref tt_from isappinstalled nsukey wfr
    wx_header scene_from trk_info trkcampaign sc_campaign sc_channel sc_content sc_medium sc_outcome sc_geo sc_country
"""
_TRACKING = frozenset(_TRACKING_NAMES.split())
_TRACKING_VALUES = {
    "from": frozenset({"timeline", "singlemessage", "groupmessage"}),  # WeChat's share sheet
    "for": frozenset({"pc"}),  # beside wfr=spider
    "source": frozenset({"rss", "wechat_timeline", "wechat_session"}),
}
_SESSION = frozenset({
    "jsessionid", "jsessionidsso", "phpsessid", "phpsessionid", "cftoken", "oscsid", "zenid", "xtsessionid",
    "asp.net_sessionid",
})  # fmt: skip
_SESSION_IF_TOKEN = frozenset({"sid", "s", "ses", "sess", "sessid", "session", "sessionid", "session_id", "session-id", "_sid"})
_TOKEN = re.compile(
    r"(?=[a-z]*[0-9])(?=[0-9]*[a-z])[0-9a-f]{16,}"  # hexadecimal with both letters and digits
    r"|[0-9a-f]{32,}"
    r"|(?=[a-z]*[0-9])[0-9a-z]{24,}",
    re.IGNORECASE,
)
_SHORT_NAMES = frozenset({"s", "ses"})  # `s` is also the search box of WordPress

_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid)=[^/;]*", re.IGNORECASE)
_PATH_TOKEN = re.compile(r";(?:sid|sessionid)=([^/;]*)", re.IGNORECASE)
_COOKIELESS = re.compile(r"(?:/\((?:[A-Za-z]\([0-9A-Za-z]{24}\))+\))+(?=/)")
"""ASP.NET's session in the path: `/(S(lit3py55t21z5v55vlm25s55))/page.aspx`."""


def without_sessions(path: str) -> str:
    """A path in normal percent-encoding without the session ids that servers put into paths."""
    if ";" in path:
        path = _PATH_SESSION.sub("", path)
        path = _PATH_TOKEN.sub(lambda m: "" if _TOKEN.fullmatch(m[1]) else m[0], path)
    return _COOKIELESS.sub("", path) if "/(" in path else path


def without_noise(query: str) -> str:
    """A query in normal percent-encoding without tracking, sessions and empty pieces; the order stays as it was."""
    pieces = query.split("&")
    coldfusion = "cftoken=" in query.lower()
    return "&".join(piece for piece in pieces if piece and not _is_noise(piece, coldfusion))


def _is_noise(piece: str, coldfusion: bool) -> bool:
    name, _, value = piece.partition("=")
    name = name.lower()
    if name in _TRACKING or name.startswith(_TRACKING_PREFIXES):
        return True
    if name in _TRACKING_VALUES:
        return value.lower() in _TRACKING_VALUES[name]
    if name in _SESSION or name.startswith("aspsessionid") or (coldfusion and name == "cfid"):
        return True
    if name not in _SESSION_IF_TOKEN:
        return False
    return bool(_TOKEN.fullmatch(value)) and (name not in _SHORT_NAMES or len(value) >= 32)
