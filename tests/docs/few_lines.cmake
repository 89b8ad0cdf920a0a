# Fails unless the programs in `apps` that show what seam is for are as short as they should be.

# `text` of `file` has fewer lines than `limit`.
function(require_fewer_lines limit file text)
  string(REGEX MATCHALL "\n" ends "${text}")
  list(LENGTH ends lines)
  message(STATUS "${file}: ${lines} lines")
  if(NOT lines LESS limit)
    message(SEND_ERROR "${file} has ${lines} lines (expected fewer than ${limit})")
  endif()
endfunction()

# The lines of `file` that are neither empty, nor comments, nor for the preprocessor.
function(read_code file out)
  file(READ ${apps}/${file} text)
  string(REPLACE ";" "" text "\n${text}")
  string(REGEX REPLACE "\n *(//|#)[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\n *(\n *)+" "\n" text "\n${text}")
  string(REGEX REPLACE "^\n+" "" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

foreach(program IN ITEMS life jacobi)
  file(READ ${apps}/${program}/main.cpp text)
  string(REPLACE ";" "" text "${text}")
  require_fewer_lines(100 ${program}/main.cpp "${text}")
endforeach()

foreach(program IN ITEMS cavity euler gray-scott multigrid shallow-water wave)
  file(READ ${apps}/${program}/main.cpp text)
  string(REPLACE ";" "" text "${text}")
  require_fewer_lines(121 ${program}/main.cpp "${text}")
endforeach()

read_code(life/game.hpp text)
require_fewer_lines(30 life/game.hpp "${text}")
read_code(jacobi/relaxation.hpp text)
require_fewer_lines(40 jacobi/relaxation.hpp "${text}")
