"""The data of each page as plain values, which a template renders as HTML and the suffix `.json` returns as they are.

A view is a function of a read-only connection and the query parameters. It does not depend on HTTP or on the language.
"""
