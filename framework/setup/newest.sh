# The newest Debian: `try_newest` makes a fresh system of the release that Debian works on, copies the
# sources into it, and has bootstrap.sh build and test them there. Called by bootstrap.sh.

try_newest() {
  local system=$root/build/newest/system
  [ "$(id -u)" = 0 ] || fail "newest: only root can make a fresh system"
  rm -rf --one-file-system "$system"
  mkdir -p "$(dirname "$system")"
  say "a fresh system 'sid': ${system#"$root"/}"
  make_system "$system" sid
  mkdir "$system/seam"
  tar -C "$root" --exclude=./build --exclude=./.git -c . | tar -C "$system/seam" -x
  run_in_system "$system" SEAM_JOBS="$(jobs_that_fit)" \
    bash /seam/framework/setup/newest/try.sh "${ctest_args[@]}" || fail "newest: see above"
}
