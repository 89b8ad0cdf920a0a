# How seam is compiled: options, warnings, sanitizers, where programs land. Included by the root
# list, so that it holds for all folders below and for no project that merely uses seam.

include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)

option(SEAM_CHECKED "Check seam's own invariants (SEAM_ASSERT) and the bounds of views" OFF)
option(SEAM_NATIVE "Compile for this machine's processor (-march=native)" OFF)
option(SEAM_FAST_LINKER "Link by lld or gold if there is one" OFF)
set(SEAM_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined or thread")
set(SEAM_TEST_RANKS "" CACHE STRING "Rank counts to test at; empty: all that the tests name")
option(SEAM_LONG_TESTS "All tests, those included that take long or repeat others on more ranks" ON)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
  else() # what it is elsewhere is not for seam to say
    set(CMAKE_BUILD_TYPE Release)
  endif()
endif()

# Only where it is asked for: a build that finds a ccache later would begin anew.
option(SEAM_CCACHE "Compile by ccache, if there is one" OFF)
find_program(SEAM_CCACHE_PROGRAM ccache)
mark_as_advanced(SEAM_CCACHE_PROGRAM)
if(SEAM_CCACHE AND SEAM_CCACHE_PROGRAM AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # It takes precompiled headers only where it is told to be sloppy about them. What it does not
  # know yet it need not preprocess: the compiler's list of dependencies says as much.
  set(launcher ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 ${SEAM_CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# Of a hundred tests, linking is a tenth of the work, and a fraction of that by other linkers.
if(SEAM_FAST_LINKER)
  foreach(linker IN ITEMS lld gold)
    check_linker_flag(CXX -fuse-ld=${linker} SEAM_HAS_LINKER_${linker})
    if(SEAM_HAS_LINKER_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()

# A fused multiply-add rounds once where a product and a sum round twice, and the compiler fuses a
# kernel in one of its inlined copies but not in another. A cell's value would then depend on which
# loop computed it, and so on the number of ranks. Programs that use seam inherit the flags, because
# the kernels are theirs. Those of speed change no bit: without them a compiler takes one cell at a time
# where a kernel has a condition or a root, since computing both arms, or several roots, might set
# exception flags of the processor, or errno, that one arm would not.
set(SEAM_BITS_FLAGS -ffp-contract=off)
set(SEAM_KERNEL_FLAGS ${SEAM_BITS_FLAGS} -fno-trapping-math -fno-math-errno)
set(SEAM_KERNEL_OPTIONS "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:${SEAM_KERNEL_FLAGS}>")

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow)
# Clang does not know "#pragma GCC ivdep", and its own words for it would force it to vectorize. It warns of
# loops with "#pragma omp simd" that it leaves as they are.
add_compile_options("$<$<CXX_COMPILER_ID:Clang>:-Wno-unknown-pragmas;-Wno-pass-failed>")
# Programs and tests hold kernels, and a kernel names its view of a field like the field. The bits of its
# conditions are combined by & and |, which look at both sides, so that loops take several cells at once.
set(SEAM_KERNEL_WARNINGS "$<$<CXX_COMPILER_ID:GNU>:-Wno-shadow;-Wshadow=compatible-local>"
  "$<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical>")
# Results stay as they are: nothing is contracted, and sums keep their order. On a processor that
# lacks something a program says so and ends (exchange/ground/processor.cpp).
check_cxx_compiler_flag(-march=native SEAM_HAS_NATIVE)
if(SEAM_HAS_NATIVE)
  # A cache of objects that several machines share takes "native" for the same everywhere; what it
  # stands for here makes it differ.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null
    OUTPUT_VARIABLE seam_macros)
  string(MD5 seam_processor "${seam_macros}")
  set(SEAM_NATIVE_OPTIONS -march=native -DSEAM_PROCESSOR=${seam_processor})
endif()
if(SEAM_NATIVE)
  add_compile_options(${SEAM_NATIVE_OPTIONS})
endif()
set(SEAM_CHECK_DEFINITIONS "")
if(SEAM_CHECKED)
  set(SEAM_CHECK_DEFINITIONS SEAM_CHECKED=1 KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
endif()
set(SEAM_COLD_OPTIONS "")
if(NOT SEAM_SANITIZE)
  set(SEAM_COLD_OPTIONS $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
endif()
if(SEAM_SANITIZE)
  # A fifth of the compiling is for checks whose faults AddressSanitizer finds as well.
  set(SEAM_SANITIZE_OPTIONS -fsanitize=${SEAM_SANITIZE} -fno-sanitize=null,object-size,vptr
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # GCC's flow analysis takes what a sanitizer inserts for reads of unset variables.
  add_compile_options(${SEAM_SANITIZE_OPTIONS} $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(${SEAM_SANITIZE_OPTIONS})
endif()
