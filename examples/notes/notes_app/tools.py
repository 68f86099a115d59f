"""What the agent of a person can do here, as that person: the app's tools over MCP."""

from mcp.server.mcpserver import MCPServer

from agent_connector.byoa.app import current_account
from notes_app.notes import Note, Notes

SHOWN = 20


def tools_of(notes: Notes) -> MCPServer:
    tools = MCPServer("notes", log_level="WARNING")

    @tools.tool()
    def search(words: str) -> str:  # pyright: ignore[reportUnusedFunction]
        """Find the notes of the person that hold all of these words. No words: the notes that were changed last."""
        found = notes.search(current_account().id, words)
        more = f"\n\n({len(found) - SHOWN} more)" if len(found) > SHOWN else ""
        return "\n\n".join(_shown(note) for note in found[:SHOWN]) + more or "No note holds that."

    @tools.tool()
    def add(title: str, body: str) -> str:  # pyright: ignore[reportUnusedFunction]
        """Add a note. Gives its number."""
        return f"Added note {notes.add(current_account().id, title, body)}."

    @tools.tool()
    def edit(number: int, title: str | None = None, body: str | None = None) -> str:  # pyright: ignore[reportUnusedFunction]
        """Change the title or the body of a note, by its number; what is not given stays."""
        account = current_account().id
        note = notes.get(account, number)
        if note is None:
            return f"There is no note {number}."
        notes.edit(account, number, note.title if title is None else title, note.body if body is None else body)
        return f"Changed note {number}."

    return tools


def _shown(note: Note) -> str:
    return f"Note {note.id}: {note.title}\n{note.body}"
