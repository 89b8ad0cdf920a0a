# seam_test(<folder>/<name> RANKS 1 2 3 ... [THREADS n] [TIMEOUT seconds] [LIBRARIES ...]
#           [LABELS ...] [SHARED_MEMORY] [CALCULATES] [APART] [ALONE] [LONG])
#
# Builds tests/<folder>/<name>_test.cpp with the MPI main of tests/support, and runs it at each rank
# count. Shared memory is on in these; with 4 ranks, or as many as it has at most, a test is also run
# without, unless it is for one rank or SHARED_MEMORY is its own matter. Tests of one folder are one
# program and, at one rank count, one run, which is the ctest <folder>.np<r> or <folder>.messages.np<r>
# (SeamTestsTogether.cmake); to it `--of <folder>/<name>` says which tests it consists of. A test that is
# APART, or has THREADS, TIMEOUT, LABELS or SHARED_MEMORY, has runs of its own, <folder>.<name>.np<r>.
# One that is ALONE is a program of its own, too, test-<folder>-<name>: it replaces functions, or is
# compiled in another way. So is a test that CALCULATES for long: it is optimized in sanitizers'
# builds, too, where others are not. Tests of exchange link the parts in that folder and what LIBRARIES name,
# so that they need no other folder.
#
# seam_test_on_endpoints(<folder>/<name> ENDPOINTS "2" "2,3,1" ... [EXCEPT <case> ...]
#                        [LIBRARIES ...] [ALONE])
#
# Builds the same source with the main of tests/support/endpoint_test_main.cpp, whose ranks are
# endpoints, and runs it with as many processes as a list has numbers, which are those of the
# endpoints of each, as a part of the ctest <folder>.endpoints_2_3_1, or, ALONE, as
# <folder>.<name>.endpoints_2_3_1. EXCEPT names cases that are about processes, by the beginnings of
# their names.
#
# seam_test_variant(<folder>/<name> <variant> RANKS 1 2 3 ... ENVIRONMENT NAME=value ...
#                   [THREADS n] [TIMEOUT seconds] [LONG])
#
# Runs a test once more in another environment, as the ctest <folder>.<name>.<variant>.np<r>.
#
# seam_test_program(<folder>/<name> <program> <args>)
#
# Sets two variables: the program that a test is in, and the arguments that have it run this test.
#
# seam_tests_wait(<regex>)
#
# Tests of this folder whose names match wait for most of their time: they take one core in all. Of
# other tests each rank has a core to itself, as far as there are cores, because beside a program that
# computes, ranks that send messages to and fro get a core once in some milliseconds.
#
# For tests of other shapes there are
#   seam_mpi_command(<out> RANKS r [TIMEOUT seconds])    mpiexec and its options, as a list
#   seam_test_settings(<test> RANKS r ...)               environment, processors, timeout, labels
#   SEAM_MPI_ENVIRONMENT                                 the environment alone, NAME=value ...
#   seam_launcher                                        openmpi, hydra (MPICH's) or other
# SEAM_TEST_RANKS, if not empty, leaves out all other rank counts; a test that has none of these runs
# at its first one. Without SEAM_LONG_TESTS a test of three rank counts or more is left out at 2, 5, 6,
# 7, 9, 10, 11 and 12, and at 4 if it runs at 8; so is what is LONG, a test or a variant, and what repeats
# a test on endpoints.

set(SEAM_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})
include(SeamTestsTogether)
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version
  OUTPUT_VARIABLE seam_mpiexec_version ERROR_QUIET)
set(seam_launcher other)
if(seam_mpiexec_version MATCHES "Open MPI|OpenRTE")
  set(seam_launcher openmpi)
elseif(seam_mpiexec_version MATCHES "HYDRA")
  set(seam_launcher hydra)
endif()

