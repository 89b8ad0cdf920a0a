# PETSc, a rival in the benchmarks and nothing that seam needs: target seam_petsc where it is found.
pkg_check_modules(PETSC QUIET IMPORTED_TARGET PETSc)
if(PETSC_FOUND AND NOT TARGET seam_petsc)
  add_library(seam_petsc INTERFACE)
  target_include_directories(seam_petsc SYSTEM INTERFACE ${PETSC_INCLUDE_DIRS})
  # A PETSc that is built with Trilinos loads the serial Kokkos of Trilinos into the program. The
  # symbols of seam's Kokkos are kept out of the program's dynamic table, so that each has its own.
  target_link_libraries(seam_petsc INTERFACE ${PETSC_LINK_LIBRARIES})
  target_link_options(seam_petsc INTERFACE
    "LINKER:--exclude-libs,libkokkoscore.a:libkokkoscontainers.a")
endif()
