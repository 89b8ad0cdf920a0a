# seam_module(<name> [FLOORS | SOURCES a.cpp ... | WITHOUT a.cpp ...]
#             [LIBRARIES MPI::MPI_CXX ...] [PRIVATE_LIBRARIES ...])
# seam_floor(<name>/<floor>)
#
# Makes the folder of one part in SeamParts.cmake a library, shared with BUILD_SHARED_LIBS: target seam_<name>, used as
# seam::<name>. It has an include root of its own, build/<preset>/include/<name>, which holds nothing
# but links to the sources. What it can include is therefore what that table names BELOW it, and an
# include that goes up the staircase does not compile.
#
# With FLOORS the folder is a staircase itself and no source lies loose in it: its floors are named
# after it, the lowest first, each has an include root too, and its sources see those of the floors
# named before and their own.
#
# seam_umbrella() makes seam::seam, which is all parts that are built but petsc.

function(seam_module name)
  cmake_parse_arguments(arg "FLOORS" "" "SOURCES;WITHOUT;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  set(folder ${SEAM_FOLDER_${name}})
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  seam_link(${root} ${folder})

  add_library(seam_${name})
  add_library(seam::${name} ALIAS seam_${name})
  set_target_properties(seam_${name} PROPERTIES EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${SEAM_SOVERSION}
    DEFINE_SYMBOL "") # sources are compiled alike for libraries of both kinds
  target_link_options(seam_${name} PRIVATE ${SEAM_EXPORTS})
  if(arg_FLOORS)
    seam_add_headers(${name} ${folder} GLOB)
  else()
    seam_add_sources(${name} ${folder} SOURCES ${arg_SOURCES} WITHOUT ${arg_WITHOUT} ROOTS ${root})
    seam_add_headers(${name} ${folder} GLOB_RECURSE)
  endif()

  seam_compile_settings(seam_${name} ${root})
  list(TRANSFORM SEAM_BELOW_${name} PREPEND seam:: OUTPUT_VARIABLE below)
  target_link_libraries(seam_${name} PUBLIC ${below} ${arg_LIBRARIES}
    PRIVATE ${arg_PRIVATE_LIBRARIES})
  if(Kokkos::kokkos IN_LIST arg_LIBRARIES)
    seam_precompile(seam_${name} HEADERS <Kokkos_Core.hpp>)
  else()
    seam_precompile(seam_${name})
  endif()

  if(SEAM_INSTALL)
    install(TARGETS seam_${name} EXPORT seam_${name}
      LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
      ARCHIVE COMPONENT development
      INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
endfunction()

function(seam_floor path)
  string(REGEX REPLACE "/.*" "" name ${path})
  string(REPLACE "/" "." root ${path})
  set(root ${PROJECT_BINARY_DIR}/include/${root})
  seam_link(${root} ${path})
  set_property(TARGET seam_${name} APPEND PROPERTY SEAM_FLOOR_ROOTS ${root})
  get_target_property(roots seam_${name} SEAM_FLOOR_ROOTS)
  target_compile_options(seam_${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${root}/seam/=>)
  seam_add_sources(${name} ${path} ROOTS ${roots})
  seam_add_headers(${name} ${path} GLOB_RECURSE)
endfunction()

# Gives the module the sources in the folder `path`, unless it names them or does WITHOUT them, each
# with the include roots of what it may see.
function(seam_add_sources name path)
  cmake_parse_arguments(arg "" "" "SOURCES;WITHOUT;ROOTS" ${ARGN})
  if(NOT arg_SOURCES)
    file(GLOB_RECURSE arg_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.cpp)
  endif()
  list(TRANSFORM arg_WITHOUT PREPEND ${PROJECT_SOURCE_DIR}/${path}/)
  list(TRANSFORM arg_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/${path}/ REGEX "^[^/]")
  list(REMOVE_ITEM arg_SOURCES "" ${arg_WITHOUT})
  string(REPLACE "/" "." together ${path})
  seam_sources_together(arg_SOURCES ${together} ${arg_SOURCES})
  target_sources(seam_${name} PRIVATE ${arg_SOURCES})
  set_source_files_properties(${arg_SOURCES} PROPERTIES INCLUDE_DIRECTORIES "${arg_ROOTS}")
endfunction()

# What a folder and all that use it are compiled with. Paths in messages begin at the folder,
# whether the file was reached through the include root or not.
function(seam_compile_settings target root)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${root}>)
  target_compile_options(${target} # of several prefixes that fit the last one counts
    PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>
    PUBLIC "${SEAM_KERNEL_OPTIONS}"
      $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${root}/seam/=>>)
  if(SEAM_CHECKED)
    target_compile_definitions(${target} PUBLIC SEAM_CHECKED=1 KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
  endif()
endfunction()

function(seam_umbrella)
  set(modules ${SEAM_BUILT})
  list(REMOVE_ITEM modules petsc)
  list(TRANSFORM modules PREPEND seam::)
  add_library(seam_seam INTERFACE)
  add_library(seam::seam ALIAS seam_seam)
  set_target_properties(seam_seam PROPERTIES EXPORT_NAME seam)
  target_link_libraries(seam_seam INTERFACE ${modules})
  if(SEAM_INSTALL)
    install(TARGETS seam_seam EXPORT seam_seam)
  endif()
endfunction()
