"""User input: arguments, topic files, seed lists, settings and the jobs of Scrapyd. Text in, checked values out."""
