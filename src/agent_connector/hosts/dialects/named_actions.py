"""Names of actions in hosts where all commands are in one list: `<connector>-<action>`. On the hook path."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.connector.model import Action

_MARK = "--connector "


def name(action: "Action", marks: "tuple[str, ...]") -> str:
    """What a person calls it by; the connector is one of our marks."""
    return next(mark for mark in marks if mark.startswith(_MARK))[len(_MARK) :] + "-" + action.id
