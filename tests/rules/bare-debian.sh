#!/bin/sh
# The two commands on a bare Debian: git clone, `make test`, then `make run` in a terminal. Tried by
# hand:
#
#   sh tests/rules/bare-debian.sh
#       makes a root of Debian 12 with debootstrap in a temporary folder, and removes it
#   sh tests/rules/bare-debian.sh FOLDER
#       the same in FOLDER, which is made if need be; what was bootstrapped there is used again
#   sh tests/rules/bare-debian.sh FOLDER trixie
#       of Debian 13; "" for FOLDER is a temporary one
#
# As root, with debootstrap and this machine's own apt sources. Mounts and processes live in
# namespaces that end with this script.
set -u
[ "${IN_NAMESPACE:-}" = yes ] || IN_NAMESPACE=yes exec unshare --mount --pid --fork --kill-child --propagation private sh "$0" "$@"

checkout=$(cd "$(dirname "$0")/../.." && pwd)
release=${2:-bookworm}
case $release in bookworm | trixie) ;; *) sed -n 's/^#   //p' "$0" >&2 && exit 2 ;; esac
folder=${1:-$(mktemp -d)}
mkdir -p "$folder" || exit 2
clean=$folder/clean-$release # as debootstrap left it
root=$folder/root-$release   # where it is tried
failed=0

say() { echo "── $*"; }
check() { # name, command…
    name=$1
    shift
    if "$@"; then echo "ok     $name"; else echo "FAILED $name" && failed=$((failed + 1)); fi
}
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm-256color "$@"; }
in_checkout() { inside sh -c "cd /srv/zerotutor && $1"; }
mirror() { # from which this machine has its own packages
    # shellcheck disable=SC2016 # apt expands these
    apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 'Component: main' |
        awk -v own="$(. /etc/os-release && echo "$VERSION_CODENAME")" '$2 == own { print $1; exit }'
}
installed() { inside dpkg-query -f '.' -W | wc -c; }

finish() {
    umount "$root/dev/pts" "$root/proc" 2>/dev/null
    rm -rf --one-file-system "$root"
    [ -n "${1:-}" ] || rm -rf --one-file-system "$folder"
}
trap 'finish "$@"' EXIT
trap 'exit 1' HUP INT TERM

if [ ! -e "$clean/etc/debian_version" ]; then
    say "bootstrapping $release with git and make"
    debootstrap --variant=minbase --include=git,make,ca-certificates "$release" "$clean" "$(mirror)" >"$folder/debootstrap-$release.log" 2>&1 || {
        tail -n 20 "$folder/debootstrap-$release.log"
        exit 1
    }
fi
rm -rf --one-file-system "$root"
cp -a "$clean" "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"
apt-config dump | grep '^Acquire::.*::Proxy ' >"$root/etc/apt/apt.conf.d/90proxy"
mount -t proc proc "$root/proc"
mount -t devpts -o gid=5,mode=620,ptmxmode=666 devpts "$root/dev/pts"
git clone -q --no-hardlinks "$checkout" "$root/srv/zerotutor" || exit 1
inside useradd -m learner
inside chown -R learner /srv/zerotutor

say "nothing is there, and nobody may install"
before=$(installed)
as_learner() { inside su learner -c "cd /srv/zerotutor && make $1" >"$folder/out-$release" 2>&1 </dev/null; }
as_learner run
check "make run exits 2" test $? -eq 2
check "and prints the command to type" grep -q "  apt-get install .*gcc" "$folder/out-$release"
as_learner all
check "make exits 2" test $? -eq 2
check "and installed nothing" test "$(installed)" = "$before"
inside chown -R root /srv/zerotutor

say "make test"
in_checkout "make test" >"$folder/test-$release.log" 2>&1 </dev/null
check "make test passes" test $? -eq 0
grep '^FAILED' -A 30 "$folder/test-$release.log" | head -n 200
tail -n 1 "$folder/test-$release.log"

say "make run, in a terminal"
installs() { stat -c %Y "$root/var/log/apt/history.log" "$root/var/lib/apt/lists" | tr '\n' ' '; }
before=$(installs)
mkfifo "$folder/keys-$release"
in_checkout "script -qefc 'stty rows 24 cols 80; make run' /dev/null" <"$folder/keys-$release" >"$folder/screen-$release" 2>&1 &
exec 3>"$folder/keys-$release"
tries=0
until grep -q "Memory runs out before arithmetic does" "$folder/screen-$release" || [ $tries -ge 300 ]; do sleep 0.1 && tries=$((tries + 1)); done
check "the home screen opens" grep -q "Memory runs out before arithmetic does" "$folder/screen-$release"
printf q >&3
exec 3>&-
wait $!
check "q ends it well" test $? -eq 0
rm -f "$folder/keys-$release"
check "the package manager was not touched again" test "$(installs)" = "$before"

say "$failed failed"
[ "$failed" -eq 0 ]
