# seam_mesh(<name> GEO file DIMENSION d CELLS n)
#
# Makes build/<preset>/meshes/<name>.msh of a geometry of Gmsh before the tests that ask for it with
# seam_needs_meshes().
#
# seam_made_mesh(<name> COMMAND ...)
#
# As above, by a command that gets the file as its last argument.
#
# seam_needs_meshes(<test> ...)
#
# Their runs without shared memory, <test>.messages, ask as well. Without gmsh these tests are left out. SEAM_MESHES is the folder of the meshes.

find_program(SEAM_GMSH gmsh)
mark_as_advanced(SEAM_GMSH)
set(SEAM_MESHES ${PROJECT_BINARY_DIR}/meshes)

function(seam_mesh name)
  cmake_parse_arguments(arg "" "GEO;DIMENSION;CELLS" "" ${ARGN})
  if(NOT SEAM_TESTS OR NOT SEAM_GMSH)
    return()
  endif()
  file(MAKE_DIRECTORY ${SEAM_MESHES})
  add_test(NAME meshes.${name} COMMAND ${SEAM_GMSH} -${arg_DIMENSION} ${arg_GEO}
    -setnumber cells ${arg_CELLS} -o ${SEAM_MESHES}/${name}.msh)
  set_tests_properties(meshes.${name} PROPERTIES FIXTURES_SETUP seam_meshes TIMEOUT 120)
endfunction()

function(seam_made_mesh name)
  cmake_parse_arguments(arg "" "" "COMMAND" ${ARGN})
  if(NOT SEAM_TESTS)
    return()
  endif()
  file(MAKE_DIRECTORY ${SEAM_MESHES})
  add_test(NAME meshes.${name} COMMAND ${arg_COMMAND} ${SEAM_MESHES}/${name}.msh)
  set_tests_properties(meshes.${name} PROPERTIES FIXTURES_SETUP seam_meshes TIMEOUT 120)
endfunction()

function(seam_needs_meshes)
  list(JOIN ARGN "|" names)
  get_property(tests DIRECTORY PROPERTY TESTS)
  list(FILTER tests INCLUDE REGEX "^(${names})([.]np[0-9]+)?([.]messages)?$")
  if(tests)
    set_tests_properties(${tests} PROPERTIES FIXTURES_REQUIRED seam_meshes
      DISABLED $<NOT:$<BOOL:${SEAM_GMSH}>>)
  endif()
endfunction()
