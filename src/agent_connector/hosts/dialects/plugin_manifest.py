"""Manifests and catalogs of the family that began with Claude Code's plugins."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent_connector.hosts.uses import About


def described(about: "About") -> dict[str, Any]:
    """Name, version, description, and of author, license and page what is known."""
    told: dict[str, Any] = {"name": about.id, "version": about.version or "0.0.0", "description": about.description}
    if about.author:
        told["author"] = {"name": about.author}
    told |= {key: value for key, value in (("license", about.license), ("homepage", about.url)) if value}
    return {key: value for key, value in told.items() if value}


def catalog(market: str, about: "About", source: str) -> dict[str, Any]:
    """A catalog of one plugin, in a folder beside it."""
    plugin = {"name": about.id, "source": source, "description": about.description}
    return {
        "name": market,
        "owner": {"name": about.author or about.id},
        "plugins": [{key: value for key, value in plugin.items() if value}],
    }
