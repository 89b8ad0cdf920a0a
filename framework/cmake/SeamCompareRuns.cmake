# seam_compare_runs(<test> PROGRAM <name> RANKS r [THREADS n] [TIMEOUT seconds] [EXCEPT regex]
#                   [ENDPOINTS counts] [FILES a.png ...] [ARGS ...])
#
# Runs seam-<name> on one rank with one thread and on r processes with n threads, which have one
# rank each or as many endpoints as SEAM_ENDPOINTS says, each in a fresh directory, as the test
# <test>. Both must end with 0 and print the same lines, those that match
# EXCEPT left out, and write the same bytes into each of FILES.
#
# As a script (cmake -P), the body of such a test: compares what `cmake -E env ...` before and after
# the argument `--and` leads to.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(SEAM_COMPARE_RUNS ${CMAKE_CURRENT_LIST_FILE})

  function(seam_compare_runs test)
    cmake_parse_arguments(arg "" "PROGRAM;RANKS;THREADS;TIMEOUT;EXCEPT;ENDPOINTS" "FILES;ARGS" ${ARGN})
    seam_rank_is_tested(${arg_RANKS} tested)
    if(NOT SEAM_TESTS OR NOT tested)
      return()
    endif()
    set(seconds ${arg_TIMEOUT} 120)
    list(GET seconds 0 seconds)
    set(threads ${arg_THREADS} 1)
    list(GET threads 0 threads)
    set(endpoints "")
    if(arg_ENDPOINTS)
      set(endpoints SEAM_ENDPOINTS=${arg_ENDPOINTS})
    endif()
    seam_mpi_command(alone RANKS 1 TIMEOUT ${seconds})
    seam_mpi_command(together RANKS ${arg_RANKS} TIMEOUT ${seconds})
    set(program $<TARGET_FILE:seam-${arg_PROGRAM}> ${arg_ARGS})
    string(REPLACE ";" "|" files "${arg_FILES}")
    add_test(NAME ${test} COMMAND ${CMAKE_COMMAND}
      "-DDIRECTORY=${PROJECT_BINARY_DIR}/tests/runs/${test}"
      "-DEXCEPT=${arg_EXCEPT}" "-DFILES=${files}" -P ${SEAM_COMPARE_RUNS} --
      ${CMAKE_COMMAND} -E env OMP_NUM_THREADS=1 ${alone} ${program} --and
      ${CMAKE_COMMAND} -E env OMP_NUM_THREADS=${threads} ${endpoints} ${together}
      ${program})
    seam_test_settings(${test} RANKS ${arg_RANKS} THREADS ${threads} TIMEOUT ${seconds}
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

set(commands "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  list(APPEND commands "${CMAKE_ARGV${i}}")
endforeach()
list(FIND commands "--" begin)
list(FIND commands "--and" middle)
math(EXPR begin "${begin} + 1")
math(EXPR length "${middle} - ${begin}")
math(EXPR middle "${middle} + 1")
list(SUBLIST commands ${begin} ${length} first)
list(SUBLIST commands ${middle} -1 second)

run(alone alone ${first})
run(together together ${second})
if(alone STREQUAL "" OR NOT alone STREQUAL together)
  message(FATAL_ERROR "the runs print different lines, or none")
endif()
string(REPLACE "|" ";" files "${FILES}")
foreach(file IN LISTS files)
  file(SHA256 ${DIRECTORY}/alone/${file} expected)
  file(SHA256 ${DIRECTORY}/together/${file} found)
  if(NOT expected STREQUAL found)
    message(FATAL_ERROR "the runs write different bytes into ${file}")
  endif()
endforeach()
