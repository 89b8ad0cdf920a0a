# How each package that seam links is found. The root list includes this to build seam, and the
# installed package includes it, so that a program that uses seam finds the same libraries.
#
# seam_find(<package>)    a macro; SEAM_LACKS says what is missing, or is empty. With SEAM_QUIET, which
#                         is QUIET or empty, nothing is said of what is found.

include(${CMAKE_CURRENT_LIST_DIR}/SeamParts.cmake)

set(SEAM_FIND_DIR ${CMAKE_CURRENT_LIST_DIR})
# Debian's packages. SeamMpi.cmake names those of which there is one for each MPI library.
set(SEAM_DEBIAN_fmt libfmt-dev)
set(SEAM_DEBIAN_HWLOC libhwloc-dev)
set(SEAM_DEBIAN_CLI11 libcli11-dev)
set(SEAM_DEBIAN_WEBP libwebp-dev)
set(SEAM_DEBIAN_PNG libpng-dev)
set(SEAM_DEBIAN_ZLIB zlib1g-dev)
set(SEAM_DEBIAN_PETSC libpetsc-real-dev)

macro(seam_find package)
  set(SEAM_LACKS "")
  if("${package}" STREQUAL "MPI")
    include(${SEAM_FIND_DIR}/SeamMpi.cmake)
  elseif("${package}" MATCHES "^(Kokkos|Scotch)$")
    include(${SEAM_FIND_DIR}/Seam${package}.cmake)
  elseif("${package}" STREQUAL "HDF5")
    seam_find_parallel_hdf5()
  elseif("${package}" STREQUAL "HWLOC")
    seam_find_modules(HWLOC hwloc)
  elseif("${package}" STREQUAL "WEBP")
    seam_find_modules(WEBP libwebp libwebpmux)
  elseif("${package}" STREQUAL "PETSC")
    include(${SEAM_FIND_DIR}/SeamPetsc.cmake)
  else()
    find_package(${package} ${SEAM_QUIET})
  endif()
  if(NOT ${package}_FOUND AND NOT SEAM_LACKS)
    set(SEAM_LACKS "no ${package} found (Debian: ${SEAM_DEBIAN_${package}})")
  endif()
endmacro()

# Modules of pkg-config, as the target PkgConfig::<name>.
macro(seam_find_modules name)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET ${ARGN})
  else()
    set(SEAM_LACKS "no pkg-config found, which finds ${name} (Debian: pkg-config)")
  endif()
endmacro()

# Debian's HDF5 for each MPI library has a compiler of its own, which tells where it is.
macro(seam_find_parallel_hdf5)
  if(NOT CMAKE_C_COMPILER_LOADED) # by which CMake looks for HDF5
    enable_language(C)
  endif()
  if(SEAM_MPI_FOUND_AS AND NOT HDF5_ROOT AND NOT DEFINED ENV{HDF5_ROOT})
    find_program(HDF5_C_COMPILER_EXECUTABLE NAMES h5pcc.${SEAM_MPI_FOUND_AS} h5pcc NAMES_PER_DIR)
  endif()
  set(HDF5_PREFER_PARALLEL TRUE)
  find_package(HDF5 ${SEAM_QUIET} COMPONENTS C)
  if(HDF5_FOUND AND NOT HDF5_IS_PARALLEL)
    set(SEAM_LACKS "HDF5 in ${HDF5_INCLUDE_DIRS} is serial; expected one built with MPI (Debian: \
${SEAM_DEBIAN_HDF5}). Set HDF5_ROOT to it")
  endif()
  foreach(_seam_library IN LISTS HDF5_C_LIBRARIES)
    seam_built_with_this_mpi("${_seam_library}" _seam_fits)
    if(NOT _seam_fits)
      set(SEAM_LACKS "${_seam_library} is built with another MPI library than that in \
${MPI_CXX_HEADER_DIR}. Set HDF5_ROOT to an HDF5 that is built with it")
    endif()
  endforeach()
  seam_without_own_definitions(hdf5::hdf5-shared hdf5-shared hdf5::hdf5 HDF5::HDF5)
endmacro()

# Since HDF5 2 its targets pass on definitions that the C library reads, which its own sources need;
# precompiled headers, which are compiled without them, could not be used.
function(seam_without_own_definitions)
  foreach(library IN LISTS ARGN)
    if(TARGET ${library})
      get_target_property(definitions ${library} INTERFACE_COMPILE_DEFINITIONS)
      if(definitions)
        list(FILTER definitions EXCLUDE REGEX "^_(FILE_OFFSET_BITS|LARGEFILE|POSIX_C_SOURCE|GNU_SOURCE)")
        set_target_properties(${library} PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${definitions}")
      endif()
    endif()
  endforeach()
endfunction()
