# The body of a seam_sample_run test: runs the command after `--` in a fresh DIRECTORY and judges
# its exit code and its output together, which ctest's own properties cannot.

set(command "")
set(in_command FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(in_command)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(in_command TRUE)
  endif()
endforeach()

file(REMOVE_RECURSE ${DIRECTORY})
file(MAKE_DIRECTORY ${DIRECTORY})
execute_process(COMMAND ${command} WORKING_DIRECTORY ${DIRECTORY}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
message(STATUS "output, exit code ${code}:\n${output}")

if(FAIL_WITH)
  set(expected "${FAIL_WITH}")
  if(code EQUAL 0)
    message(FATAL_ERROR "expected a failure, but the program ended with exit code 0")
  endif()
else()
  set(expected "${PASS}")
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "expected exit code 0, found ${code}")
  endif()
endif()
if(NOT output MATCHES "${expected}")
  message(FATAL_ERROR "expected output that matches: ${expected}")
endif()
