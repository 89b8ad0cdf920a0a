# Finds Kokkos >= 3.4 with a host-parallel backend. What the caller names (Kokkos_ROOT,
# CMAKE_PREFIX_PATH) comes first, then the one that is installed with seam (SEAM_CARRIED_KOKKOS), then
# the one that `./bootstrap.sh setup` built for this compiler, then the system's. With SEAM_SHARED its
# libraries have to be shared. SEAM_LACKS says what is wrong, and is left as it is otherwise. Also part
# of the installed package.

if(DEFINED ENV{SEAM_CACHE})
  set(_seam_cache "$ENV{SEAM_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(_seam_cache "$ENV{XDG_CACHE_HOME}/seam")
else()
  set(_seam_cache "$ENV{HOME}/.cache/seam")
endif()

set(_seam_suffix "")
if(SEAM_SHARED)
  set(_seam_suffix -shared)
endif()
file(GLOB _seam_kokkos
  ${_seam_cache}/kokkos-*-${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION}${_seam_suffix})
list(SORT _seam_kokkos COMPARE NATURAL ORDER DESCENDING)

# Kokkos' package turns the compiler's extensions off, and warns where nobody else said so before.
if(NOT DEFINED CMAKE_CXX_EXTENSIONS)
  set(CMAKE_CXX_EXTENSIONS OFF)
endif()

find_package(Kokkos 3.4 CONFIG QUIET HINTS ${SEAM_CARRIED_KOKKOS} ${_seam_kokkos})
if(NOT Kokkos_FOUND)
  set(SEAM_LACKS "no Kokkos >= 3.4 found")
elseif(NOT Kokkos_DEVICES MATCHES "OPENMP|THREADS")
  set(SEAM_LACKS "the Kokkos in ${Kokkos_DIR} has no host-parallel backend: expected OPENMP or \
THREADS, found '${Kokkos_DEVICES}'")
elseif(SEAM_SHARED)
  # Each shared library that links a static Kokkos would have one of its own, of which one is started.
  get_target_property(_seam_kokkos_type Kokkos::kokkoscore TYPE)
  if(_seam_kokkos_type STREQUAL "STATIC_LIBRARY")
    set(SEAM_LACKS "the Kokkos in ${Kokkos_DIR} is static; expected shared libraries, as those of \
seam are")
  endif()
endif()
if(SEAM_LACKS)
  string(APPEND SEAM_LACKS ". `./bootstrap.sh setup` builds one, and shared ones with --preset \
shared; or set Kokkos_ROOT to an installation of your own")
endif()
