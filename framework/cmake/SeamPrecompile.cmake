# seam_precompile(<target> [HEADERS "<...>" ...])       for the sources of a folder
# seam_precompile_test(<target>)                        for a test
# seam_add_test_headers()
#
# With SEAM_PRECOMPILE the compiler reads what nearly every source of a folder includes, and HEADERS,
# once for all of them. Tests share one such reading, that of the target seam_test_headers, whose
# only source is empty. Programs do without: GCC takes longer to carry precompiled functions along
# than to read the few headers that a source of theirs needs. Off in release builds, where each
# source has to include what it uses.

option(SEAM_PRECOMPILE "Compile common headers once for all sources of a folder" OFF)

set(SEAM_COMMON_HEADERS <algorithm> <array> <atomic> <functional> <map> <memory> <mutex> <numeric>
  <optional> <ranges> <span> <string> <vector> <fmt/format.h> <mpi.h>)

function(seam_precompile target)
  cmake_parse_arguments(arg "" "" "HEADERS" ${ARGN})
  if(SEAM_PRECOMPILE)
    set(headers ${SEAM_COMMON_HEADERS} ${arg_HEADERS})
    list(TRANSFORM headers REPLACE "(.+)>" "$<$<COMPILE_LANGUAGE:CXX>:\\1$<ANGLE-R>>")
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
endfunction()

# As position-independent as executables are.
function(seam_add_test_headers)
  if(SEAM_PRECOMPILE)
    set(source ${PROJECT_BINARY_DIR}/seam_test_headers.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(seam_test_headers OBJECT ${source})
    set_target_properties(seam_test_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_link_libraries(seam_test_headers PRIVATE seam_test_main seam::seam)
    target_compile_options(seam_test_headers PRIVATE -fPIE ${SEAM_TEST_OPTIONS})
    seam_precompile(seam_test_headers HEADERS <Kokkos_Core.hpp> <support/catch.hpp>)
  endif()
endfunction()

function(seam_precompile_test target)
  if(SEAM_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM seam_test_headers)
  endif()
endfunction()
