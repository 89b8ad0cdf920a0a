# seam_sources_together(<out> <name> <source> ...)
#
# Sets `out` to what is compiled in place of the sources, which are all seen through the same include
# roots. With SEAM_TOGETHER these are files that include eight sources each, so that what the sources
# include is read once, which takes less than half of the time; otherwise the sources themselves.
# Names in unnamed namespaces then have to differ within a folder. The preset `apart` compiles each
# source alone, to show that it includes what it uses.

option(SEAM_TOGETHER "Compile eight sources of a folder or program at a time as one" ON)

set(seam_sources_at_once 8)

function(seam_sources_together out name)
  list(LENGTH ARGN num_sources)
  if(NOT SEAM_TOGETHER OR num_sources LESS 2)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  math(EXPR num_files "(${num_sources} + ${seam_sources_at_once} - 1) / ${seam_sources_at_once}")
  set(files "")
  foreach(k RANGE 1 ${num_files})
    math(EXPR first "(${k} - 1) * ${num_sources} / ${num_files}")
    math(EXPR count "${k} * ${num_sources} / ${num_files} - ${first}")
    list(SUBLIST ARGN ${first} ${count} sources)
    list(TRANSFORM sources REPLACE "(.+)" "#include \"\\1\"\n")
    string(JOIN "" content ${sources})
    set(file ${PROJECT_BINARY_DIR}/together/${name}-${k}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${content}" @ONLY)
    list(APPEND files ${file})
  endforeach()
  # To GCC what headers declare is in the file that it compiles, and here sources are headers.
  set_source_files_properties(${files} PROPERTIES
    COMPILE_OPTIONS $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  set(${out} ${files} PARENT_SCOPE)
endfunction()
