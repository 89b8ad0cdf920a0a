# Finds MPI, and tells which library it is: SEAM_MPI_FOUND_AS is openmpi, mpich, or empty for others.
# SEAM_LACKS says what is wrong with it. Also part of the installed package, whose programs need the MPI
# library that seam was built with.
#
# seam_built_with_this_mpi(<library> <out>)     whether a shared library loads no other MPI library
#
# Debian has several MPI libraries side by side, and lets a machine choose what mpicxx and mpiexec
# are. Where they are such choices, SEAM_MPI overrides them by mpicxx.openmpi or mpicxx.mpich: Open
# MPI, with which Debian builds PETSc, PT-Scotch and Zoltan, unless SEAM_MPI says otherwise. An mpicxx
# of other origin that comes first in PATH is taken as it is.

if(NOT DEFINED SEAM_MPI)
  set(SEAM_MPI "" CACHE STRING "The MPI library that is expected, openmpi or mpich; empty: any")
endif()
if(NOT MPI_EXECUTABLE_SUFFIX AND NOT MPI_CXX_COMPILER AND NOT MPI_HOME)
  set(_seam_suffix .openmpi)
  if(SEAM_MPI)
    set(_seam_suffix .${SEAM_MPI})
  endif()
  find_program(_seam_mpicxx NAMES mpicxx${_seam_suffix} mpicxx NAMES_PER_DIR NO_CACHE)
  if(_seam_mpicxx MATCHES "\\${_seam_suffix}$")
    set(MPI_EXECUTABLE_SUFFIX ${_seam_suffix})
  endif()
endif()

set(MPI_CXX_SKIP_MPICXX TRUE)
set(_seam_languages CXX)
if(CMAKE_C_COMPILER_LOADED)
  set(_seam_languages C CXX)
endif()
find_package(MPI 3.1 ${SEAM_QUIET} COMPONENTS ${_seam_languages})

set(SEAM_MPI_FOUND_AS "")
if(EXISTS "${MPI_CXX_HEADER_DIR}/mpi.h")
  file(STRINGS ${MPI_CXX_HEADER_DIR}/mpi.h _seam_mpi_names
    REGEX "^# *define +(OPEN_MPI|MPICH_NUMVERSION) ")
  if(_seam_mpi_names MATCHES OPEN_MPI)
    set(SEAM_MPI_FOUND_AS openmpi)
  elseif(_seam_mpi_names)
    set(SEAM_MPI_FOUND_AS mpich)
  endif()
endif()
if(SEAM_MPI AND SEAM_MPI_FOUND_AS AND NOT SEAM_MPI STREQUAL SEAM_MPI_FOUND_AS)
  set(SEAM_LACKS "expected the MPI library ${SEAM_MPI} (SEAM_MPI), found ${SEAM_MPI_FOUND_AS} in \
${MPI_CXX_HEADER_DIR}. Set MPI_CXX_COMPILER and MPI_C_COMPILER to its compilers")
endif()

set(_seam_mpi ${SEAM_MPI_FOUND_AS})
if(NOT _seam_mpi)
  set(_seam_mpi openmpi)
endif()
set(SEAM_DEBIAN_MPI lib${_seam_mpi}-dev)
set(SEAM_DEBIAN_HDF5 libhdf5-${_seam_mpi}-dev)

# Lists what objdump prints of a shared library under `key`, NEEDED or SONAME, of names that begin
# with libmpi; nothing for other files.
function(seam_mpi_names_in library key out)
  set(names "")
  if(CMAKE_OBJDUMP AND EXISTS "${library}")
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library}
      OUTPUT_VARIABLE text ERROR_QUIET)
    string(REGEX MATCHALL "${key} +libmpi[^\n ]*" names "${text}")
    list(TRANSFORM names REPLACE "^${key} +" "")
  endif()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

function(seam_built_with_this_mpi library out)
  seam_mpi_names_in("${library}" NEEDED needed)
  set(ours "")
  foreach(mpi_library IN LISTS MPI_C_LIBRARIES MPI_CXX_LIBRARIES)
    seam_mpi_names_in("${mpi_library}" SONAME name)
    list(APPEND ours ${name})
  endforeach()
  set(fits TRUE)
  if(needed AND ours)
    set(others ${needed})
    list(REMOVE_ITEM others ${ours})
    if(others STREQUAL needed)
      set(fits FALSE)
    endif()
  endif()
  set(${out} ${fits} PARENT_SCOPE)
endfunction()
