#!/bin/bash
# Hostile programs and compilers, every kind that the tests know, under each way in which the runner
# can run: as root, as an ordinary user (namespaces of a user's own), and as root without the right to
# make namespaces.  Then every C compiler of this machine, held to its scratch folder, must still do
# its work.
#   CUPEL=build/cupel UNIT=build/unit/sys tests/long/hostile.sh
# Exit status: 0 all holds.
set -u
cupel=$(realpath "${CUPEL:-build/cupel}")
unit=$(realpath "${UNIT:-build/unit/sys}")
here=$(realpath "$(dirname "$0")/../..")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# Where the sources may be closed to other users.
mkdir "$dir/tests" "$dir/home"
cp -r "$here/tests/cli" "$dir/tests/"
cp "$cupel" "$dir/cupel"
cp "$unit" "$dir/sys"
chmod -R a+rX "$dir"
chmod 1777 "$dir" "$dir/home"

# kinds NAME WORDS...: the suites, started with WORDS before them.
kinds() {
    local name=$1
    shift
    echo "== $name: programs and compilers"
    "$@" env HOME="$dir/home" TMPDIR=/tmp CUPEL="$dir/cupel" bats "$dir"/tests/cli/{guests,faults,terminal}.bats || failed=1
}

if [ "$(id -u)" = 0 ]; then
    kinds "root"
    kinds "an ordinary user" setpriv --reuid=12345 --regid=12345 --clear-groups
    # there programs cannot start processes, which a leak checker does
    echo "== root without namespaces: compilers, and files"
    CUPEL="$dir/cupel" setpriv --bounding-set=-all --inh-caps=-all \
        bats "$dir/tests/cli/guests.bats" -f 'a compiler (that|writes)|changes no modes' || failed=1
else
    kinds "$(id -un)"
fi
echo "== the runner's own tests"
"$dir/sys" >"$dir/sys.log" 2>&1 || { cat "$dir/sys.log"; failed=1; }

echo "== every compiler of this machine"
printf '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n' >"$dir/t.c"
"$cupel" test "$dir/t.c" --all --quiet | tail -1 | grep 'all agree' || failed=1
for flags in '-flto' '-save-temps=obj' '--coverage' '-fsanitize=address' '-fsanitize=undefined' '-g -gsplit-dwarf' '-MD'; do
    args=()
    while read -r name; do args+=(--cc "$name $flags"); done < <("$cupel" compilers --quiet --json |
        jq -r '.compilers[] | select(.emulator == "" and .runnable and (.family == "gcc" or .family == "clang")) | .name')
    "$cupel" test "$dir/t.c" --quiet --json "${args[@]}" >"$dir/flags.json"
    jq -r --arg flags "$flags" '"\($flags): " + (.outcomes | group_by(.outcome) | map("\(length) \(.[0].outcome)") | join(", "))' "$dir/flags.json"
    if jq -e '.outcomes | any(.outcome == "FORBIDDEN" or .outcome == "BAD_OUTPUT")' "$dir/flags.json" >/dev/null; then failed=1; fi
done
[ $failed = 0 ] && echo "all holds"
exit $failed
