# seam_program(<name> SOURCES a.cpp ... [PARTS framework ...] [LIBRARIES ...] [WORDS ...])
#
# Builds build/<preset>/bin/seam-<name>, which is installed if it has been built. It links PARTS and those
# below them; without PARTS all of seam. The target seam_programs is all programs. With SEAM_MANUALS the
# installation makes its manual page and its completion for bash of what it prints with --help, and with
# WORD --help for each of WORDS.
#
# seam_name_programs_left_out() has the installation name the programs that have not been built.
#
# seam_inputs(<name> <folder>)
#
# Inputs that programs find by name in share/seam/<name>, beside their folder, also when they are installed.
#
# seam_sample_run(<test> PROGRAM <name> RANKS r ... [THREADS n] [TIMEOUT seconds] [LABELS ...]
#                 [ARGS ...] [PASS regex] [FAIL_WITH regex] [FILES ...] [SHARED_MEMORY]
#                 [ENVIRONMENT NAME=value ...])
#
# Runs seam-<name> on r ranks (0: without mpiexec) in a fresh directory as the test <test>, and with
# several numbers of ranks as <test>.np<r>. With PASS it must exit with 0 and print the regex on stdout or
# stderr; with FAIL_WITH it must exit with another code and print the regex; with neither it must exit with
# 0. FILES must be there then. In ARGS, PASS and FILES <ranks> stands for r. TARGET <target> in place of
# PROGRAM runs another executable of the build. What succeeds on 4 ranks is also run without shared memory,
# as <test>.messages, unless SHARED_MEMORY is in what it prints. ENVIRONMENT is set for all its runs.
#
# seam_sample_ranks(<out> r ...)
#
# Of three numbers of ranks or more the two that are run without SEAM_LONG_TESTS: 3 and 8, or the first
# and the last where these are not among them.

set(seam_runs_programs ON)
if(CMAKE_CROSSCOMPILING OR NOT PROJECT_IS_TOP_LEVEL)
  set(seam_runs_programs OFF)
endif()
option(SEAM_MANUALS "Install manual pages and completions, which runs the programs"
  ${seam_runs_programs})
set(SEAM_SETUP_DIR ${CMAKE_CURRENT_LIST_DIR}/../setup)

add_custom_target(seam_programs)

function(seam_inputs name folder)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/seam)
  file(CREATE_LINK ${folder} ${PROJECT_BINARY_DIR}/share/seam/${name} SYMBOLIC)
  if(SEAM_INSTALL)
    install(DIRECTORY ${folder}/ DESTINATION share/seam/${name} COMPONENT runtime)
  endif()
endfunction()

