"""What each page shows, as plain data: a template makes HTML of it, `.json` behind the path gives it as it is.

A view is a function of a read-only connection and the query of the address. It knows neither HTTP nor language.
"""
