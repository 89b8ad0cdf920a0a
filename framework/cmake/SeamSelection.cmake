# What is built: SEAM_BUILT lists the parts, the lowest first; then programs, tests, shared libraries.

set(SEAM_PARTS "" CACHE STRING
  "Parts to build, and with them those below; empty: all of ${SEAM_ALL_PARTS}")
foreach(part IN LISTS SEAM_PARTS)
  if(NOT part IN_LIST SEAM_ALL_PARTS)
    string(JOIN ", " names ${SEAM_ALL_PARTS})
    message(FATAL_ERROR "seam: SEAM_PARTS names '${part}' (expected some of: ${names})")
  endif()
endforeach()
set(SEAM_BUILT ${SEAM_ALL_PARTS})
if(SEAM_PARTS)
  seam_with_those_below(SEAM_BUILT ${SEAM_PARTS})
endif()

# Programs and tests use all parts. A project that has seam among its folders builds programs if it
# asks; tests and benchmarks are built for those who ask.
set(seam_as_a_whole FALSE)
if(PROJECT_IS_TOP_LEVEL AND SEAM_BUILT STREQUAL SEAM_ALL_PARTS)
  set(seam_as_a_whole TRUE)
endif()
option(SEAM_TESTS "Build the tests" OFF)
option(SEAM_APPS "Build the programs" ${seam_as_a_whole})
option(SEAM_BENCHMARKS "Of the programs build seam-bench-* and seam-guidelines, too" OFF)
if((SEAM_TESTS OR SEAM_APPS) AND NOT SEAM_BUILT STREQUAL SEAM_ALL_PARTS)
  message(FATAL_ERROR "seam: SEAM_PARTS is '${SEAM_PARTS}', but programs and tests need all parts \
(expected SEAM_APPS=OFF and SEAM_TESTS=OFF)")
endif()
option(SEAM_INSTALL "Install seam with the project that it is part of" ${PROJECT_IS_TOP_LEVEL})
if(PROJECT_IS_TOP_LEVEL)
  option(BUILD_SHARED_LIBS "Build shared libraries" OFF)
endif()
set(SEAM_SHARED ${BUILD_SHARED_LIBS})
