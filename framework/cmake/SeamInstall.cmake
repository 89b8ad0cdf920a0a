# What is installed beside libraries and programs, in two components: runtime is all that
# programs need, development what is needed to write others. No installed file names a place of the
# machine that built it, so that the prefix may be moved.
include(CMakePackageConfigHelpers)

if(SEAM_CARRIED_KOKKOS)
  install(DIRECTORY ${SEAM_KOKKOS_PREFIX}/ DESTINATION ${SEAM_CARRIED_KOKKOS}
    COMPONENT development PATTERN bin EXCLUDE PATTERN "*.so*" EXCLUDE)
  file(GLOB shared ${SEAM_KOKKOS_PREFIX}/${SEAM_KOKKOS_LIBDIR}/*.so*)
  install(FILES ${shared} DESTINATION ${SEAM_CARRIED_KOKKOS}/${SEAM_KOKKOS_LIBDIR}
    COMPONENT runtime)
endif()

seam_install_headers()

# The package of CMake: targets by parts, how the libraries are found that they need, the version.
set(seam_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/seam)
set(SEAM_LIBRARY_PREFIX ${CMAKE_STATIC_LIBRARY_PREFIX})
set(SEAM_LIBRARY_SUFFIX ${CMAKE_STATIC_LIBRARY_SUFFIX})
if(SEAM_SHARED)
  set(SEAM_LIBRARY_PREFIX ${CMAKE_SHARED_LIBRARY_PREFIX})
  set(SEAM_LIBRARY_SUFFIX ${CMAKE_SHARED_LIBRARY_SUFFIX})
endif()
configure_package_config_file(${SEAM_CMAKE_DIR}/seamConfig.cmake.in
  ${PROJECT_BINARY_DIR}/seamConfig.cmake INSTALL_DESTINATION ${seam_package_dir}
  PATH_VARS SEAM_CARRIED_KOKKOS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/seamConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
foreach(part IN LISTS SEAM_BUILT ITEMS seam)
  install(EXPORT seam_${part} NAMESPACE seam:: FILE ${part}Targets.cmake
    DESTINATION ${seam_package_dir} COMPONENT development)
endforeach()
install(FILES
  ${PROJECT_BINARY_DIR}/seamConfig.cmake
  ${PROJECT_BINARY_DIR}/seamConfigVersion.cmake
  ${SEAM_CMAKE_DIR}/SeamCompilers.cmake
  ${SEAM_CMAKE_DIR}/SeamDependencies.cmake
  ${SEAM_CMAKE_DIR}/SeamKokkos.cmake
  ${SEAM_CMAKE_DIR}/SeamMpi.cmake
  ${SEAM_CMAKE_DIR}/SeamParts.cmake
  ${SEAM_CMAKE_DIR}/SeamPetsc.cmake
  ${SEAM_CMAKE_DIR}/SeamScotch.cmake
  DESTINATION ${seam_package_dir} COMPONENT development)
include(SeamPkgConfig)
if(SEAM_APPS)
  seam_name_programs_left_out()
endif()

# Pages, examples, and the inputs that they and --help name, at the same places as in the sources, so
# that links and commands of the pages hold there.
install(FILES README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE SECURITY.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
foreach(program IN ITEMS jacobi partition)
  install(DIRECTORY apps/${program}/inputs DESTINATION ${CMAKE_INSTALL_DOCDIR}/apps/${program}
    COMPONENT runtime)
endforeach()
