# What users name is declared in `namespace seam`, all else in `seam::detail` or `seam::mpi`. Prints
# each header that is not for users and opens `namespace seam`, and fails if there is one. The headers
# listed here are allowed: users name their values, which come with the public headers that take them.
#
#     cmake -D root=<root> -D headers=<file with a header's path in each line> -P namespaces.cmake
file(STRINGS ${headers} internals)
list(REMOVE_ITEM internals
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
  file(STRINGS ${root}/${header} opened REGEX "^namespace seam {")
  if(opened)
    message(SEND_ERROR "${header}: opens namespace seam (expected seam::detail: no header of PUBLIC)")
  endif()
endforeach()
