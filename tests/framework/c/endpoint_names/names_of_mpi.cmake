# names_of_mpi(<file>) writes a source that compiles if endpoints_mpi.h has the name of each function
# of mpi.h that takes a communicator, a window, a message or a request: either for a function of seam
# with the parameters of MPI's, or for an object that cannot be called. Left out are those of MPI 4,
# and those that are right for the handle of an endpoint as they are.

set(names_of_handles
  Abort Attr_delete Attr_put Comm_c2f Comm_call_errhandler Comm_create_errhandler Comm_delete_attr
  Comm_get_errhandler Comm_get_info Comm_get_name Comm_set_attr Comm_set_errhandler Comm_set_info
  Comm_set_name Comm_toint Errhandler_get Errhandler_set Grequest_complete Grequest_start
  Message_toint Pack Pack_size Request_c2f Request_toint Unpack Win_create_errhandler Win_toint)
list(JOIN names_of_handles "|" names_of_handles)
set(names_of_mpi_4 "[A-Za-z_]+_c|Comm_idup_with_info|I?[Ss]endrecv_replace_?|Isendrecv|Session_.*|.*_from_groups?|Comm_get_.*_rank|Buffer_.*flush|Comm_.*_buffer|Request_get_status_.*|.*Parrived|P(ready|send|recv).*|(Bcast|Gatherv?|Scatterv?|Allgatherv?|Alltoall[vw]?|Reduce|Allreduce|Reduce_scatter|Reduce_scatter_block|Scan|Exscan|Barrier|Neighbor_.*)_init")

# The prototypes of mpi.h, one to an item, in `out`.
function(prototypes_of_mpi out)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/prototypes.cpp "#include <mpi.h>\n")
  list(TRANSFORM MPI_CXX_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE includes)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -E -P ${includes} -DOMPI_SKIP_MPICXX
    -DMPICH_SKIP_MPICXX ${CMAKE_CURRENT_BINARY_DIR}/prototypes.cpp
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  string(REGEX REPLACE "[][]" "*" text "${text}")
  string(REGEX MATCHALL "int MPI_[A-Z][A-Za-z0-9_]* ?\\([^()]*\\)" prototypes "${text}")
  set(${out} "${prototypes}" PARENT_SCOPE)
endfunction()

function(names_of_mpi file)
  prototypes_of_mpi(prototypes)
  set(types "")
  set(checks "")
  foreach(prototype IN LISTS prototypes)
    string(REGEX MATCH "MPI_([A-Za-z0-9_]+)" name "${prototype}")
    set(rest ${CMAKE_MATCH_1})
    if(NOT prototype MATCHES "MPI_(Comm|Win|Message|Request)[ *,)]" OR rest MATCHES
        "^(${names_of_handles}|${names_of_mpi_4}|File_i.*)$")
      continue()
    endif()
    string(APPEND types "using type_of_${rest} = decltype(&::${name});\n")
    if(prototype MATCHES "MPI_(Win|Message)[ *,)]")
      set(mapped is_function) # the types of windows and of messages are seam's
    else()
      set(mapped "is_same_type<type_of_${rest}>")
    endif()
    string(APPEND checks "#ifndef ${name}\n#error \"${name} reaches MPI\"\n#endif\n"
      "static_assert(is_no_function(${name}) || ${mapped}(${name}), \"${name}\");\n")
  endforeach()
  list(LENGTH prototypes count)
  if(count LESS 300)
    message(SEND_ERROR "mpi.h: ${count} functions (expected more)")
  endif()
  configure_file(names_of_mpi.cpp.in ${file} @ONLY)
endfunction()
