# Every library that seam links, in one list. The root list includes it to build seam, and the
# installed package includes it so that a program that uses seam finds the same libraries.

macro(seam_require package)
  if(CMAKE_FIND_PACKAGE_NAME STREQUAL "seam")
    find_dependency(${package} ${ARGN})
  else()
    find_package(${package} ${ARGN} REQUIRED)
  endif()
endmacro()

# CMake looks for HDF5 and for MPI's C interface with the C compiler.
if(NOT CMAKE_C_COMPILER_LOADED)
  enable_language(C)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/SeamMpi.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/SeamKokkos.cmake)

seam_require(PkgConfig)
pkg_check_modules(HWLOC REQUIRED QUIET IMPORTED_TARGET hwloc)
pkg_check_modules(WEBP REQUIRED QUIET IMPORTED_TARGET libwebp libwebpmux)

# Debian's HDF5 for each MPI library has a compiler of its own, which tells where it is.
if(SEAM_MPI_FOUND_AS AND NOT HDF5_ROOT AND NOT DEFINED ENV{HDF5_ROOT})
  find_program(HDF5_C_COMPILER_EXECUTABLE NAMES h5pcc.${SEAM_MPI_FOUND_AS} h5pcc NAMES_PER_DIR)
endif()
set(HDF5_PREFER_PARALLEL TRUE)
seam_require(HDF5 COMPONENTS C)
if(NOT HDF5_IS_PARALLEL)
  message(FATAL_ERROR "seam: HDF5 in ${HDF5_INCLUDE_DIRS} is serial; expected one built with MPI \
(Debian: libhdf5-openmpi-dev or libhdf5-mpich-dev). Set HDF5_ROOT to it.")
endif()
foreach(_seam_library IN LISTS HDF5_C_LIBRARIES)
  seam_built_with_this_mpi("${_seam_library}" _seam_fits)
  if(NOT _seam_fits)
    message(FATAL_ERROR "seam: ${_seam_library} is built with another MPI library than that in \
${MPI_CXX_HEADER_DIR}. Set HDF5_ROOT to an HDF5 that is built with it.")
  endif()
endforeach()

include(${CMAKE_CURRENT_LIST_DIR}/SeamScotch.cmake)

seam_require(CLI11)
seam_require(fmt)
seam_require(PNG)
seam_require(ZLIB)
