# Zoltan, a rival in the benchmarks and nothing that seam needs: target seam_zoltan where one is found
# that is built with the same MPI library.
find_path(SEAM_ZOLTAN_INCLUDE zoltan_comm.h PATH_SUFFIXES trilinos)
find_library(SEAM_ZOLTAN_LIBRARY NAMES zoltan trilinos_zoltan)
mark_as_advanced(SEAM_ZOLTAN_INCLUDE SEAM_ZOLTAN_LIBRARY)
seam_built_with_this_mpi("${SEAM_ZOLTAN_LIBRARY}" _seam_fits)
if(SEAM_ZOLTAN_LIBRARY AND NOT _seam_fits)
  message(STATUS "seam: left out Zoltan, which is built with another MPI library: \
${SEAM_ZOLTAN_LIBRARY}")
elseif(SEAM_ZOLTAN_INCLUDE AND SEAM_ZOLTAN_LIBRARY AND NOT TARGET seam_zoltan)
  add_library(seam_zoltan INTERFACE)
  target_include_directories(seam_zoltan SYSTEM INTERFACE ${SEAM_ZOLTAN_INCLUDE})
  target_link_libraries(seam_zoltan INTERFACE ${SEAM_ZOLTAN_LIBRARY})
  # As with PETSc: a Zoltan of Trilinos brings another Kokkos into the program.
  target_link_options(seam_zoltan INTERFACE
    "LINKER:--exclude-libs,libkokkoscore.a:libkokkoscontainers.a")
endif()
