"""What a recrawl has brought, and how fresh a collection is: texts, tables, pages and feeds of changes."""
