# Called by CPack when the files of a Debian package lie in place: adds what each package has to have,
# compresses what Debian has compressed, and removes licenses, which Debian has in one file.
function(finish package root)
  set(folder ${root}/usr/share/doc/${package})
  file(MAKE_DIRECTORY ${folder})
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${folder}
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${folder}/changelog.Debian @ONLY)
  file(REMOVE ${root}/usr/share/doc/seam/LICENSE)
  file(GLOB_RECURSE licenses ${root}/usr/lib/*/seam/kokkos/LICENSE)
  file(REMOVE ${licenses} "")
  file(GLOB pages ${root}/usr/share/man/man1/*.1)
  execute_process(COMMAND gzip -9nf ${folder}/changelog.Debian ${pages} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component IN ITEMS RUNTIME DEVELOPMENT)
  string(TOLOWER ${component} folder)
  finish(${CPACK_DEBIAN_${component}_PACKAGE_NAME} ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${folder})
endforeach()
