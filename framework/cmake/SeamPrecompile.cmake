# seam_precompile(<part>)                     for the sources of a part
# seam_precompile_test(<target> [ENDPOINTS])  for a test, whose ranks may be endpoints
# seam_add_test_headers(<name> <main>)        of tests that link the target <main>
#
# With SEAM_PRECOMPILE the compiler reads what nearly every source of a part includes once for all
# parts: by the target seam_common_headers, whose only source is empty, and for parts above Kokkos, which
# are compiled with its options, by seam_kokkos_headers. Kokkos itself is read by few sources. Tests have
# such headers, too, and so have tests on endpoints. Programs do without: GCC takes longer to carry
# precompiled functions along than to read the few headers that a source of theirs needs. The preset
# `apart` does without, to show that each source includes what it uses.

option(SEAM_PRECOMPILE "Compile common headers once for all sources of a part" ON)

set(SEAM_COMMON_HEADERS <algorithm> <array> <atomic> <functional> <map> <memory> <mutex> <numeric>
  <optional> <ranges> <span> <string> <vector> <fmt/format.h> <mpi.h>)

function(seam_precompile part)
  if(NOT SEAM_PRECOMPILE)
    return()
  endif()
  set(headers seam_common_headers)
  set(libraries MPI::MPI_CXX fmt::fmt)
  seam_with_those_below(parts ${part})
  set(packages "")
  foreach(each IN LISTS parts)
    list(APPEND packages ${SEAM_PACKAGES_${each}})
  endforeach()
  if(Kokkos IN_LIST packages)
    set(headers seam_kokkos_headers)
    list(APPEND libraries Kokkos::kokkos)
  endif()
  if(NOT TARGET ${headers})
    seam_add_headers_of_parts(${headers} ${libraries})
  endif()
  target_precompile_headers(seam_${part} REUSE_FROM ${headers})
endfunction()

# An empty library that is compiled as parts are, with common headers precompiled.
function(seam_add_headers_of_parts name)
  set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE ${ARGN})
  target_compile_options(${name} PRIVATE "${SEAM_KERNEL_OPTIONS}")
  target_compile_definitions(${name} PRIVATE ${SEAM_CHECK_DEFINITIONS})
  list(TRANSFORM SEAM_COMMON_HEADERS REPLACE "(.+)>" "$<$<COMPILE_LANGUAGE:CXX>:\\1$<ANGLE-R>>"
    OUTPUT_VARIABLE headers)
  target_precompile_headers(${name} PRIVATE ${headers})
endfunction()

# As position-independent as executables are.
function(seam_add_test_headers name main)
  if(SEAM_PRECOMPILE)
    set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_link_libraries(${name} PRIVATE ${main} seam::seam)
    target_compile_options(${name} PRIVATE -fPIE ${SEAM_TEST_OPTIONS})
    target_precompile_headers(${name} PRIVATE ${SEAM_COMMON_HEADERS} <Kokkos_Core.hpp>
      <support/catch.hpp>)
  endif()
endfunction()

function(seam_precompile_test target)
  cmake_parse_arguments(arg "ENDPOINTS" "" "" ${ARGN})
  if(SEAM_PRECOMPILE AND arg_ENDPOINTS)
    target_precompile_headers(${target} REUSE_FROM seam_endpoint_test_headers)
  elseif(SEAM_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM seam_test_headers)
  endif()
endfunction()
