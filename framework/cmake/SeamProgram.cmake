# seam_program(<name> SOURCES a.cpp ... [LIBRARIES ...] [WORDS ...])
#
# Builds build/<preset>/bin/seam-<name>, which is also installed. The target seam_programs is all of
# them. With SEAM_MANUALS its manual page and its completion for bash are made of what it prints with
# --help, and with WORD --help for each of WORDS, and are installed, too.
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

set(seam_runs_programs ON)
if(CMAKE_CROSSCOMPILING OR NOT PROJECT_IS_TOP_LEVEL)
  set(seam_runs_programs OFF)
endif()
option(SEAM_MANUALS "Make manual pages and completions, which runs the programs"
  ${seam_runs_programs})
set(SEAM_SETUP_DIR ${CMAKE_CURRENT_LIST_DIR}/../setup)

add_custom_target(seam_programs)

function(seam_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;WORDS" ${ARGN})
  add_executable(seam-${name} ${arg_SOURCES})
  target_link_libraries(seam-${name} PRIVATE seam::seam ${arg_LIBRARIES})
  # Options and tables take a compiler long to optimize; release builds do.
  target_compile_options(seam-${name} PRIVATE ${SEAM_KERNEL_WARNINGS}
    $<$<CONFIG:RelWithDebInfo>:-O1>)
  set_target_properties(seam-${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  add_dependencies(seam_programs seam-${name})
  seam_launched(seam-${name})
  if(SEAM_INSTALL)
    install(TARGETS seam-${name} COMPONENT runtime)
  endif()
  if(SEAM_MANUALS)
    seam_manual(${name} ${arg_WORDS})
  endif()
endfunction()

function(seam_manual name)
  set(manual ${PROJECT_BINARY_DIR}/manuals/seam-${name}.1)
  set(completion ${PROJECT_BINARY_DIR}/completions/seam-${name})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/manuals ${PROJECT_BINARY_DIR}/completions)
  file(GLOB scripts CONFIGURE_DEPENDS ${SEAM_SETUP_DIR}/manuals.sh ${SEAM_SETUP_DIR}/manuals/*)
  add_custom_command(OUTPUT ${manual} ${completion} VERBATIM
    COMMAND ${SEAM_SETUP_DIR}/manuals.sh $<TARGET_FILE:seam-${name}> ${PROJECT_VERSION}
      ${manual} ${completion} ${ARGN}
    DEPENDS seam-${name} ${scripts}
    COMMENT "Making the manual page of seam-${name}")
  add_custom_target(seam-${name}-manual ALL DEPENDS ${manual} ${completion})
  if(SEAM_INSTALL)
    install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime)
    install(FILES ${completion} COMPONENT runtime
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  endif()
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
