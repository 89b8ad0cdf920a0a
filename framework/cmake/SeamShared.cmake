# Shared libraries. They export what seam_exports.map names, and what is installed finds them from
# where it lies itself. As long as the version's first number is 0, the second may break programs and is
# a part of the libraries' names.
include(CheckLinkerFlag)
include(GNUInstallDirs)

set(SEAM_SOVERSION ${PROJECT_VERSION_MAJOR})
if(SEAM_SOVERSION EQUAL 0)
  set(SEAM_SOVERSION 0.${PROJECT_VERSION_MINOR})
endif()

set(SEAM_EXPORTS "")
if(SEAM_SHARED)
  set(seam_exports -Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/seam_exports.map)
  check_linker_flag(CXX ${seam_exports} SEAM_HAS_VERSION_SCRIPTS)
  if(SEAM_HAS_VERSION_SCRIPTS)
    set(SEAM_EXPORTS ${seam_exports})
  endif()
  file(RELATIVE_PATH seam_libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  list(APPEND CMAKE_INSTALL_RPATH $ORIGIN $ORIGIN/${seam_libraries})
  if(SEAM_CARRIED_KOKKOS)
    list(APPEND CMAKE_INSTALL_RPATH $ORIGIN/seam/kokkos/${SEAM_KOKKOS_LIBDIR}
      $ORIGIN/${seam_libraries}/seam/kokkos/${SEAM_KOKKOS_LIBDIR})
  endif()
endif()
