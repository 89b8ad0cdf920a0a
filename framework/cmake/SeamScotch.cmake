# Finds Scotch and PT-Scotch, which have no package files of their own: targets Scotch::scotch and
# Scotch::ptscotch. Scotch_ROOT names an installation. Where several are installed for integers of
# different sizes, the headers and the libraries of one folder belong together.
set(_seam_scotch_missing "")
find_path(SEAM_SCOTCH_INCLUDE ptscotch.h HINTS ${Scotch_ROOT}/include PATH_SUFFIXES scotch)
foreach(_seam_library IN ITEMS scotch scotcherr ptscotch)
  find_library(SEAM_${_seam_library}_LIBRARY ${_seam_library} HINTS ${Scotch_ROOT}/lib)
  mark_as_advanced(SEAM_${_seam_library}_LIBRARY)
  if(NOT SEAM_${_seam_library}_LIBRARY)
    list(APPEND _seam_scotch_missing ${_seam_library})
  endif()
endforeach()
mark_as_advanced(SEAM_SCOTCH_INCLUDE)
if(NOT SEAM_SCOTCH_INCLUDE OR _seam_scotch_missing)
  message(FATAL_ERROR "seam: no Scotch with PT-Scotch found (Debian: libptscotch-dev). Set \
Scotch_ROOT to it.")
endif()
if(NOT TARGET Scotch::scotch)
  add_library(Scotch::scotch INTERFACE IMPORTED)
  target_include_directories(Scotch::scotch SYSTEM INTERFACE ${SEAM_SCOTCH_INCLUDE})
  target_link_libraries(Scotch::scotch INTERFACE ${SEAM_scotch_LIBRARY} ${SEAM_scotcherr_LIBRARY})
  add_library(Scotch::ptscotch INTERFACE IMPORTED)
  target_link_libraries(Scotch::ptscotch INTERFACE
    ${SEAM_ptscotch_LIBRARY} Scotch::scotch MPI::MPI_CXX)
endif()