# Tests may run as root in a container and have more ranks than there are cores, so ranks are not
# bound to cores and give way while they wait. Hwloc is not to look for other devices, nor to load the
# libraries that would.
set(SEAM_MPI_ENVIRONMENT OMP_PROC_BIND=false OMP_WAIT_POLICY=passive
  KOKKOS_DISABLE_WARNINGS=1 HWLOC_COMPONENTS=-gl,-pci,-opencl,-linuxio
  HWLOC_PLUGINS_PATH=${PROJECT_BINARY_DIR}/no-plugins)
set(SEAM_MPI_FLAGS "")
if(seam_launcher STREQUAL openmpi)
  set(SEAM_MPI_FLAGS --oversubscribe --bind-to none)
  set(SEAM_MPI_TIMEOUT_FLAG --timeout)
  list(APPEND SEAM_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
elseif(seam_launcher STREQUAL hydra)
  set(SEAM_MPI_FLAGS -bind-to none)
  set(SEAM_MPI_TIMEOUT_VARIABLE MPIEXEC_TIMEOUT)
endif()

# MPI libraries are not to look for networks, which takes as long as a short test does; but for tests
# with SEAM_MPI_NETWORK_ENVIRONMENT, whose messages go by the network. With Open MPI, PMIx is not to
# share files among ranks, and Open MPI not to watch what is unmapped. Together that takes more than a
# third of a start's time. Tests that start MPI themselves do without Open MPI's fast boxes, too, as
# exchange/mpi/library.hpp says.
if(SEAM_MPI_FOUND_AS STREQUAL openmpi)
  list(APPEND SEAM_MPI_ENVIRONMENT OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_pml=ob1
    OMPI_MCA_btl=self,vader OMPI_MCA_osc=^ucx OMPI_MCA_memory=^patcher PMIX_MCA_gds=hash
    OMPI_MCA_btl_sm_fbox_max=0)
  set(SEAM_MPI_NETWORK_ENVIRONMENT OMPI_MCA_btl=self,tcp)
elseif(SEAM_MPI_FOUND_AS STREQUAL mpich)
  list(APPEND SEAM_MPI_ENVIRONMENT UCX_TLS=self,sm UCX_LOG_LEVEL=error)
endif()
if(SEAM_TESTS AND seam_launcher STREQUAL hydra AND NOT SEAM_SANITIZE) # which want to be loaded first
  add_library(seam_yield_in_calls SHARED ${PROJECT_SOURCE_DIR}/tests/support/yield_in_calls.c)
  set_target_properties(seam_yield_in_calls PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/bin)
  list(APPEND SEAM_MPI_FLAGS
    -genv LD_PRELOAD ${PROJECT_BINARY_DIR}/tests/bin/libseam_yield_in_calls.so)
endif()

# Most of a test's time is spent compiling it. Its limit only ends a hang: machines may be busy, and
# sanitizers make some tests ten times as long.
set(seam_test_optimization -Og)
set(seam_test_timeout 240)
if(SEAM_SANITIZE)
  set(seam_test_optimization -O0)
  set(seam_test_timeout 600)
  set(seam_support ${PROJECT_SOURCE_DIR}/tests/support)
  list(APPEND SEAM_MPI_ENVIRONMENT
    LSAN_OPTIONS=leak_check_at_exit=0:intercept_tls_get_addr=0:suppressions=${seam_support}/lsan.supp:print_suppressions=0
    TSAN_OPTIONS=suppressions=${seam_support}/tsan.supp:ignore_noninstrumented_modules=1
    UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1)
endif()
# ThreadSanitizer cannot see how libgomp orders threads. LLVM's OpenMP has libgomp's functions, too, and a
# tool that tells it.
if(SEAM_SANITIZE STREQUAL thread)
  file(GLOB seam_llvm_folders /usr/lib/llvm-*/lib)
  find_library(SEAM_LLVM_OPENMP omp PATHS ${seam_llvm_folders})
  find_library(SEAM_ARCHER archer PATHS ${seam_llvm_folders})
  if(SEAM_LLVM_OPENMP AND SEAM_ARCHER)
    set(seam_openmp ${PROJECT_BINARY_DIR}/tests/openmp)
    file(MAKE_DIRECTORY ${seam_openmp})
    file(CREATE_LINK ${SEAM_LLVM_OPENMP} ${seam_openmp}/libgomp.so.1 SYMBOLIC)
    string(JOIN ":" seam_library_path ${seam_openmp} $ENV{LD_LIBRARY_PATH})
    list(APPEND SEAM_MPI_ENVIRONMENT
      LD_LIBRARY_PATH=${seam_library_path} OMP_TOOL_LIBRARIES=${SEAM_ARCHER})
  else()
    message(WARNING "without LLVM's OpenMP and archer, ThreadSanitizer reports races of OpenMP's "
      "threads that there are not")
  endif()
endif()
set(SEAM_TEST_OPTIONS ${SEAM_KERNEL_WARNINGS}
  $<$<CONFIG:RelWithDebInfo>:${seam_test_optimization}>)

# Ranks of the executable `target` load what makes MPICH yield.
function(seam_launched target)
  if(TARGET seam_yield_in_calls)
    add_dependencies(${target} seam_yield_in_calls)
  endif()
endfunction()

function(seam_rank_is_tested ranks out)
  set(${out} TRUE PARENT_SCOPE)
  if(SEAM_TEST_RANKS AND NOT ranks IN_LIST SEAM_TEST_RANKS)
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# The launcher stops the ranks itself shortly before ctest would, so that none is left behind.
function(seam_mpi_command out)
  cmake_parse_arguments(arg "" "RANKS;TIMEOUT" "" ${ARGN})
  set(command ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${arg_RANKS} ${SEAM_MPI_FLAGS})
  if(arg_TIMEOUT AND SEAM_MPI_TIMEOUT_FLAG)
    math(EXPR seconds "${arg_TIMEOUT} - 2")
    list(APPEND command ${SEAM_MPI_TIMEOUT_FLAG} ${seconds})
  endif()
  set(${out} ${command} PARENT_SCOPE)
endfunction()

function(seam_test_settings test)
  cmake_parse_arguments(arg "" "RANKS;THREADS;TIMEOUT" "LABELS" ${ARGN})
  if(NOT arg_THREADS)
    set(arg_THREADS 1)
  endif()
  set_tests_properties(${test} PROPERTIES
    PROCESSORS ${arg_RANKS}
    TIMEOUT ${arg_TIMEOUT}
    LABELS "${arg_LABELS}"
    ENVIRONMENT "OMP_NUM_THREADS=${arg_THREADS};${SEAM_MPI_ENVIRONMENT}")
  if(SEAM_MPI_TIMEOUT_VARIABLE)
    math(EXPR seconds "${arg_TIMEOUT} - 2")
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT ${SEAM_MPI_TIMEOUT_VARIABLE}=${seconds})
  endif()
