# The newest Debian: `try_newest` makes a fresh system of the release that Debian works on, copies the
# sources into it, and has bootstrap.sh build and test them there. A system of the same day is used again,
# with what has been built in it. Called by bootstrap.sh.

# Makes the system in directory $1, unless it has been made today.
provide_newest() {
  local system=$1 made
  made=$system/made-on-$(date +%F)
  [ ! -e "$made" ] || return 0
  rm -rf --one-file-system "$system"
  mkdir -p "$(dirname "$system")"
  say "a fresh system 'sid': ${system#"$root"/}"
  make_system "$system" sid
  mkdir "$system/seam-sources"
  touch "$made"
}

try_newest() {
  local system=$root/build/newest/system
  [ "$(id -u)" = 0 ] || fail "newest: only root can make a fresh system"
  provide_newest "$system"
  find "$system/seam-sources" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  tar -C "$root" --exclude=./build --exclude=./.git -c . | tar -C "$system/seam-sources" -x
  run_in_system "$system" SEAM_JOBS="$(jobs_that_fit)" \
    bash /seam-sources/framework/setup/newest/try.sh "${ctest_args[@]}" || fail "newest: see above"
}
