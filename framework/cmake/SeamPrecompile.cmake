# seam_precompile(<target> [HEADERS "<...>" ...])       for the sources of a folder
# seam_precompile_test(<target> [ENDPOINTS])            for a test, whose ranks may be endpoints
# seam_add_test_headers(<name> <main>)                  of tests that link the target <main>
#
# With SEAM_PRECOMPILE the compiler reads what nearly every source of a folder includes, and HEADERS,
# once for all of them. Tests share one such reading, that of the target seam_test_headers, whose
# only source is empty, and tests on endpoints another one. Programs do without: GCC takes longer to
# carry precompiled functions along than to read the few headers that a source of theirs needs. Off in
# release builds, where each source has to include what it uses.

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
function(seam_add_test_headers name main)
  if(SEAM_PRECOMPILE)
    set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(${name} OBJECT ${source})
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_link_libraries(${name} PRIVATE ${main} seam::seam)
    target_compile_options(${name} PRIVATE -fPIE ${SEAM_TEST_OPTIONS})
    seam_precompile(${name} HEADERS <Kokkos_Core.hpp> <support/catch.hpp>)
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