function(seam_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;PARTS;LIBRARIES;WORDS" ${ARGN})
  if(NOT arg_PARTS)
    set(arg_PARTS seam)
  endif()
  list(TRANSFORM arg_PARTS PREPEND seam::)
  add_executable(seam-${name} ${arg_SOURCES})
  target_link_libraries(seam-${name} PRIVATE ${arg_PARTS} ${arg_LIBRARIES})
  # Options and tables take a compiler long to optimize; release builds do.
  # A short loop of a kernel that crosses a line of the instruction cache is up to a tenth slower.
  target_compile_options(seam-${name} PRIVATE ${SEAM_KERNEL_WARNINGS}
    $<$<CONFIG:RelWithDebInfo>:-O1> $<$<CONFIG:Release>:-falign-loops=64>)
  set_target_properties(seam-${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  add_dependencies(seam_programs seam-${name})
  seam_launched(seam-${name})
  if(SEAM_INSTALL)
    install(TARGETS seam-${name} COMPONENT runtime OPTIONAL)
    set_property(GLOBAL APPEND PROPERTY SEAM_INSTALLED_PROGRAMS $<TARGET_FILE:seam-${name}>)
  endif()
  if(SEAM_INSTALL AND SEAM_MANUALS)
    seam_manual(${name} ${arg_WORDS})
  endif()
endfunction()

# Pages of a program that has not been built since stay.
function(seam_manual name)
  set(manual ${PROJECT_BINARY_DIR}/manuals/seam-${name}.1)
  set(completion ${PROJECT_BINARY_DIR}/completions/seam-${name})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/manuals ${PROJECT_BINARY_DIR}/completions)
  install(CODE "
    if(EXISTS \"$<TARGET_FILE:seam-${name}>\" AND
        \"$<TARGET_FILE:seam-${name}>\" IS_NEWER_THAN \"${completion}\")
      execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND \"${SEAM_SETUP_DIR}/manuals.sh\"
        \"$<TARGET_FILE:seam-${name}>\" ${PROJECT_VERSION} \"${manual}\" \"${completion}\" ${ARGN})
    endif()" COMPONENT runtime)
  install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime OPTIONAL)
  install(FILES ${completion} COMPONENT runtime OPTIONAL
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endfunction()

function(seam_name_programs_left_out)
  get_property(programs GLOBAL PROPERTY SEAM_INSTALLED_PROGRAMS)
  install(CODE "
    set(left_out \"\")
    foreach(program IN ITEMS ${programs})
      if(NOT EXISTS \"\${program}\")
        cmake_path(GET program FILENAME name)
        string(APPEND left_out \" \${name}\")
      endif()
    endforeach()
    if(left_out)
      message(STATUS \"seam: not built, and so left out:\${left_out}\")
    endif()" COMPONENT runtime)
endfunction()

function(seam_sample_ranks out)
  set(chosen ${ARGN})
  if(ARGC GREATER 3 AND NOT SEAM_LONG_TESTS)
    list(GET ARGN 0 first)
    list(GET ARGN -1 chosen)
    if(3 IN_LIST ARGN)
      set(first 3)
    endif()
    if(8 IN_LIST ARGN)
      set(chosen 8)
    endif()
    list(PREPEND chosen ${first})
    list(REMOVE_DUPLICATES chosen)
  endif()
  set(${out} ${chosen} PARENT_SCOPE)
endfunction()

function(seam_sample_run test)
  cmake_parse_arguments(arg "SHARED_MEMORY" "PROGRAM;TARGET;THREADS;TIMEOUT;PASS;FAIL_WITH"
    "RANKS;ARGS;LABELS;ENVIRONMENT;FILES" ${ARGN})
  if(arg_PROGRAM)
    set(arg_TARGET seam-${arg_PROGRAM})
    if(arg_FAIL_WITH)
      # All ranks have printed what they have to print: mpiexec need not wait before it ends them.
      list(APPEND arg_ENVIRONMENT OMPI_MCA_odls_base_sigkill_timeout=0)
    endif()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  seam_sample_ranks(chosen ${arg_RANKS})
  foreach(ranks IN LISTS chosen)
    seam_run_sample(${test} ${ranks} "")
  endforeach()
  if(4 IN_LIST arg_RANKS AND NOT arg_FAIL_WITH AND NOT arg_SHARED_MEMORY)
    seam_run_sample(${test} 4 .messages SEAM_SHARED_MEMORY=off)
  endif()
endfunction()

# One run of a sample, whose arguments are those of the calling seam_sample_run().
function(seam_run_sample test ranks variant)
  seam_rank_is_tested(${ranks} tested)
  if(NOT SEAM_TESTS OR NOT tested)
    return()
  endif()
  list(LENGTH arg_RANKS count)
  if(count GREATER 1)
    string(APPEND test .np${ranks})
  endif()
  string(APPEND test "${variant}")
  foreach(text IN ITEMS ARGS PASS FILES)
    string(REPLACE "<ranks>" ${ranks} arg_${text} "${arg_${text}}")
  endforeach()
  set(mpiexec "")
  if(ranks EQUAL 0)
    set(ranks 1)
  else()
    seam_mpi_command(mpiexec RANKS ${ranks} TIMEOUT ${arg_TIMEOUT})
  endif()
  add_test(NAME ${test} COMMAND ${CMAKE_COMMAND}
    "-DDIRECTORY=${PROJECT_BINARY_DIR}/tests/runs/${test}"
    "-DPASS=${arg_PASS}" "-DFAIL_WITH=${arg_FAIL_WITH}" "-DFILES=${arg_FILES}"
    -P ${SEAM_CMAKE_DIR}/run_sample.cmake --
    ${mpiexec} $<TARGET_FILE:${arg_TARGET}> ${arg_ARGS})
  seam_test_settings(${test} RANKS ${ranks} THREADS "${arg_THREADS}" TIMEOUT ${arg_TIMEOUT}
    LABELS sample ${arg_LABELS})
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT ${arg_ENVIRONMENT} ${ARGN})
  # Most of such a run is the start of its ranks, which two runs do faster side by side.
  math(EXPR processors "(${ranks} + 1) / 2")
  set_property(TEST ${test} PROPERTY PROCESSORS ${processors})
endfunction()
