#!/bin/bash
# deb.sh FILE.deb: installs the package in a fresh Debian of its own and uses it there.
# Needs root, debootstrap and a mirror (the one that this machine's apt uses).
set -eu
deb=$(realpath "$1")
[ "$(id -u)" = 0 ] || { echo "deb.sh: run it as root" >&2; exit 2; }
command -v debootstrap >/dev/null || apt-get -q -y install debootstrap >/dev/null
root=$(mktemp -d)
trap 'umount "$root/proc" "$root/dev" 2>/dev/null || :; rm -rf --one-file-system "$root"' EXIT
# shellcheck disable=SC2016 # apt's own
mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -v security | head -1)
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || { tail -5 "$root.log"; exit 2; }
rm -f "$root.log"
# how this machine's apt reaches its mirror holds there too
cp -a /etc/apt/. "$root/etc/apt/"
mount --bind /dev "$root/dev"
mount -t proc proc "$root/proc"
cp "$deb" "$root/cupel.deb"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get -q update >/dev/null
inside apt-get -q -y --no-install-recommends install /cupel.deb libc6-dev >/dev/null
inside cupel --version
inside sh -c 'cd /root && cupel gen --seed 7 -o t.c --expect t.out && cupel check t.c >out && cmp out t.out'
inside sh -c 'cd /root && cupel test t.c --quiet --expect t.out --cc "gcc -O2"' | tail -1
inside sh -c 'cd /root && cupel hunt h --quiet --jobs 1 --programs 5 --mode small --cc "gcc -O1" && cupel status h | head -2'
inside dpkg -r cupel >/dev/null
[ ! -e "$root/usr/bin/cupel" ]
echo "deb.sh: installed, used and removed"
