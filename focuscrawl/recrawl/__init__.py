"""When to look again, and did it change?"""
