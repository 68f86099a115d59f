"""Every bound of the wire, in bytes, characters, counts or seconds. What the wire leaves open is bounded here."""

KIB = 1024
MIB = 1024 * KIB

VERSION = "0.1"

# Whole bodies, checked before anything is parsed (section 1).
PAIRING_BODY = 64 * KIB  # discovery too
DOOR_BODY = 1 * MIB
POLL_MESSAGES = 512 * KIB  # what one poll answers; the rest comes with the next
MCP_BODY = 8 * MIB
FILE_BODY = 9 * MIB  # a tool cache holds an MCP answer

# Fields.
APP_ID = 64
APP_NAME = 80
NAME = 200  # accounts, people, machines, hosts, labels of settings and tools
ID = 200  # connections, sessions, turns, messages
CURSOR = 512
CODE = 512
TOKEN_LEAST, TOKEN_MOST = 16, 1024
URL = 2048
TITLE = 300
CHAT_BYTES = 256 * KIB
DELTA_BYTES = 512 * KIB
PATH = 4096
BRANCH = 300
SETTINGS = 16
SETTING_VALUES = 200
HOLDING = 1000
MESSAGES = 1000
EVENTS = 1000
COUNT = 2**53  # what every JSON reader keeps exact

# Seconds.
HOLD_MOST = 25
SHORT_POLL_LEAST, SHORT_POLL_MOST = 1, 60
PAIRING_LIFE = 900
PAIRING_INTERVAL = 5
AWAY_AFTER_HOLD = 60

# The proxied tool (section 7).
TOOLS = 128
TOOLS_READ = 2000
TOOL_NAME = 128
TOOL_DESCRIPTION = 2000
TOOL_SCHEMA = 64 * KIB
TOOLS_TEXT = 64 * KIB
RESULT_BYTES = 256 * KIB
