# Finds Scotch and PT-Scotch, which have no package files of their own: targets Scotch::scotch and,
# where there is a PT-Scotch that is built with this MPI library, Scotch::ptscotch. Scotch_ROOT names
# an installation. Where several are installed for integers of different sizes, the headers and the
# libraries of one folder belong together. SEAM_LACKS says what is missing.
find_path(SEAM_SCOTCH_INCLUDE scotch.h HINTS ${Scotch_ROOT}/include PATH_SUFFIXES scotch)
foreach(_seam_library IN ITEMS scotch scotcherr ptscotch)
  find_library(SEAM_${_seam_library}_LIBRARY ${_seam_library} HINTS ${Scotch_ROOT}/lib)
  mark_as_advanced(SEAM_${_seam_library}_LIBRARY)
endforeach()
mark_as_advanced(SEAM_SCOTCH_INCLUDE)
set(Scotch_FOUND FALSE)
if(SEAM_SCOTCH_INCLUDE AND SEAM_scotch_LIBRARY AND SEAM_scotcherr_LIBRARY)
  set(Scotch_FOUND TRUE)
else()
  set(SEAM_LACKS "no Scotch found (Debian: libscotch-dev, and libptscotch-dev for Open MPI). Set \
Scotch_ROOT to it")
endif()
if(Scotch_FOUND AND NOT TARGET Scotch::scotch)
  add_library(Scotch::scotch INTERFACE IMPORTED)
  target_include_directories(Scotch::scotch SYSTEM INTERFACE ${SEAM_SCOTCH_INCLUDE})
  target_link_libraries(Scotch::scotch INTERFACE ${SEAM_scotch_LIBRARY} ${SEAM_scotcherr_LIBRARY})
endif()

set(_seam_fits FALSE)
if(SEAM_ptscotch_LIBRARY AND EXISTS ${SEAM_SCOTCH_INCLUDE}/ptscotch.h)
  seam_built_with_this_mpi(${SEAM_ptscotch_LIBRARY} _seam_fits)
endif()
if(_seam_fits AND NOT TARGET Scotch::ptscotch)
  add_library(Scotch::ptscotch INTERFACE IMPORTED)
  target_link_libraries(Scotch::ptscotch INTERFACE
    ${SEAM_ptscotch_LIBRARY} Scotch::scotch MPI::MPI_CXX)
elseif(NOT _seam_fits)
  message(STATUS "seam: no PT-Scotch that is built with this MPI library; Scotch divides gathered \
graphs in its place")
endif()
