# seam_compare_runs(<test> PROGRAM <name> RANKS r ... [THREADS n] [TIMEOUT seconds] [EXCEPT regex]
#                   [ENDPOINTS counts] [FILES a.png ...] [ARGS ...])
#
# Runs seam-<name> on one rank with one thread and then on each of r processes with n threads, which have
# one rank each or as many endpoints as SEAM_ENDPOINTS says, each in a fresh directory, as the test
# <test>. All must end with 0 and print the same lines, those that match EXCEPT left out, and write the
# same bytes into each of FILES. Of three numbers of ranks or more some are for SEAM_LONG_TESTS
# (seam_sample_ranks).
#
# As a script (cmake -P), the body of such a test: compares what the first of several commands does with
# what each other does. Before each is an argument `--run`.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(SEAM_COMPARE_RUNS ${CMAKE_CURRENT_LIST_FILE})

  function(seam_compare_runs test)
    cmake_parse_arguments(arg "" "PROGRAM;THREADS;TIMEOUT;EXCEPT;ENDPOINTS" "RANKS;FILES;ARGS" ${ARGN})
    set(seconds ${arg_TIMEOUT} 120)
    list(GET seconds 0 seconds)
    set(threads ${arg_THREADS} 1)
    list(GET threads 0 threads)
    set(endpoints "")
    if(arg_ENDPOINTS)
      set(endpoints SEAM_ENDPOINTS=${arg_ENDPOINTS})
    endif()
    set(program $<TARGET_FILE:seam-${arg_PROGRAM}> ${arg_ARGS})
    seam_sample_ranks(chosen ${arg_RANKS})
    set(runs "")
    set(most_ranks 0)
    foreach(ranks IN LISTS chosen)
      seam_rank_is_tested(${ranks} tested)
      if(tested)
        seam_mpi_command(mpiexec RANKS ${ranks} TIMEOUT ${seconds})
        list(APPEND runs --run ${CMAKE_COMMAND} -E env OMP_NUM_THREADS=${threads} ${endpoints}
          ${mpiexec} ${program})
        set(most_ranks ${ranks})
      endif()
    endforeach()
    if(NOT SEAM_TESTS OR NOT runs)
      return()
    endif()
    seam_mpi_command(alone RANKS 1 TIMEOUT ${seconds})
    string(REPLACE ";" "|" files "${arg_FILES}")
    add_test(NAME ${test} COMMAND ${CMAKE_COMMAND}
      "-DDIRECTORY=${PROJECT_BINARY_DIR}/tests/runs/${test}"
      "-DEXCEPT=${arg_EXCEPT}" "-DFILES=${files}" -P ${SEAM_COMPARE_RUNS}
      --run ${CMAKE_COMMAND} -E env OMP_NUM_THREADS=1 ${alone} ${program} ${runs})
    list(LENGTH chosen count)
    math(EXPR seconds "${seconds} * ${count}")
    seam_test_settings(${test} RANKS ${most_ranks} THREADS ${threads} TIMEOUT ${seconds}
      LABELS sample)
  endfunction()
  return()
endif()

cmake_policy(VERSION 3.25)

# Runs the command in directory DIRECTORY/<name> and stores the lines that it prints in `out`.
function(run name out)
  file(REMOVE_RECURSE ${DIRECTORY}/${name})
  file(MAKE_DIRECTORY ${DIRECTORY}/${name})
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${DIRECTORY}/${name}
    OUTPUT_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${name}: expected exit code 0, found ${code}; output:\n${output}")
  endif()
  string(REPLACE "\n" ";" lines "${output}")
  if(EXCEPT)
    list(FILTER lines EXCLUDE REGEX "${EXCEPT}")
  endif()
  list(JOIN lines "\n" output)
  message(STATUS "${name}:\n${output}")
  set(${out} "${output}" PARENT_SCOPE)
endfunction()

# Compares run number `index` with the first one, number 0.
function(compare index)
  if(output_0 STREQUAL "" OR NOT output_${index} STREQUAL output_0)
    message(FATAL_ERROR "run ${index} and run 0 print different lines, or none")
  endif()
  string(REPLACE "|" ";" files "${FILES}")
  foreach(file IN LISTS files)
    file(SHA256 ${DIRECTORY}/0/${file} expected)
    file(SHA256 ${DIRECTORY}/${index}/${file} found)
    if(NOT expected STREQUAL found)
      message(FATAL_ERROR "run ${index} and run 0 write different bytes into ${file}")
    endif()
  endforeach()
endfunction()

set(num_runs 0)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(CMAKE_ARGV${i} STREQUAL "--run")
    set(command_${num_runs} "")
    math(EXPR num_runs "${num_runs} + 1")
  elseif(num_runs GREATER 0)
    math(EXPR index "${num_runs} - 1")
    list(APPEND command_${index} "${CMAKE_ARGV${i}}")
  endif()
endforeach()

math(EXPR last "${num_runs} - 1")
foreach(index RANGE ${last})
  run(${index} output_${index} ${command_${index}})
  compare(${index})
endforeach()
