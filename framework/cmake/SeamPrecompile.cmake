# seam_precompile(<target> [HEADERS "<...>" ...])       for the sources of a folder
# seam_precompile_as(<target> programs|tests)           for a program or a test
# seam_add_precompiled(programs|tests [LIBRARIES ...] [OPTIONS ...] [HEADERS "<...>" ...])
#
# With SEAM_PRECOMPILE the compiler reads what nearly every source of a folder includes, and HEADERS,
# once for all of them. Programs share one such reading, and so do tests: those of the targets
# seam_<kind>_headers, whose only source is empty. Off in release builds, where each source has to
# include what it uses.

option(SEAM_PRECOMPILE "Compile common headers once for all sources of a folder" OFF)

set(SEAM_COMMON_HEADERS <algorithm> <array> <functional> <map> <memory> <numeric> <optional>
  <span> <string> <vector> <mpi.h>)

function(seam_precompile target)
  cmake_parse_arguments(arg "" "" "HEADERS" ${ARGN})
  if(SEAM_PRECOMPILE)
    set(headers ${SEAM_COMMON_HEADERS} ${arg_HEADERS})
    list(TRANSFORM headers REPLACE "(.+)>" "$<$<COMPILE_LANGUAGE:CXX>:\\1$<ANGLE-R>>")
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
endfunction()

# As position-independent as executables are.
function(seam_add_precompiled kind)
  cmake_parse_arguments(arg "" "" "LIBRARIES;OPTIONS;HEADERS" ${ARGN})
  if(SEAM_PRECOMPILE)
    set(target seam_${kind}_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${target}.cpp CONTENT "")
    add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cpp)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
    target_compile_options(${target} PRIVATE -fPIE ${arg_OPTIONS})
    seam_precompile(${target} HEADERS ${arg_HEADERS})
  endif()
endfunction()

function(seam_precompile_as target kind)
  if(SEAM_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM seam_${kind}_headers)
  endif()
endfunction()
