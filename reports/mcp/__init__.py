"""An MCP server: tools by which assistants check, solve, explain, change and draw levels.

The way of a call: `server` reads its arguments by the schema of its tool, `calls` runs the tool in a thread, and
the tool works in processes that can be killed. A call has limits of time, memory and text, and reads only files
below the folders that the user has named. The package `mcp`, the official SDK, speaks the protocol; the extra
`mcp` installs it.
"""
