# Kokkos for seam. `provide_kokkos` makes sure that CMake finds a Kokkos with a host-parallel
# backend: one that is installed, else the release's own package, else one built from the distribution's
# Trilinos source, which bundles it, into a cache outside the source tree. Sourced by bootstrap.sh.

kokkos_cache() { echo "${SEAM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/seam}"; }

# Names the compiler as SeamKokkos.cmake does, for example GNU-12.2.0.
compiler_id() {
  "${CXX:-c++}" -E -P -x c++ - <<'SOURCE' | tr -d ' \n'
#ifdef __clang__
Clang-__clang_major__.__clang_minor__.__clang_patchlevel__
#else
GNU-__GNUC__.__GNUC_MINOR__.__GNUC_PATCHLEVEL__
#endif
SOURCE
}

# Shared libraries of seam need shared ones of Kokkos, which lie beside those that are not.
wants_shared() { [ "$preset" = shared ]; }

# The directory in the cache for version $1, or a pattern for any.
kokkos_prefix() {
  local suffix=''
  ! wants_shared || suffix=-shared
  echo "$(kokkos_cache)/kokkos-$1-$(compiler_id)$suffix"
}

cached_kokkos() { compgen -G "$(kokkos_prefix '*')/lib*/cmake/Kokkos" >/dev/null; }

# Asks CMake itself, so that the answer is the one that the build will get.
installed_kokkos() {
  local probe shared=OFF status=0
  probe=$(mktemp -d)
  ! wants_shared || shared=ON
  cmake -S "$setup_dir/kokkos-probe" -B "$probe" -DSEAM_SHARED=$shared >"$probe/log" 2>&1 || status=1
  rm -rf "$probe"
  return $status
}

# Prints the machine's own entries for the distribution's main archive as deb-src entries, in the
# deb822 form. Vendors' archives, updates and security are left out.
source_entries() {
  local codename=$1 file
  for file in "$apt_etc"/sources.list.d/*.sources; do
    [ -f "$file" ] && awk -v codename="$codename" -f "$setup_dir/deb822-sources.awk" "$file"
  done
  for file in "$apt_etc"/sources.list "$apt_etc"/sources.list.d/*.list; do
    [ -f "$file" ] && awk -v codename="$codename" -f "$setup_dir/oneline-sources.awk" "$file"
  done
  return 0
}

# Installs the release's own package of Kokkos, where it has one that suits.
packaged_kokkos() {
  [ "$(id -u)" = 0 ] && command -v apt-cache >/dev/null || return 1
  [ -n "$(apt-cache search --names-only '^libkokkos-dev$')" ] || return 1
  is_installed libkokkos-dev || install_packages libkokkos-dev
  installed_kokkos
}

# The names by which sources may call this machine's release. The one under way has three.
names_of_release() {
  (. /etc/os-release && echo "${VERSION_CODENAME:-}")
  ! grep -qs '/sid$' /etc/debian_version || printf '%s\n' sid unstable
}

# The one of them that the machine's sources have; its codename if they have none.
release_in_sources() {
  local name
  for name in $(names_of_release); do
    [ -z "$(source_entries "$name")" ] || { echo "$name" && return; }
  done
  names_of_release | head -n 1
}

# Runs apt-get on a private copy of the package lists; the system's configuration stays as it is.
private_apt_get() {
  local state=$1
  shift
  apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$state/parts" \
    -o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state/cache" \
    -o APT::Sandbox::User="$(id -un)" "$@"
}

# Downloads the Trilinos source archive into directory $1 and prints its path.
download_trilinos() {
  local work=$1 codename
  codename=$(release_in_sources)
  mkdir -p "$work"/{parts,lists/partial,cache/archives/partial,download}
  source_entries "$codename" >"$work/parts/seam.sources"
  [ -s "$work/parts/seam.sources" ] ||
    fail "Kokkos: no entry for the main archive of '$codename' in $apt_etc, so its source" \
      "cannot be downloaded; install Kokkos >= 3.4 with OpenMP and set Kokkos_ROOT to it"
  private_apt_get "$work" update >&2 &&
    (cd "$work/download" && private_apt_get "$work" source --download-only trilinos >&2) ||
    fail "Kokkos: downloading the source package trilinos of '$codename' failed;" \
      "install Kokkos >= 3.4 with OpenMP and set Kokkos_ROOT to it"
  compgen -G "$work/download/trilinos_*.orig.tar.*" | grep -v '\.asc$'
}

# The version that source tree $1 declares, for example 3.4.1.
version_of_kokkos() {
  awk -F '[ ()]+' 'tolower($1) == "set" && $2 ~ /^Kokkos_VERSION_(MAJOR|MINOR|PATCH)$/ {
    printf "%s%d", separator, $3
    separator = "."
  }' "$1/CMakeLists.txt"
}

# Builds the Kokkos of source tree $1 below directory $2 and moves it into the cache when whole.
build_kokkos() {
  local source=$1 work=$2 shared=OFF version prefix
  ! wants_shared || shared=ON
  version=$(version_of_kokkos "$source")
  prefix=$(kokkos_prefix "$version")
  say "building Kokkos $version (OpenMP + Serial), about half a minute, into $prefix"
  run_quietly "$work/kokkos.log" cmake -S "$source" -B "$work/build" -G Ninja \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=20 -DCMAKE_CXX_EXTENSIONS=OFF \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=$shared \
    -DCMAKE_INSTALL_RPATH="\$ORIGIN" \
    -DKokkos_ENABLE_OPENMP=ON -DKokkos_ENABLE_SERIAL=ON
  run_quietly "$work/kokkos.log" cmake --build "$work/build" -j "$(jobs_that_fit)"
  run_quietly "$work/kokkos.log" cmake --install "$work/build" --prefix "$work/prefix"
  cp "$source/LICENSE" "$work/prefix"
  mv -T "$work/prefix" "$prefix"
}

# Downloads, unpacks and builds in a work directory inside the cache, so that the last step is a
# rename within one file system and an interrupted run leaves no half-made Kokkos.
fetch_and_build_kokkos() {
  local work archive
  rm -rf "$(kokkos_cache)"/work.*
  work=$(mktemp -d "$(kokkos_cache)/work.XXXXXX")
  trap "rm -rf '$work'" EXIT
  say "Kokkos: none found, downloading the distribution's Trilinos source (about 160 MB)"
  archive=$(download_trilinos "$work")
  mkdir "$work/source"
  tar -xf "$archive" -C "$work/source" --strip-components=3 --wildcards '*/packages/kokkos'
  build_kokkos "$work/source" "$work"
  rm -rf "$work"
  trap - EXIT
}

provide_kokkos() {
  cached_kokkos || installed_kokkos || packaged_kokkos && return
  mkdir -p "$(kokkos_cache)"
  (
    flock 9
    cached_kokkos || fetch_and_build_kokkos
  ) 9>"$(kokkos_cache)/lock"
}
