#!/bin/sh
# Every view of `cupel serve` in a real browser, on a campaign with hostile names and outputs.  Installs
# playwright-core and axe-core into build/browser; needs Debian's chromium, nodejs and npm.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cupel=${CUPEL:-$root/build/cupel}
dir=$root/build/browser
for tool in chromium node npm; do
    command -v $tool >/dev/null || { echo "serve.sh: $tool is missing: apt-get install chromium nodejs npm" >&2; exit 2; }
done
mkdir -p "$dir/serve"
cd "$dir"
for module in playwright-core axe-core; do
    [ -d node_modules/$module ] || npm install --silent --no-save playwright-core axe-core
done
rm -rf shown address
cat >'evil <i>&' <<'S'
#!/bin/sh
for a; do
    case $a in *.c) grep -q 'for (' "$a" && {
        printf '%s:1:1: internal compiler error: in <script>alert(1)</script>\001\033[31m, at f.c:1\n' "$a" >&2
        head -c 2000000 /dev/zero | tr '\0' '<' >&2
        exit 4
    } ;; esac
done
exec gcc -w "$@"
S
chmod +x 'evil <i>&'
"$cupel" hunt shown --programs 30 --seed 1 --mode plain --quiet --cc "'$dir/evil <i>&'" || [ $? = 1 ]
"$cupel" serve shown --listen 127.0.0.1:0 >address & pid=$!
trap 'kill $pid' EXIT
until [ -s address ]; do sleep 0.1; done
node "$root/tests/browser/serve.mjs" "$(cat address)" "$dir/serve" "$(realpath "$cupel")" shown
echo "serve.sh: as it should be; see $dir/serve/*.png"
