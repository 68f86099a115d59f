"""Find the host's own spelling of a tool among the tools that it offers.

A script names tools bare. Hosts compose the name with the server's in many ways (`mcp__acme__query`, `mcp_acme_query`,
`acme-query`, `acme___query`, a namespace `mcp__acme` with `query` in it), so names are compared without their
punctuation. A tool of the host itself is written `host:Bash`, by its canonical name.
"""

import json
from collections.abc import Mapping, Sequence

from agent_connector.rehearse.model.turns import Offer

HOST_TOOL = "host:"
NOT_THERE = "The rehearsal found no such tool."
# Hosts that name no MCP tool until the model has searched for it; most take a direct call by the composed name.
SEARCH_TOOLS = frozenset({"ToolSearch", "tool_search"})
DIRECT = "mcp__{server}__{tool}"


def spelled(
    tool: str, server: str, offers: Sequence[Offer], aliases: Mapping[str, Sequence[str]], direct: str = DIRECT
) -> Offer | None:
    """The offer that is `tool`, None when the host does not offer it.

    `server` is the name under which the connector's server is registered; `aliases` gives for each canonical name of
    a host's own tool the names that this host uses at the model. The offer may be one that runs a `program`. `direct`
    is what is called where the model would have to search; "" where the host takes no such call.
    """
    if not tool.startswith(HOST_TOOL):
        wanted = _composed(tool, server)
        for offer in offers:
            if any(_same((offer.namespace or "") + offer.name, name) for name in wanted):
                return offer
    if found := _named(_exact(tool, aliases), offers):
        return found
    if direct and any(offer.name in SEARCH_TOOLS for offer in offers) and not tool.startswith(HOST_TOOL):
        return Offer(direct.format(server=server, tool=tool))
    return next((offer for offer in offers if offer.runs_code), None)


def program(tool: str, server: str, arguments: Mapping[str, object], aliases: Mapping[str, Sequence[str]]) -> str:
    """JavaScript for a host whose model calls tools from code: it finds the tool by the same rules and calls it."""
    composed = [] if tool.startswith(HOST_TOOL) else sorted(_composed(tool, server))
    return (
        f"const exact = {json.dumps(_exact(tool, aliases))}, composed = {json.dumps(composed)};\n"
        'const plain = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, "");\n'
        "const fits = ({ name }) => exact.includes(name) || composed.includes(plain(name));\n"
        "const found = ALL_TOOLS.find(fits);\n"
        f"if (!found) text({json.dumps(NOT_THERE)});\n"
        f"else text(await tools[found.name]({json.dumps(dict(arguments))}));\n"
    )


def _exact(tool: str, aliases: Mapping[str, Sequence[str]]) -> list[str]:
    canonical = tool.removeprefix(HOST_TOOL)
    return [*aliases.get(canonical, ()), canonical] if tool.startswith(HOST_TOOL) else [tool]


def _composed(tool: str, server: str) -> set[str]:
    return {_plain(server + tool), _plain("mcp" + server + tool)}


def _named(names: Sequence[str], offers: Sequence[Offer]) -> Offer | None:
    for name in names:
        for offer in offers:
            if offer.name == name:
                return offer
    return None


def _same(offered: str, wanted: str) -> bool:
    """Gemini cuts the middle out of a long name and puts three dots in its place."""
    start, cut, end = offered.partition("...")
    if not cut:
        return _plain(offered) == wanted
    return wanted.startswith(_plain(start)) and wanted.endswith(_plain(end))


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
