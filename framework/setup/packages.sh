# Distribution packages for seam. `provide_packages` installs what packages.txt names and the
# machine lacks, or says what is missing where it may not. Sourced by bootstrap.sh.

# The MPI library that the preset names, in the words of packages.txt.
mpi_of_preset() { [ "$preset" = mpich ] && echo mpich || echo openmpi; }

# The packages that step $1 needs with the preset, and with its MPI library.
needed_packages() {
  awk -v step="$1" -v preset="$preset" -v mpi="$(mpi_of_preset)" '!/^#/ && NF {
    steps = mpis = ""
    for (i = 2; i <= NF; ++i)
      if ($i == "openmpi" || $i == "mpich") mpis = mpis " " $i " "
      else steps = steps " " $i " "
    serves_step = steps == "" || steps ~ " (" step "|preset:" preset ") "
    if (serves_step && (mpis == "" || mpis ~ " " mpi " ")) print $1
  }' "$setup_dir/packages.txt"
}

is_installed() { dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | grep -q '^ii'; }

missing_packages() {
  local package
  for package in $(needed_packages "$1"); do
    is_installed "$package" || echo "$package"
  done
}

# Errors of apt-get, of which the first says why, become one line.
install_packages() {
  local log=$log_dir/packages.log
  export DEBIAN_FRONTEND=noninteractive
  say "installing $# packages, about a minute: $*"
  apt-get -qq update </dev/null >"$log" 2>&1 || say "apt-get update failed; trying the package lists as they are"
  apt-get -qq install -y --no-install-recommends "$@" </dev/null >>"$log" 2>&1 ||
    fail "apt-get cannot install them: $(grep -m 1 '^E: ' "$log" || tail -n 1 "$log")"
  has_new_packages=yes
}

provide_packages() {
  local missing
  command -v dpkg-query >/dev/null ||
    fail "this set-up knows Debian's packages, and there is no dpkg-query here. Install the like" \
      "of: $(needed_packages "$step" | xargs)." \
      "Then: cmake --preset $preset && cmake --build --preset $preset"
  missing=$(missing_packages "$step" | xargs)
  [ -n "$missing" ] || return 0
  [ "$(id -u)" = 0 ] ||
    fail "missing packages, and only root can install them: $missing." \
      "Ask for: apt-get install $missing"
  command -v apt-get >/dev/null || fail "missing packages, and there is no apt-get here: $missing"
  install_packages $missing
}
