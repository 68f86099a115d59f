"""Making a plan true: every wanted node in its file, every released one gone."""

from collections.abc import Sequence

from agent_connector.deploy.carry import carry, preview
from agent_connector.deploy.change import Change, Report


def apply(changes: Sequence[Change], *, root: str, force: bool = False, dry: bool = False) -> Report:
    """Carry `changes` out, in their order, or (`dry`) say what would come of it.

    `root` is the data root. `force` replaces what a person put or changed in our places; a backup is kept.
    """
    return preview(root, changes, force=force) if dry else carry(root, changes, force=force)
