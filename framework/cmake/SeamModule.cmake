# seam_module(<name> [FLOORS | SOURCES a.cpp ... | WITHOUT a.cpp ...] [PUBLIC dims naming ...]
#             [LIBRARIES MPI::MPI_CXX ...] [PRIVATE_LIBRARIES ...])
# seam_floor(<name>/<floor> [ALL_PUBLIC | PUBLIC error checks ...])
#
# Makes the folder of one part in SeamParts.cmake a library, shared with BUILD_SHARED_LIBS: target seam_<name>, used as
# seam::<name>. It has an include root of its own, build/<preset>/include/<name>, which holds nothing
# but a link to the sources. What it can include is therefore what that table names BELOW it, and an
# include that goes up the staircase does not compile.
#
# With FLOORS the folder is a staircase itself and no source lies loose in it: its floors are named
# after it, the lowest first, each has an include root too, and its sources see those of the floors
# named before and their own.
#
# PUBLIC names the headers that users include, without their suffix; with ALL_PUBLIC these are all
# headers of the floor that lie in no folder of it. They are installed, and so is what they need of
# the headers in folders called detail, which may change at any time. All other headers stay here.
# The target all_verify_interface_header_sets compiles each header alone, with SEAM_VERIFY_INTERNALS
# also those that are not installed.
#
# seam_umbrella() makes seam::seam, which is all parts that are built but petsc, and lists all public
# headers in build/<preset>/public_headers.

option(SEAM_VERIFY_INTERNALS "Compile headers alone that are not installed, too" ON)

function(seam_module name)
  cmake_parse_arguments(arg "FLOORS" "" "SOURCES;WITHOUT;PUBLIC;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  set(folder ${SEAM_FOLDER_${name}})
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  seam_link(${root} ${folder})

  add_library(seam_${name})
  add_library(seam::${name} ALIAS seam_${name})
  set_target_properties(seam_${name} PROPERTIES EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${SEAM_SOVERSION}
    DEFINE_SYMBOL "") # sources are compiled alike for libraries of both kinds
  target_link_options(seam_${name} PRIVATE ${SEAM_EXPORTS})
  add_library(seam_${name}_internals INTERFACE) # headers that are not installed
  target_link_libraries(seam_${name}_internals INTERFACE seam_${name})
  set_target_properties(seam_${name}_internals PROPERTIES
    VERIFY_INTERFACE_HEADER_SETS ${SEAM_VERIFY_INTERNALS})
  if(arg_FLOORS)
    seam_add_headers(${name} ${folder} GLOB PUBLIC ${arg_PUBLIC})
  else()
    seam_add_sources(${name} ${folder} SOURCES ${arg_SOURCES} WITHOUT ${arg_WITHOUT} ROOTS ${root})
    seam_add_headers(${name} ${folder} GLOB_RECURSE PUBLIC ${arg_PUBLIC})
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
      FILE_SET HEADERS COMPONENT development
      FILE_SET implementations COMPONENT development)
  endif()
endfunction()

function(seam_floor path)
  cmake_parse_arguments(arg "ALL_PUBLIC" "" "PUBLIC" ${ARGN})
  if(arg_ALL_PUBLIC)
    set(arg_PUBLIC "[^/]+") # a pattern of their names
  endif()
  string(REGEX REPLACE "/.*" "" name ${path})
  string(REPLACE "/" "." root ${path})
  set(root ${PROJECT_BINARY_DIR}/include/${root})
  seam_link(${root} ${path})
  set_property(TARGET seam_${name} APPEND PROPERTY SEAM_FLOOR_ROOTS ${root})
  get_target_property(roots seam_${name} SEAM_FLOOR_ROOTS)
  target_compile_options(seam_${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${root}/seam/=>)
  seam_add_sources(${name} ${path} ROOTS ${roots})
  seam_add_headers(${name} ${path} GLOB_RECURSE PUBLIC ${arg_PUBLIC})
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

# Makes <root>/seam/<path> a link to the folder `path`; the umbrella header has its link beside it.
function(seam_link root path)
  cmake_path(GET path PARENT_PATH parent)
  file(MAKE_DIRECTORY ${root}/seam/${parent})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${path} ${root}/seam/${path} SYMBOLIC)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${path}/seam.hpp)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${path}/seam.hpp ${root}/seam/seam.hpp SYMBOLIC)
  endif()
endfunction()

# Declares the headers in the folder `path`, found by `glob`, as they are seen through the module's
# include root.
function(seam_add_headers name path glob)
  cmake_parse_arguments(arg "" "" "PUBLIC" ${ARGN})
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  set(folder ${PROJECT_SOURCE_DIR}/${path})
  file(${glob} headers CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.hpp ${folder}/*.h)
  file(${glob} implementations CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.ipp)

  set(installed ${headers})
  list(FILTER installed INCLUDE REGEX "(^|/)detail/")
  foreach(unit IN LISTS arg_PUBLIC)
    set(found ${headers})
    list(FILTER found INCLUDE REGEX "^${unit}\\.(hpp|h)$")
    if(NOT found)
      message(FATAL_ERROR "${path}: no public header '${unit}'")
    endif()
    list(APPEND installed ${found})
    list(TRANSFORM found PREPEND ${path}/)
    set_property(GLOBAL APPEND PROPERTY SEAM_PUBLIC_HEADERS ${found})
  endforeach()
  set(internal ${headers})
  list(REMOVE_ITEM internal ${installed} "")

  foreach(kind IN ITEMS installed internal implementations)
    list(TRANSFORM ${kind} PREPEND ${root}/seam/${path}/)
    list(TRANSFORM ${kind} REPLACE "/framework/seam.hpp$" "/seam.hpp")
  endforeach()
  target_sources(seam_${name} INTERFACE
    FILE_SET HEADERS BASE_DIRS ${root} FILES ${installed}
    FILE_SET implementations TYPE HEADERS BASE_DIRS ${root} FILES ${implementations})
  target_sources(seam_${name}_internals INTERFACE
    FILE_SET HEADERS BASE_DIRS ${root} FILES ${internal})
  set_target_properties(seam_${name} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
endfunction()

# What a folder and all that use it are compiled with. Paths in messages begin at the folder,
# whether the file was reached through the include root or not.
function(seam_compile_settings target root)
  target_compile_features(${target} PUBLIC cxx_std_20)
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

  get_property(headers GLOBAL PROPERTY SEAM_PUBLIC_HEADERS)
  list(REMOVE_DUPLICATES headers)
  string(JOIN "\n" headers ${headers})
  file(WRITE ${PROJECT_BINARY_DIR}/public_headers "${headers}\n")
endfunction()
