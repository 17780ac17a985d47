"""Moves a store to another engine, or makes a second crawl of one: its rows, its files, and the step that switches."""
