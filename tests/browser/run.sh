#!/bin/sh
# The page of a small campaign in a real browser.  Installs playwright-core into build/browser; needs
# Debian's chromium, nodejs and npm.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cupel=${CUPEL:-$root/build/cupel}
dir=$root/build/browser
for tool in chromium node npm; do
    command -v $tool >/dev/null || { echo "check-browser: $tool is missing: apt-get install chromium nodejs npm" >&2; exit 2; }
done
mkdir -p "$dir"
cd "$dir"
[ -d node_modules/playwright-core ] || npm install --silent --no-save playwright-core
rm -rf campaign
cat >'compiler <i>&' <<'S'
#!/bin/sh
for a; do
    case $a in *.c) grep -q 'for (' "$a" && {
        echo "$a:1:1: internal compiler error: in <script>alert(1)</script>, at f.c:1" >&2; exit 4; } ;; esac
done
exec gcc -w "$@"
S
chmod +x 'compiler <i>&'
# a compiler of hostile names and words, then one that is really wrong, to be reduced and triaged
"$cupel" hunt campaign --programs 12 --seed 1 --mode plain --quiet --cc "'$dir/compiler <i>&'" || [ $? = 1 ]
printf '#!/bin/sh\nexec "%s/tests/bank/faulty" gcc-neg "$@"\n' "$root" >faulty-cc
chmod +x faulty-cc
wrong="$dir/faulty-cc -O0"
! command -v chibicc >/dev/null || wrong=chibicc # the quickest to be reduced
# however busy the machine is: until there is a second finding, and that is small
"$cupel" hunt campaign --time "${TIME:-600}" --stop-after 1 --mode small --quiet --cc "$wrong" || [ $? = 1 ]
"$cupel" reduce campaign 2 --quiet
"$cupel" triage campaign 1 >/dev/null || [ $? = 1 ]
"$cupel" triage campaign 2 >/dev/null || [ $? = 1 ]
"$cupel" report campaign --html page.html || [ $? = 1 ]
node "$root/tests/browser/report.mjs" page.html "$dir"
echo "check-browser: as it should be; see desk.png, dark.png, phone.png, paper.png and paper.pdf in $dir"
