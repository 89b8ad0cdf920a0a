# What users name is declared in `namespace seam`, all else in `seam::detail` or `seam::mpi`. Prints
# each header that no stable header includes and that opens `namespace seam`, except to say that there
# is a class, and fails if there is one. The headers listed here are allowed: users name their values,
# which come with the public headers that take them.
#
#     cmake -D root=<root> -D headers=<file with a header's path in each line> -P namespaces.cmake
file(STRINGS ${headers} internals)
list(REMOVE_ITEM internals
  exchange/calls/detail/collective_definition.hpp
  exchange/communicator/detail/cartesian_structure.hpp
  exchange/mpi/detail/op.hpp
  exchange/partitioned/detail/buffer.hpp
  exchange/schedule/detail/datatype_blocks.hpp
  exchange/schedule/detail/region.hpp
  exchange/sparse/detail/serialize.hpp
  mapping/detail/mapping_cost.hpp
  mapping/detail/offset_list.hpp
  mapping/detail/weighted_graph.hpp)
foreach(header IN LISTS internals)
  file(READ ${root}/${header} text)
  string(REGEX REPLACE "\nnamespace seam {\n((class|struct) [A-Za-z_]+;\n)+}" "" text "${text}")
  if(text MATCHES "(^|\n)namespace seam {")
    message(SEND_ERROR
      "${header}: opens namespace seam (expected seam::detail: no stable header includes it)")
  endif()
endforeach()
