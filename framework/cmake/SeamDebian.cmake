# Packages for Debian, by `cpack -G DEB` in a build below /usr: seam has the programs with their manual
# pages, the pages and the inputs; libseam-dev has headers, static libraries, the packages of CMake and
# pkg-config, and the Kokkos that they were built with. ./bootstrap.sh package makes and tries them.

# What programs that use seam link: the packages that have it.
set(SEAM_DEBIAN_Scotch libscotch-dev)
set(launcher mpich)
if(TARGET Scotch::ptscotch)
  list(APPEND SEAM_DEBIAN_Scotch libptscotch-dev)
endif()
if(SEAM_MPI_FOUND_AS STREQUAL openmpi)
  set(launcher openmpi-bin)
endif()
set(depends "")
foreach(part IN LISTS SEAM_BUILT)
  foreach(package IN LISTS SEAM_PACKAGES_${part} SEAM_PRIVATE_PACKAGES_${part})
    list(APPEND depends ${SEAM_DEBIAN_${package}})
  endforeach()
endforeach()
list(REMOVE_DUPLICATES depends)
list(JOIN depends ", " depends)

set(CPACK_PACKAGE_NAME seam)
set(CPACK_PACKAGE_CONTACT "The seam developers <seam@localhost>")
set(CPACK_PACKAGE_VENDOR "The seam developers")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_PRE_BUILD_SCRIPTS ${SEAM_SETUP_DIR}/package/finish.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME seam)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS ${launcher})
# seam-guidelines judges and draws its measurements in Python.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS
  "python3-jinja2, python3-matplotlib, python3-pandas, python3-scipy")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "libseam-dev, gmsh, gnuplot")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION
"This package has the programs of seam, among them Game of Life,
Poisson's equation, waves, gases, partitions of meshes, and benchmarks
of halos, collectives and sparse exchange; their manual pages; and the
pages on all of seam.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libseam-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${depends}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "g++, cmake, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS seam)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
"seam names processes, decomposes grids and meshes, plans their messages,
and computes while they travel, with the same results on any number of
ranks and threads. This package has the headers and static libraries, and
the Kokkos that they were built with, in a directory of its own.")
include(CPack)