endfunction()

function(seam_tests_wait regex)
  get_property(tests DIRECTORY PROPERTY TESTS)
  list(FILTER tests INCLUDE REGEX ${regex})
  set_property(TEST ${tests} PROPERTY PROCESSORS 1)
endfunction()

# The executable of tests, with the main that is theirs.
function(seam_add_test_program program)
  cmake_parse_arguments(arg "CALCULATES" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${program} ${arg_SOURCES})
  set(library seam::seam)
  if(program MATCHES "^test-exchange") # which lies below all others
    set(library seam::partitioned seam::steps)
  endif()
  set(main seam_test_main)
  set(kind "")
  if(program MATCHES "-endpoints$")
    set(main seam_endpoint_test_main)
    set(kind ENDPOINTS)
  endif()
  target_link_libraries(${program} PRIVATE ${main} ${library} ${arg_LIBRARIES})
  seam_launched(${program})
  target_compile_options(${program} PRIVATE ${SEAM_TEST_OPTIONS})
  if(arg_CALCULATES AND SEAM_SANITIZE)
    target_compile_options(${program} PRIVATE -O1)
  else()
    seam_precompile_test(${program} ${kind})
  endif()
  set_target_properties(${program} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/bin)
endfunction()

function(seam_test_program path program args)
  string(REPLACE "/" "-" alone test-${path})
  set(${program} ${alone} PARENT_SCOPE)
  set(${args} "" PARENT_SCOPE)
  if(NOT TARGET ${alone})
    get_property(together GLOBAL PROPERTY seam_program_of.${path})
    set(${program} ${together} PARENT_SCOPE)
    set(${args} --of ${path} PARENT_SCOPE)
  endif()
