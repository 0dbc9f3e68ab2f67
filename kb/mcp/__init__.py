"""MCP servers over standard input and output, on the official SDK: one small server a domain."""
