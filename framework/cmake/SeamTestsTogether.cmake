# Tests of a folder are one program, in which eight sources at a time are compiled as one: what they
# include is read once and what they instantiate is made once, which takes less than half of the time.
# Each source is in a namespace of its own (tests_together.cmake), so that their names need not differ.
# Tests of one folder that run at the same rank count, and ask for nothing of their own, are one run.
#
# While a source is changed, `ninja run-<folder>.<subfolder>`, such as run-exchange.halo, builds only what
# the tests of its folder need, and runs these on 3 ranks.
#
# A source of a program that replaces functions of the whole program, or is compiled in another way, is
# ALONE in it.

set(seam_tests_at_once 8)

# The program of the tests of the calling list's folder, and of those on endpoints.
function(seam_program_of_tests out)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "-" folder ${folder})
  set(${out} test-${folder}${ARGN} PARENT_SCOPE)
endfunction()

# The property of the folder that lists what is known of one program's tests.
macro(seam_note_test program what)
  set_property(DIRECTORY APPEND PROPERTY ${program}.${what} ${ARGN})
endmacro()

# Takes a source into the program, which is made when the folder's list has been read.
function(seam_test_joins program path)
  get_property(programs DIRECTORY PROPERTY seam_programs_of_tests)
  if(NOT program IN_LIST programs)
    set_property(DIRECTORY APPEND PROPERTY seam_programs_of_tests ${program})
    if(NOT programs)
      cmake_language(DEFER CALL seam_make_tests_of_folder)
    endif()
  endif()
  seam_note_test(${program} sources ${PROJECT_SOURCE_DIR}/tests/${path}_test.cpp)
  seam_note_test(${program} libraries ${ARGN})
endfunction()

# Takes a test into a run of its folder: RANKS as of mpiexec, ENVIRONMENT, and the program's ARGS that
# name the test.
function(seam_test_joins_run run)
  cmake_parse_arguments(arg "" "PROGRAM;RANKS;PROCESSORS" "ENVIRONMENT;LABELS;ARGS" ${ARGN})
  get_property(runs DIRECTORY PROPERTY ${arg_PROGRAM}.runs)
  if(NOT run IN_LIST runs)
    seam_note_test(${arg_PROGRAM} runs ${run})
    foreach(setting IN ITEMS RANKS PROCESSORS ENVIRONMENT LABELS)
      seam_note_test(${run} ${setting} ${arg_${setting}})
    endforeach()
  endif()
  seam_note_test(${run} args ${arg_ARGS})
endfunction()

# The folder and subfolder of a test: exchange.mpi for exchange/mpi/detail/handle.
function(seam_group_of_test path out)
  string(REGEX MATCH "^[^/]+(/[^/]+)?/" group ${path})
  string(REGEX REPLACE "(/detail)?/$" "" group ${group})
  string(REPLACE "/" "." group ${group})
  set(${out} ${group} PARENT_SCOPE)
endfunction()

# Takes a test of the program into what the target of its group runs.
function(seam_test_has_target program path)
  seam_group_of_test(${path} group)
  seam_note_test(${program} groups ${group})
  seam_note_test(${group} tests --of ${path})
endfunction()

function(seam_make_targets_of_groups program)
  seam_mpi_command(mpiexec RANKS 3)
  get_property(groups DIRECTORY PROPERTY ${program}.groups)
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    get_property(tests DIRECTORY PROPERTY ${group}.tests)
    add_custom_target(run-${group} VERBATIM USES_TERMINAL
      COMMAND ${CMAKE_COMMAND} -E env OMP_NUM_THREADS=1 ${SEAM_MPI_ENVIRONMENT}
        ${mpiexec} $<TARGET_FILE:${program}> ${tests}
      WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/tests/runs)
    add_dependencies(run-${group} ${program})
  endforeach()
endfunction()

function(seam_make_tests_of_folder)
  get_property(programs DIRECTORY PROPERTY seam_programs_of_tests)
  foreach(program IN LISTS programs)
    get_property(libraries DIRECTORY PROPERTY ${program}.libraries)
    seam_tests_of_program(${program} sources)
    seam_add_test_program(${program} SOURCES ${sources} LIBRARIES ${libraries})
    seam_make_targets_of_groups(${program})
    get_property(runs DIRECTORY PROPERTY ${program}.runs)
    foreach(run IN LISTS runs)
      seam_make_run_of_folder(${run} ${program})
    endforeach()
  endforeach()
endfunction()

function(seam_tests_of_program program out)
  get_property(left DIRECTORY PROPERTY ${program}.sources)
  list(LENGTH left num_left)
  set(all "")
  set(number 0)
  while(num_left GREATER 0)
    list(SUBLIST left 0 ${seam_tests_at_once} sources)
    list(REMOVE_ITEM left ${sources})
    list(LENGTH left num_left)
    math(EXPR number "${number} + 1")
    set(together ${CMAKE_CURRENT_BINARY_DIR}/${program}-${number}.cpp)
    add_custom_command(OUTPUT ${together} VERBATIM
      COMMAND ${CMAKE_COMMAND} -DTOGETHER=${together} "-DSOURCES=${sources}"
        -P ${SEAM_CMAKE_DIR}/tests_together.cmake
      DEPENDS ${sources} ${SEAM_CMAKE_DIR}/tests_together.cmake
      COMMENT "Putting tests together in ${program}-${number}.cpp")
    list(APPEND all ${together})
  endwhile()
  set(${out} ${all} PARENT_SCOPE)
endfunction()

function(seam_make_run_of_folder run program)
  foreach(setting IN ITEMS RANKS PROCESSORS ENVIRONMENT LABELS args)
    get_property(${setting} DIRECTORY PROPERTY ${run}.${setting})
  endforeach()
  # Checked mode has ways of its own through calls and kernels; these runs take those of other programs.
  if(SEAM_CHECKED AND RANKS EQUAL 3)
    list(APPEND ENVIRONMENT SEAM_CHECKS=off)
  endif()
  math(EXPR timeout "2 * ${seam_test_timeout}")
  seam_mpi_command(mpiexec RANKS ${RANKS} TIMEOUT ${timeout})
  set(directory ${PROJECT_BINARY_DIR}/tests/runs/${run})
  file(MAKE_DIRECTORY ${directory})
  add_test(NAME ${run} COMMAND ${mpiexec} $<TARGET_FILE:${program}> ${args}
    WORKING_DIRECTORY ${directory})
  seam_test_settings(${run} RANKS ${PROCESSORS} TIMEOUT ${timeout} LABELS ${LABELS})
  set_property(TEST ${run} APPEND PROPERTY ENVIRONMENT ${ENVIRONMENT})
endfunction()
