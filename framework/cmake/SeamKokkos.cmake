# Finds Kokkos >= 3.4 with a host-parallel backend. What the caller names (Kokkos_ROOT,
# CMAKE_PREFIX_PATH) comes first, then the one that `./bootstrap.sh setup` built for this compiler,
# then the system's. Also part of the installed package, which first looks where seam's build found
# it.

if(DEFINED ENV{SEAM_CACHE})
  set(_seam_cache "$ENV{SEAM_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(_seam_cache "$ENV{XDG_CACHE_HOME}/seam")
else()
  set(_seam_cache "$ENV{HOME}/.cache/seam")
endif()

file(GLOB _seam_kokkos
  ${_seam_cache}/kokkos-*-${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION})
list(SORT _seam_kokkos COMPARE NATURAL ORDER DESCENDING)

# Kokkos' package turns the compiler's extensions off, and warns where nobody else said so before.
if(NOT DEFINED CMAKE_CXX_EXTENSIONS)
  set(CMAKE_CXX_EXTENSIONS OFF)
endif()

find_package(Kokkos 3.4 CONFIG QUIET HINTS ${SEAM_KOKKOS_DIR} ${_seam_kokkos})
if(NOT Kokkos_FOUND)
  set(_seam_kokkos_problem "no Kokkos >= 3.4 found")
elseif(NOT Kokkos_DEVICES MATCHES "OPENMP|THREADS")
  set(_seam_kokkos_problem "the Kokkos in ${Kokkos_DIR} has no host-parallel backend: expected \
OPENMP or THREADS, found '${Kokkos_DEVICES}'")
endif()
if(_seam_kokkos_problem)
  message(FATAL_ERROR "seam: ${_seam_kokkos_problem}. `./bootstrap.sh setup` builds one; or set \
Kokkos_ROOT to an installation of your own.")
endif()
