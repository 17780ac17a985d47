"""From the bytes of a response to a filled Page, in this process or, for hostile pages, in one with limits."""
