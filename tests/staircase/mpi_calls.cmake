# MPI is called in these folders, and by the others through functions of theirs. Prints every other
# call in the sources below <root>, and fails if there is one.
#
#     cmake -D root=<root> -P mpi_calls.cmake
set(callers
  exchange/mpi exchange/waiting exchange/endpoints exchange/agreement exchange/schedule exchange/communicator
  exchange/transport exchange/planning exchange/point_to_point exchange/sparse exchange/partitioned
  framework/program framework/c)
list(JOIN callers "|" callers)

foreach(folder IN ITEMS exchange mapping stencil mesh framework)
  file(GLOB_RECURSE sources RELATIVE ${root} ${root}/${folder}/*.[chi]pp)
  list(FILTER sources EXCLUDE REGEX "^(${callers})/")
  foreach(source IN LISTS sources)
    file(STRINGS ${root}/${source} lines REGEX "(^|[^A-Za-z_\"])MPI_[A-Z][a-z_]+\\(")
    list(FILTER lines EXCLUDE REGEX "^ *//|MPI_Wtime")
    foreach(line IN LISTS lines)
      message(SEND_ERROR "${source}: a call of MPI: ${line}")
    endforeach()
  endforeach()
endforeach()
