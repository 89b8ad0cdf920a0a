# Makes the prefix TO as FROM, but without the files that match LIBRARY.
file(REMOVE_RECURSE ${TO})
file(COPY ${FROM}/ DESTINATION ${TO})
file(GLOB_RECURSE left_out ${TO}/${LIBRARY})
if(NOT left_out)
  message(FATAL_ERROR "no ${LIBRARY} in ${FROM}")
endif()
file(REMOVE ${left_out})
