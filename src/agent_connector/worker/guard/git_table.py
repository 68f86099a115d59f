"""git's commands that an agent may use, each with every option that it may have (see `options`)."""

_LOOKS = (
    " -# -p -u -s -n: -U: -M:? -C:? -B:? -w -b -a -R -z -q -L: -S: -G: -i -E -F -P -g -c -m -t -r --patch --no-patch --raw --stat=?"
    " --numstat --shortstat --summary --name-only --name-status --color=? --no-color --word-diff=? --unified= --cached"
    " --staged --merge-base --oneline --graph --decorate=? --no-decorate --all --branches=? --tags=? --remotes=? --first-parent"
    " --merges --no-merges --reverse --follow --since= --after= --until= --before= --author= --committer= --grep= --max-count="
    " --skip= --format= --pretty=? --abbrev-commit --abbrev=? --date= --full-index --no-renames --find-renames=? --diff-filter="
    " --ignore-all-space --ignore-space-change --ignore-blank-lines --exit-code --quiet --check --minimal --patience --histogram"
    " --diff-algorithm= --no-ext-diff --no-textconv --text --binary --relative=? --no-index --function-context --no-prefix"
    " --topo-order --date-order --left-right --cherry-pick --boundary --no-walk --parents --children --full-history --count"
    " --invert-grep --all-match --regexp-ignore-case --pickaxe-regex --show-signature --notes --no-notes --dirstat=? --no-pager"
    " --compact-summary --submodule=? --inter-hunk-context= --source --walk-reflogs --objects"
)
# command -> options; what is not an option is a name or a path in the repository
TABLE = {
    "status": "-s -b -v -u:? -z --short --branch --porcelain=? --long --untracked-files=? --ignored=? --show-stash --ahead-behind"
    " --no-ahead-behind --column --no-renames",
    "diff": _LOOKS,
    "log": _LOOKS,
    "show": _LOOKS,
    "shortlog": "-s -n -e -c --summary --numbered --email --since= --until= --no-merges --all",
    "whatchanged": _LOOKS,
    "blame": "-w -L: -s -e -l -t -f -n -M -C -p --porcelain --line-porcelain --date= --since=",
    "annotate": "-w -L:",
    "describe": "--tags --all --always --dirty=? --long --abbrev= --match= --exact-match",
    "rev-parse": "--abbrev-ref=? --short=? --show-toplevel --show-prefix --show-cdup --verify -q --quiet --git-dir --is-inside-work-tree"
    " --git-common-dir --absolute-git-dir --symbolic-full-name --show-superproject-working-tree --branches --tags --all --is-bare-repository",
    "rev-list": _LOOKS,
    "ls-files": "-c -d -m -o -s -u -z -t -v --cached --deleted --modified --others --stage --exclude-standard --error-unmatch --full-name"
    " --ignored --exclude= --directory --eol",
    "ls-tree": "-r -d -t -l -z --name-only --full-tree --full-name --long --abbrev=?",
    "cat-file": "-t -s -e -p --batch-check",
    "name-rev": "--tags --name-only --all",
    "merge-base": "-a --all --is-ancestor --fork-point --octopus --independent",
    "show-ref": "--heads --tags --head -d -s -q --verify --hash=? --dereference",
    "show-branch": "--all --current",
    "for-each-ref": "--format= --sort= --count= --contains= --merged=? --no-merged=? --points-at=",
    "diff-tree": _LOOKS + " --no-commit-id --root",
    "diff-index": _LOOKS,
    "diff-files": _LOOKS,
    "check-ignore": "-v -q -n --verbose --quiet --no-index",
    "check-attr": "-a",
    "count-objects": "-v -H",
    "grep": "-# -n -i -w -l -L -c -h -H -v -E -F -P -G -e: -f:r -A: -B: -C: -o -p -W -q -z -a -I --line-number --ignore-case --word-regexp"
    " --files-with-matches --count --untracked --cached --no-index --and --or --not --all-match --max-depth= --break --heading"
    " --name-only --show-function --function-context --color=? --extended-regexp --fixed-strings --perl-regexp",
    "version": "--build-options",
    "help": "",
    "var": "",
    "add": "-A -u -v -n -N -p -f --all --update --verbose --dry-run --intent-to-add --patch --no-all --renormalize --chmod= --ignore-errors",
    "commit": "-a -m: -F:r -C: -c: -q -v -s -S:? -p -t:r -u:? -o -i -e --all --message= --file=r --amend --no-edit --quiet --verbose --signoff"
    " --no-signoff --allow-empty --allow-empty-message --dry-run --short --porcelain --date= --author= --fixup= --squash= --reuse-message="
    " --cleanup= --no-gpg-sign --no-post-rewrite --only --include --trailer= --reset-author",
    "branch": "-a -r -v -l -d -m -c --all --remotes --list --delete --move --copy --show-current --contains=? --merged=? --no-merged=?"
    " --sort= --format= --points-at= --column=? --no-column --verbose --color=? --no-color -i --ignore-case --no-track -q --quiet",
    "switch": "-c: -q -d -m --create= --quiet --detach --merge --no-track --no-guess --orphan=",
    "checkout": "-b: -q -d -m --quiet --detach --merge --no-track --no-guess --ours --theirs --orphan= -p --patch --conflict=",
    "restore": "-s: -S -W -q -p -m --source= --staged --worktree --quiet --patch --ours --theirs --merge",
    "stash": "-m: -u -a -k -q -p -S --message= --include-untracked --all --keep-index --no-keep-index --quiet --patch --staged --index --stat",
    "reset": "-q -p -N --soft --mixed --quiet --patch --intent-to-add --no-refresh",
    "rm": "-n -q --cached --dry-run --quiet --ignore-unmatch",
    "mv": "-k -n -v --dry-run --verbose",
    "tag": "-l -a -m: -n:? -F:r -d --list --annotate --message= --sort= --format= --contains=? --no-contains=? --points-at= --merged=?"
    " --no-merged=? --delete -s --column=? --cleanup=",
    "cherry-pick": "-n -x -s -e -m: --no-commit --signoff --edit --mainline= --continue --abort --skip --quit --allow-empty",
    "revert": "-n -s -e -m: --no-commit --no-edit --edit --signoff --mainline= --continue --abort --skip --quit",
    "apply": "-p: -R -v -q -3 -N -C: --check --stat --numstat --summary --index --cached --reverse --verbose --quiet --3way --recount"
    " --whitespace= --include= --exclude= --reject --ignore-whitespace --intent-to-add",
    "am": "--abort --continue --skip --quit --show-current-patch=?",
    "merge": "--abort --continue --quit",
    "rebase": "--abort --continue --quit --skip",
    "notes": "",
    "worktree": "",
    "remote": "-v --verbose",
    "config": "--get= --get-all= --get-regexp= --local --global --system --type= --default= --null -z",
    "reflog": "-# -n: --oneline --date= --format=",
    "clean": "-n -d -x -X -q -e: --dry-run --exclude= --quiet",
    "bisect": "",
}
