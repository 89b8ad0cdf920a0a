# Fails unless a string of the sources in `root` holds each error line that `page` quotes: lines that
# are indented like code, in which "..." stands for what differs from case to case.
set(sources "")
foreach(folder IN ITEMS exchange mapping stencil mesh framework)
  file(GLOB_RECURSE found ${root}/${folder}/*.cpp ${root}/${folder}/*.hpp ${root}/${folder}/*.ipp)
  list(APPEND sources ${found})
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -E cat ${sources} OUTPUT_VARIABLE all
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\"[ \n]+\"" "" all "${all}") # strings that are parts of one

file(READ ${page} text)
string(REGEX MATCHALL "\n    [^\n]+" quoted "\n${text}")
list(LENGTH quoted num_quoted)
foreach(line IN LISTS quoted)
  string(REGEX REPLACE "^\n    " "" line "${line}")
  string(REPLACE "..." ";" pieces "${line}")
  foreach(piece IN LISTS pieces)
    string(STRIP "${piece}" piece)
    string(FIND "${all}" "${piece}" found)
    if(found EQUAL -1)
      message(SEND_ERROR "no source says '${piece}'")
    endif()
  endforeach()
endforeach()
message(STATUS "${num_quoted} lines")
if(num_quoted EQUAL 0)
  message(SEND_ERROR "${page} quotes no line")
endif()
