# The installed package: targets, the list of libraries that they need, and the version.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(seam_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/seam)
configure_package_config_file(${SEAM_CMAKE_DIR}/seamConfig.cmake.in
  ${PROJECT_BINARY_DIR}/seamConfig.cmake INSTALL_DESTINATION ${seam_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/seamConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT seamTargets NAMESPACE seam:: DESTINATION ${seam_package_dir})
install(FILES
  ${PROJECT_BINARY_DIR}/seamConfig.cmake
  ${PROJECT_BINARY_DIR}/seamConfigVersion.cmake
  ${SEAM_CMAKE_DIR}/SeamCompilers.cmake
  ${SEAM_CMAKE_DIR}/SeamDependencies.cmake
  ${SEAM_CMAKE_DIR}/SeamKokkos.cmake
  ${SEAM_CMAKE_DIR}/SeamMpi.cmake
  ${SEAM_CMAKE_DIR}/SeamPetsc.cmake
  ${SEAM_CMAKE_DIR}/SeamScotch.cmake
  DESTINATION ${seam_package_dir})