endfunction()

function(seam_test path)
  cmake_parse_arguments(arg "SHARED_MEMORY;CALCULATES;ALONE;APART;LONG" "THREADS;TIMEOUT"
    "RANKS;LIBRARIES;LABELS" ${ARGN})
  if(arg_LONG AND NOT SEAM_LONG_TESTS)
    return()
  endif()
  string(REPLACE "/" "." test ${path})
  if(arg_ALONE OR arg_CALCULATES)
    set(calculates "")
    if(arg_CALCULATES)
      set(calculates CALCULATES)
    endif()
    string(REPLACE "/" "-" program test-${path})
    seam_add_test_program(${program} ${calculates} LIBRARIES ${arg_LIBRARIES}
      SOURCES ${PROJECT_SOURCE_DIR}/tests/${path}_test.cpp)
  else()
    seam_program_of_tests(program)
    set_property(GLOBAL PROPERTY seam_program_of.${path} ${program})
    seam_test_joins(${program} ${path} ${arg_LIBRARIES})
    seam_test_has_target(${program} ${path})
  endif()

  set(messages 4)
  if(NOT messages IN_LIST arg_RANKS)
    list(GET arg_RANKS -1 messages)
  endif()
  if(arg_SHARED_MEMORY OR NOT messages GREATER 1)
    set(messages "")
  endif()
  if(arg_ALONE OR arg_APART OR arg_CALCULATES OR arg_THREADS OR arg_TIMEOUT OR arg_LABELS
      OR arg_SHARED_MEMORY)
    seam_test_runs(${path} ${test} RANKS ${arg_RANKS} THREADS "${arg_THREADS}"
      TIMEOUT "${arg_TIMEOUT}" LABELS ${arg_LABELS})
    seam_test_variant(${path} messages RANKS ${messages} ENVIRONMENT SEAM_SHARED_MEMORY=off
      THREADS "${arg_THREADS}" TIMEOUT "${arg_TIMEOUT}")
  else()
    seam_test_runs_together(${path} ${program} RANKS ${arg_RANKS})
    seam_test_runs_together(${path} ${program} VARIANT .messages RANKS ${messages}
      ENVIRONMENT SEAM_SHARED_MEMORY=off)
  endif()
endfunction()

function(seam_test_runs_together path program)
  cmake_parse_arguments(arg "" "VARIANT" "RANKS;ENVIRONMENT" ${ARGN})
  string(REGEX REPLACE "/.*" "" folder ${path})
  seam_group_of_test(${path} group)
  seam_ranks_that_are_tested(chosen ${arg_RANKS})
  foreach(ranks IN LISTS chosen)
    seam_test_joins_run(${group}${arg_VARIANT}.np${ranks} PROGRAM ${program} RANKS ${ranks}
      PROCESSORS ${ranks} ENVIRONMENT ${arg_ENVIRONMENT} LABELS ${folder} ARGS --of ${path})
  endforeach()
endfunction()

