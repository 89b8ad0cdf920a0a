# seam_precompile(<target> [HEADERS "<...>" ...])
# seam_precompile_tests(<target>)
# seam_add_test_headers(<source>)
#
# Has the compiler read what nearly every source of the target includes, and HEADERS, once for all
# of them; tests share one such reading, that of the target seam_test_headers with an empty source.
# SEAM_PRECOMPILE says for what: "tests", "all", or nothing, which is the default. The dev build
# precompiles for tests alone, so that each source of the library has to include what it uses.

set(SEAM_PRECOMPILE "" CACHE STRING "Where to precompile common headers: tests, all, or nowhere")

set(SEAM_COMMON_HEADERS <algorithm> <array> <functional> <map> <memory> <numeric> <optional>
  <span> <string> <vector> <mpi.h>)

function(seam_precompile_headers target)
  set(headers ${SEAM_COMMON_HEADERS} ${ARGN})
  list(TRANSFORM headers REPLACE "(.+)>" "$<$<COMPILE_LANGUAGE:CXX>:\\1$<ANGLE-R>>")
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

function(seam_precompile target)
  cmake_parse_arguments(arg "" "" "HEADERS" ${ARGN})
  if(SEAM_PRECOMPILE STREQUAL "all")
    seam_precompile_headers(${target} ${arg_HEADERS})
  endif()
endfunction()

# As position-independent as executables are.
function(seam_add_test_headers source)
  if(SEAM_PRECOMPILE)
    add_library(seam_test_headers OBJECT ${source})
    set_target_properties(seam_test_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_link_libraries(seam_test_headers PRIVATE seam_test_main seam::seam)
    target_compile_options(seam_test_headers PRIVATE -fPIE ${SEAM_TEST_OPTIONS})
    seam_precompile_headers(seam_test_headers <Kokkos_Core.hpp> <support/catch.hpp>)
  endif()
endfunction()

function(seam_precompile_tests target)
  if(SEAM_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM seam_test_headers)
  endif()
endfunction()
