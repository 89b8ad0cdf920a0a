# Debian packages. `make_packages` makes them of what is built, has lintian look at them, and tries them
# in a fresh system of the release that this machine has: what they depend on is installed there, a
# program runs on two ranks, and one that uses seam::exchange is compiled. Called by bootstrap.sh.

make_packages() {
  local made=$root/build/$preset/packages
  rm -rf "$made"
  (cd "$root/build/$preset" && run_quietly "$log_dir/cpack.log" cpack -G DEB)
  rm -rf "$made/_CPack_Packages"
  # The project has no address for mail.
  lintian --allow-root --fail-on error --tag-display-limit 0 \
    --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$made"/*.deb ||
    fail "lintian finds the above errors in $(basename -a "$made"/*.deb | xargs)"
  try_packages "$made"
  say "$(du -h "$made"/*.deb | awk '{ print $2, $1 }' | sed "s|$root/||" | xargs)"
}

# A fresh system of release $2 in directory $1, from this machine's own source of packages, which may
# have an older copy of it.
make_system() {
  local system=$1 codename=$2 own entries=$log_dir/seam.sources source
  own=$(release_in_sources)
  source_entries "$own" | sed -e 's/^Types: deb-src/Types: deb/' -e "s/^Suites: $own/Suites: $codename/" \
    -e '/^Check-Valid-Until:/d' -e '/^Suites:/a Check-Valid-Until: no' >"$entries"
  source=$(awk '/^URIs:/ { print $2; exit }' "$entries")
  [ -n "$source" ] || fail "$step: no entry for the main archive of '$own' in $apt_etc"
  run_quietly "$log_dir/debootstrap.log" \
    debootstrap --variant=minbase "$codename" "$system" "$source"
  rm -f "$system/etc/apt/sources.list"
  cp "$entries" "$system/etc/apt/sources.list.d"
}

# Runs a command in the system in directory $1, with processes and mounts of its own.
run_in_system() {
  local system=$1
  shift
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child bash -ec '
    mount -t proc proc "$1/proc"
    mount -t sysfs sysfs "$1/sys"
    mount --rbind /dev "$1/dev"
    mount -t tmpfs tmpfs "$1/dev/shm"
    exec chroot "$@"' in_system "$system" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/root DEBIAN_FRONTEND=noninteractive "$@" </dev/null
}

try_packages() {
  local made=$1 system=$root/build/$preset/system codename
  codename=$(release_in_sources)
  [ "$(id -u)" = 0 ] || fail "package: only root can make a fresh system in which to try packages"
  rm -rf --one-file-system "$system"
  say "a fresh system '$codename', in which to try the packages: ${system#"$root"/}"
  make_system "$system" "$codename"
  mkdir "$system/try"
  cp -r "$made"/*.deb "$setup_dir/package/try.sh" "$root/tests/install/exchange_alone/CMakeLists.txt" \
    "$root/docs/examples/exchange-alone.cpp" "$system/try"
  run_in_system "$system" bash /try/try.sh || fail "the packages do not work in a fresh system"
  rm -rf --one-file-system "$system"
}
