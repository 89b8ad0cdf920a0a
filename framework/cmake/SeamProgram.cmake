# seam_program(<name> SOURCES a.cpp ... [LIBRARIES ...])
#
# Builds build/<preset>/bin/seam-<name>, which is also installed. The target seam_programs is all of
# them.
#
# seam_sample_run(<test> PROGRAM <name> RANKS r [THREADS n] [TIMEOUT seconds] [LABELS ...]
#                 [ARGS ...] [PASS regex] [FAIL_WITH regex] [FILES ...] [SHARED_MEMORY]
#                 [ENVIRONMENT NAME=value ...])
#
# Runs seam-<name> on r ranks in a fresh directory as the test <test>. With PASS it must exit with 0
# and print the regex on stdout or stderr; with FAIL_WITH it must exit with another code and print
# the regex; with neither it must exit with 0. FILES must be there then. TARGET <target> in place of PROGRAM runs another
# executable of the build. What succeeds on 4 ranks is also run without shared memory, as
# <test>.messages, unless SHARED_MEMORY is in what it prints. ENVIRONMENT is set for all its runs.

add_custom_target(seam_programs)

function(seam_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(seam-${name} ${arg_SOURCES})
  target_link_libraries(seam-${name} PRIVATE seam::seam ${arg_LIBRARIES})
  # Options and tables take a compiler long to optimize; release builds do.
  target_compile_options(seam-${name} PRIVATE ${SEAM_KERNEL_WARNINGS}
    $<$<CONFIG:RelWithDebInfo>:-O1>)
  set_target_properties(seam-${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  add_dependencies(seam_programs seam-${name})
  if(TARGET seam_yield_in_calls) # which ranks of its sample runs load
    add_dependencies(seam-${name} seam_yield_in_calls)
  endif()
  install(TARGETS seam-${name})
endfunction()

function(seam_sample_run test)
  cmake_parse_arguments(arg "SHARED_MEMORY" "PROGRAM;TARGET;RANKS;THREADS;TIMEOUT;PASS;FAIL_WITH"
    "ARGS;LABELS;ENVIRONMENT;FILES" ${ARGN})
  seam_rank_is_tested(${arg_RANKS} tested)
  if(NOT SEAM_TESTS OR NOT tested)
    return()
  endif()
  if(arg_PROGRAM)
    set(arg_TARGET seam-${arg_PROGRAM})
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  seam_mpi_command(mpiexec RANKS ${arg_RANKS} TIMEOUT ${arg_TIMEOUT})
  set(runs ${test})
  if(arg_RANKS EQUAL 4 AND NOT arg_FAIL_WITH AND NOT arg_SHARED_MEMORY)
    list(APPEND runs ${test}.messages)
  endif()
  if(arg_PROGRAM AND arg_FAIL_WITH)
    # All ranks have printed what they have to print: mpiexec need not wait before it ends them.
    list(APPEND arg_ENVIRONMENT OMPI_MCA_odls_base_sigkill_timeout=0)
  endif()
  # Most of such a run is the start of its ranks, which two runs do faster side by side.
  math(EXPR processors "(${arg_RANKS} + 1) / 2")
  foreach(run IN LISTS runs)
    add_test(NAME ${run} COMMAND ${CMAKE_COMMAND}
      "-DDIRECTORY=${PROJECT_BINARY_DIR}/tests/runs/${run}"
      "-DPASS=${arg_PASS}" "-DFAIL_WITH=${arg_FAIL_WITH}" "-DFILES=${arg_FILES}"
      -P ${SEAM_CMAKE_DIR}/run_sample.cmake --
      ${mpiexec} $<TARGET_FILE:${arg_TARGET}> ${arg_ARGS})
    seam_test_settings(${run} RANKS ${arg_RANKS} THREADS "${arg_THREADS}" TIMEOUT ${arg_TIMEOUT}
      LABELS sample ${arg_LABELS})
    set_property(TEST ${run} APPEND PROPERTY ENVIRONMENT ${arg_ENVIRONMENT})
    set_property(TEST ${run} PROPERTY PROCESSORS ${processors})
  endforeach()
  if(TEST ${test}.messages)
    set_property(TEST ${test}.messages APPEND PROPERTY ENVIRONMENT SEAM_SHARED_MEMORY=off)
  endif()
endfunction()
