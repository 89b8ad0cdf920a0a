# What users name is declared in `namespace seam`, all else in `seam::detail` or `seam::mpi`. Prints
# each header that is not for users and opens `namespace seam`, and fails if there is one.
#
#     cmake -D root=<root> -D headers=<file with a header's path in each line> -P namespaces.cmake
file(STRINGS ${headers} internals)
list(FILTER internals EXCLUDE REGEX "/detail/") # their folder says it
foreach(header IN LISTS internals)
  file(STRINGS ${root}/${header} opened REGEX "^namespace seam {")
  if(opened)
    message(SEND_ERROR "${header}: opens namespace seam (expected seam::detail: no header of PUBLIC)")
  endif()
endforeach()
