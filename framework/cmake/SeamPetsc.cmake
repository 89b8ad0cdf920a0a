# PETSc, which seam uses where one is found that is built with the same MPI library: target
# PETSc::petsc. Also part of the installed package.
seam_find_modules(PETSC PETSc)
set(SEAM_PETSC_LINK_OPTION "-Wl,--exclude-libs,libkokkoscore.a:libkokkoscontainers.a")
foreach(_seam_library IN LISTS PETSC_LINK_LIBRARIES)
  seam_built_with_this_mpi("${_seam_library}" _seam_fits)
  if(PETSC_FOUND AND NOT _seam_fits)
    message(STATUS "seam: left out PETSc, which is built with another MPI library: ${_seam_library}")
    set(PETSC_FOUND FALSE)
  endif()
endforeach()
if(PETSC_FOUND AND NOT TARGET PETSc::petsc)
  add_library(PETSc::petsc INTERFACE IMPORTED GLOBAL)
  target_include_directories(PETSc::petsc SYSTEM INTERFACE ${PETSC_INCLUDE_DIRS})
  # A PETSc that is built with Trilinos loads the serial Kokkos of Trilinos into the program. The
  # symbols of seam's Kokkos are kept out of the program's dynamic table, so that each has its own.
  target_link_libraries(PETSc::petsc INTERFACE ${PETSC_LINK_LIBRARIES})
  target_link_options(PETSc::petsc INTERFACE ${SEAM_PETSC_LINK_OPTION})
endif()