function(seam_test_on_endpoints path)
  cmake_parse_arguments(arg "ALONE" "" "ENDPOINTS;EXCEPT;LIBRARIES" ${ARGN})
  if(NOT SEAM_LONG_TESTS)
    return()
  endif()
  string(REGEX REPLACE "/.*" "" folder ${path})
  if(arg_ALONE)
    string(REPLACE "/" "-" program test-${path}-endpoints)
    seam_add_test_program(${program} LIBRARIES ${arg_LIBRARIES}
      SOURCES ${PROJECT_SOURCE_DIR}/tests/${path}_test.cpp)
    string(REPLACE "/" "." group ${path})
  else()
    seam_program_of_tests(program -endpoints)
    seam_test_joins(${program} ${path} ${arg_LIBRARIES})
    seam_group_of_test(${path} group)
  endif()
  set(args --of ${path})
  foreach(case IN LISTS arg_EXCEPT)
    list(APPEND args --except ${case})
  endforeach()
  foreach(counts IN LISTS arg_ENDPOINTS)
    string(REPLACE "," ";" each ${counts})
    list(LENGTH each ranks)
    list(JOIN each " + " sum)
    math(EXPR num_endpoints "${sum}")
    string(REPLACE "," "_" run ${group}.endpoints_${counts})
    seam_test_joins_run(${run} PROGRAM ${program} RANKS ${ranks} PROCESSORS ${num_endpoints}
      ENVIRONMENT SEAM_TEST_ENDPOINTS=${counts} LABELS ${folder} endpoints ARGS ${args})
    if(arg_ALONE)
      seam_make_run_of_folder(${run} ${program})
    endif()
  endforeach()
endfunction()

# Of the rank counts those that are chosen by SEAM_TEST_RANKS; the first one if none is. Of several
# some are for SEAM_LONG_TESTS.
function(seam_ranks_that_are_tested out)
  set(ranks ${ARGN})
  list(LENGTH ranks count)
  if(count GREATER 2 AND NOT SEAM_LONG_TESTS)
    if(8 IN_LIST ranks)
      list(REMOVE_ITEM ranks 4)
    endif()
    list(REMOVE_ITEM ranks 2 5 6 7 9 10 11 12)
  endif()
  set(chosen "")
  foreach(each IN LISTS ranks)
    seam_rank_is_tested(${each} tested)
    if(tested)
      list(APPEND chosen ${each})
    endif()
  endforeach()
  if(NOT chosen AND ARGN)
    list(GET ARGN 0 chosen)
  endif()
  set(${out} ${chosen} PARENT_SCOPE)
endfunction()

function(seam_test_variant path variant)
  cmake_parse_arguments(arg "LONG" "THREADS;TIMEOUT" "RANKS;ENVIRONMENT" ${ARGN})
  if(arg_LONG AND NOT SEAM_LONG_TESTS)
    return()
  endif()
  string(REPLACE "/" "." test ${path}.${variant})
  seam_test_runs(${path} ${test} RANKS ${arg_RANKS} THREADS "${arg_THREADS}"
    TIMEOUT "${arg_TIMEOUT}")
  foreach(ranks IN LISTS arg_RANKS)
    if(TEST ${test}.np${ranks})
      set_property(TEST ${test}.np${ranks} APPEND PROPERTY ENVIRONMENT ${arg_ENVIRONMENT})
    endif()
  endforeach()
endfunction()

function(seam_test_runs path test)
  cmake_parse_arguments(arg "" "THREADS;TIMEOUT" "RANKS;LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT ${seam_test_timeout})
  endif()
  string(REGEX REPLACE "/.*" "" folder ${path})
  seam_test_program(${path} program args)
  seam_ranks_that_are_tested(chosen ${arg_RANKS})
  foreach(ranks IN LISTS chosen)
    seam_mpi_command(mpiexec RANKS ${ranks} TIMEOUT ${arg_TIMEOUT})
    set(directory ${PROJECT_BINARY_DIR}/tests/runs/${test}.np${ranks})
    file(MAKE_DIRECTORY ${directory})
    add_test(NAME ${test}.np${ranks} COMMAND ${mpiexec} $<TARGET_FILE:${program}> ${args}
      WORKING_DIRECTORY ${directory})
    seam_test_settings(${test}.np${ranks} RANKS ${ranks} THREADS "${arg_THREADS}"
      TIMEOUT ${arg_TIMEOUT} LABELS ${folder} ${arg_LABELS})
  endforeach()
endfunction()
