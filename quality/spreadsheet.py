"""Which texts does a spreadsheet not leave as they are? Those it would run, and those it would turn into something else.

Patterns for RE2, which the database and Arrow both speak; none holds a quote sign, so that each can stand in SQL.
"""

RUN = r"[=+\-@\t\r]"
"""How a cell begins that is run as a formula (MODEL.md, CSV for Tokq subscribers)."""
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_SHAPES = (
    r"0\d+|\d{16,}|\d[\d.,]*[.,][\d.,]*|[.,]\d[\d.,]*",  # 007 loses its zeros, a long number its last digits, 1.10 its zero
    r"\d+(?:[.,]\d+)?e[+-]?\d+",  # 12e5, as a short hash may read
    r"[\d.,]+ ?[%€£¥$]|[$€£¥] ?[\d.,]+|\([\d.,]+\)",
    r"\d{1,4}(?:[-/.: ]{1,2}\d{1,4})+(?:\.\d+)?(?: ?[ap]m?)?",  # 1-2, 3/4, 10:30, 2026-01-02 10:00
    rf"(?:\d{{1,4}}[-/. ]*)?{_MONTH}[-/., ]*\d{{1,4}}(?:[-/., ]+\d{{1,4}})?(?: [\d:]+)?|\d{{1,4}}[-/. ]*{_MONTH}",
    r"true|false",
    r"[＝＋－＠](?s:.*)",  # the full-width signs are run by some
)
CONVERTED = rf"(?i: *(?:{'|'.join(_SHAPES)}) *)"
"""A whole text that Excel turns into another number, a date or a truth value when it opens a CSV."""
MARKED = rf"^\x{{27}}+(?:{RUN}|{CONVERTED}$)"
"""Texts in whose place an export may have written one with a leading apostrophe more: an import takes one away."""
MOST_CHARACTERS = 32_767
"""Of a cell in Excel; what is longer runs into the rows below when it opens a CSV."""
CUT = " … [cut here: Excel holds no more]"
"""The end of a text that was cut to fit."""
MOST_ROWS = 1_048_576
"""Of a sheet in Excel, the header among them."""
