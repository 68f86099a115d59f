"""Programs that are denied whatever follows them, with the rule and the reason: what would be `unknown-program` otherwise."""

_DUMP = ("environment-dump", "it prints the environment, where keys may be")
_ROOT = ("privilege", "it becomes another user")
_LATER = ("schedule", "it starts something that goes on after the run")
_RAW = ("network-shell", "it opens raw connections, or a shell on another machine")
_TREE = ("delete-tree", "it destroys files for good")
_WRAPS = ("wrapper", "it runs other programs in ways that cannot be looked through")
_EVAL = ("eval", "it runs text as a command")
_NAME = ("function", "it gives a name another meaning")
_PROCESS = ("process", "it signals, or looks into, other processes")
_WINDOWS = ("windows-shell", "the language of PowerShell and cmd is not judged: run the program itself")
_INLINE = ("inline-code", "it is an interpreter, or an editor that runs commands")
_PUBLISH = ("publish", "it publishes, or changes what others use")
_CREDENTIALS = ("credential-read", "it gives out, or keeps, keys and passwords")
_SETS = ("variable", "it sets variables in ways that cannot be followed")

REFUSED: "dict[str, tuple[str, str]]" = {
    **dict.fromkeys(["printenv", "declare", "typeset", "compgen"], _DUMP),
    **dict.fromkeys(["sudo", "su", "doas", "pkexec", "runuser", "setpriv", "newgrp", "sg", "chroot", "unshare", "nsenter", "capsh", "login", "chown", "chgrp", "setcap"], _ROOT),
    **dict.fromkeys(["crontab", "at", "batch", "systemctl", "systemd-run", "service", "launchctl", "atd", "anacron", "screen", "tmux", "disown", "schtasks"], _LATER),
    **dict.fromkeys(["nc", "ncat", "netcat", "socat", "telnet", "ssh", "scp", "sftp", "rsync", "ftp", "lftp", "tftp", "rlogin", "rsh", "mosh", "openssl", "dig", "nslookup", "host"], _RAW),
    **dict.fromkeys(["shred", "truncate", "wipe", "srm", "dd", "mkfs", "fdisk", "blkdiscard", "unlink"], _TREE),
    **dict.fromkeys(["parallel", "busybox", "toybox", "watch", "script", "flock", "strace", "ltrace", "gdb", "entr", "unbuffer", "expect", "chrt", "taskset", "prlimit"], _WRAPS),
    **dict.fromkeys(["coproc", "enable", "rlwrap", "setarch", "linux64", "linux32", "ionice", "chpst", "softlimit", "env-update", "run-parts", "find2perl"], _WRAPS),
    **dict.fromkeys(["eval", "trap", "bind", "complete", "compopt", "source-highlight", "fc"], _EVAL),
    **dict.fromkeys(["alias", "unalias", "function", "hash", "shopt", "builtin-function"], _NAME),
    **dict.fromkeys(["kill", "pkill", "killall", "skill", "fuser", "lsof", "top", "htop", "ps", "pgrep", "pidof", "jobs", "pstree"], _PROCESS),
    **dict.fromkeys(["powershell", "pwsh", "cmd", "wscript", "cscript", "mshta", "rundll32", "certutil", "bitsadmin", "reg", "regsvr32"], _WINDOWS),
    **dict.fromkeys(["vim", "vi", "nvim", "view", "ex", "ed", "emacs", "nano", "pico", "less", "more", "man", "info", "gvim", "vimdiff", "rvim"], _INLINE),
    **dict.fromkeys(["lua", "luajit", "tclsh", "wish", "osascript", "groovy", "scala", "ghci", "erl", "elixir", "iex", "r", "rscript", "julia", "m4", "bc", "dc", "gawk-5", "irb", "pry"], _INLINE),
    **dict.fromkeys(["twine", "gem", "docker", "podman", "buildah", "skopeo", "kubectl", "helm", "terraform", "aws", "gcloud", "az", "heroku", "vercel", "netlify"], _PUBLISH),
    **dict.fromkeys(["fly", "flyctl", "firebase", "wrangler", "ansible", "ansible-playbook", "pulumi", "serverless", "semantic-release"], _PUBLISH),
    **dict.fromkeys(["git-credential", "ssh-add", "ssh-agent", "ssh-keygen", "ssh-keyscan", "gpg", "gpg2", "pass", "security", "keyctl", "secret-tool", "op", "vault"], _CREDENTIALS),
    **dict.fromkeys(["let", "getopts", "mapfile", "readarray", "caller", "times", "ulimit", "umask", "local", "readonly"], _SETS),
    "history": ("history", "it shows what was typed before"),
    "git-push": ("git-push", "nothing leaves the machine by an agent's hand"),
    "git-send-pack": ("git-push", "nothing leaves the machine by an agent's hand"),
    "git-receive-pack": ("git-push", "nothing leaves the machine by an agent's hand"),
    "git-shell": ("git-other", "it runs git's commands in another way"),
    "git-upload-pack": ("git-network", "it serves a repository to others"),
    "hub": ("git-push", "it is git with another name"),
    "hg": ("git-other", "another version control is not in the table"),
    "svn": ("git-other", "another version control is not in the table"),
    "jj": ("git-other", "another version control is not in the table"),
}  # fmt: skip
