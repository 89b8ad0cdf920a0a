# PETSc, which seam uses where it is found: target PETSc::petsc. Also part of the installed package
# of a seam that was built with it.
pkg_check_modules(PETSC QUIET IMPORTED_TARGET PETSc)
if(PETSC_FOUND AND NOT TARGET PETSc::petsc)
  add_library(PETSc::petsc INTERFACE IMPORTED GLOBAL)
  target_include_directories(PETSc::petsc SYSTEM INTERFACE ${PETSC_INCLUDE_DIRS})
  # A PETSc that is built with Trilinos loads the serial Kokkos of Trilinos into the program. The
  # symbols of seam's Kokkos are kept out of the program's dynamic table, so that each has its own.
  target_link_libraries(PETSc::petsc INTERFACE ${PETSC_LINK_LIBRARIES})
  target_link_options(PETSc::petsc INTERFACE
    "LINKER:--exclude-libs,libkokkoscore.a:libkokkoscontainers.a")
endif()
