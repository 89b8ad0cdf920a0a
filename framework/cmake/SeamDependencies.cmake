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

set(MPI_CXX_SKIP_MPICXX TRUE)
seam_require(MPI 3.1 COMPONENTS C CXX)

include(${CMAKE_CURRENT_LIST_DIR}/SeamKokkos.cmake)

seam_require(PkgConfig)
pkg_check_modules(HWLOC REQUIRED QUIET IMPORTED_TARGET hwloc)
pkg_check_modules(WEBP REQUIRED QUIET IMPORTED_TARGET libwebp libwebpmux)

set(HDF5_PREFER_PARALLEL TRUE)
seam_require(HDF5 COMPONENTS C)
if(NOT HDF5_IS_PARALLEL)
  message(FATAL_ERROR "seam: HDF5 in ${HDF5_INCLUDE_DIRS} is serial; expected one built with MPI \
(Debian: libhdf5-openmpi-dev). Set HDF5_ROOT to it.")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/SeamScotch.cmake)

seam_require(CLI11)
seam_require(fmt)
seam_require(PNG)
seam_require(ZLIB)
