# seam_module(<name> [FLOORS | SOURCES a.cpp ... | WITHOUT a.cpp ...]
#             [LIBRARIES MPI::MPI_CXX ...] [PRIVATE_LIBRARIES ...] [COLD | HOT a.cpp ...])
# seam_floor(<name>/<floor> [COLD | HOT a.cpp ...] [FIRST a.cpp ...] [WITH_NEXT])
#
# Makes the folder of one part in SeamParts.cmake a library, shared with BUILD_SHARED_LIBS: target seam_<name>, used as
# seam::<name>. It has an include root of its own, build/<preset>/include/<name>, which holds nothing
# but links to the sources. What it can include is therefore what that table names BELOW it, and an
# include that goes up the staircase does not compile.
#
# With FLOORS the folder is a staircase itself and no source lies loose in it: its floors are the folders
# in it that are named after it, the lowest first; each has an include root too, and its sources see those of the floors
# named before and their own.
#
# COLD sources have no loops over cells, bytes or points, and nothing that each message or step does: they
# are compiled with -O1, in two thirds of the time. So are all sources but HOT ones where these are named.
# FIRST are sources that include what takes long to compile: with SEAM_TOGETHER it is read once for all.
# Sources of a floor WITH_NEXT are too few for a compilation: with SEAM_TOGETHER they are compiled as the
# next floor's are.
#
# seam_umbrella() makes seam::seam, which is all parts that are built but petsc.

function(seam_module name)
  cmake_parse_arguments(arg "FLOORS;COLD" "" "SOURCES;WITHOUT;LIBRARIES;PRIVATE_LIBRARIES;HOT"
    ${ARGN})
  seam_word_if(cold COLD ${arg_COLD})
  set(folder ${SEAM_FOLDER_${name}})
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  seam_link_stable_headers(${root} ${folder})
  if(NOT arg_FLOORS)
    seam_link(${root} ${folder})
  endif()

  add_library(seam_${name})
  add_library(seam::${name} ALIAS seam_${name})
  set_target_properties(seam_${name} PROPERTIES EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${SEAM_SOVERSION}
    DEFINE_SYMBOL "") # sources are compiled alike for libraries of both kinds
  target_link_options(seam_${name} PRIVATE ${SEAM_EXPORTS})
  if(arg_FLOORS)
    seam_add_headers(${name} ${folder} GLOB)
  else()
    seam_add_sources(${name} ${folder} SOURCES ${arg_SOURCES} WITHOUT ${arg_WITHOUT} ROOTS ${root}
      HOT ${arg_HOT} ${cold})
    seam_add_headers(${name} ${folder} GLOB_RECURSE)
  endif()

  seam_compile_settings(seam_${name} ${root})
  list(TRANSFORM SEAM_BELOW_${name} PREPEND seam:: OUTPUT_VARIABLE below)
  target_link_libraries(seam_${name} PUBLIC ${below} ${arg_LIBRARIES}
    PRIVATE ${arg_PRIVATE_LIBRARIES})
  seam_precompile(${name})

  if(SEAM_INSTALL)
    install(TARGETS seam_${name} EXPORT seam_${name}
      LIBRARY COMPONENT runtime NAMELINK_COMPONENT development OPTIONAL
      ARCHIVE COMPONENT development OPTIONAL
      INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
endfunction()

function(seam_floor path)
  cmake_parse_arguments(arg "COLD;WITH_NEXT" "" "HOT;FIRST" ${ARGN})
  seam_word_if(cold COLD ${arg_COLD})
  seam_word_if(with_next WITH_NEXT ${arg_WITH_NEXT})
  cmake_path(GET path PARENT_PATH folder)
  foreach(part IN LISTS SEAM_ALL_PARTS)
    if(SEAM_FOLDER_${part} STREQUAL folder)
      set(name ${part})
    endif()
  endforeach()
  string(REPLACE "/" "." root ${path})
  set(root ${PROJECT_BINARY_DIR}/include/${root})
  seam_link(${root} ${path})
  seam_link(${PROJECT_BINARY_DIR}/include/${name} ${path})
  set_property(TARGET seam_${name} APPEND PROPERTY SEAM_FLOOR_ROOTS ${root})
  get_target_property(roots seam_${name} SEAM_FLOOR_ROOTS)
  target_compile_options(seam_${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${root}/seam/=>)
  seam_add_sources(${name} ${path} ROOTS ${roots} HOT ${arg_HOT} FIRST ${arg_FIRST} ${cold} ${with_next})
  seam_add_headers(${name} ${path} GLOB_RECURSE)
endfunction()

# Gives the module the sources in the folder `path`, unless it names them or does WITHOUT them, each
# with the include roots of what it may see.
function(seam_add_sources name path)
  cmake_parse_arguments(arg "COLD;WITH_NEXT" "" "SOURCES;WITHOUT;ROOTS;HOT;FIRST" ${ARGN})
  if(NOT arg_SOURCES)
    file(GLOB_RECURSE arg_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.cpp)
  endif()
  foreach(list IN ITEMS arg_SOURCES arg_WITHOUT arg_HOT arg_FIRST)
    list(TRANSFORM ${list} PREPEND ${PROJECT_SOURCE_DIR}/${path}/ REGEX "^[^/]")
  endforeach()
  list(REMOVE_ITEM arg_SOURCES "" ${arg_WITHOUT} ${arg_HOT} ${arg_FIRST})
  list(PREPEND arg_SOURCES ${arg_FIRST})
  get_property(waiting TARGET seam_${name} PROPERTY SEAM_WAITING_SOURCES)
  list(PREPEND arg_SOURCES ${waiting})
  set_property(TARGET seam_${name} PROPERTY SEAM_WAITING_SOURCES "")
  if(SEAM_TOGETHER AND arg_WITH_NEXT)
    set_property(TARGET seam_${name} PROPERTY SEAM_WAITING_SOURCES ${arg_SOURCES})
    return()
  endif()
  if(arg_HOT)
    set(arg_COLD TRUE)
  endif()
  string(REPLACE "/" "." together ${path})
  seam_sources_together(hot ${together}-hot ${arg_HOT})
  seam_sources_together(others ${together} ${arg_SOURCES})
  target_sources(seam_${name} PRIVATE ${others} ${hot})
  set_source_files_properties(${others} ${hot} PROPERTIES INCLUDE_DIRECTORIES "${arg_ROOTS}")
  if(arg_COLD)
    set_property(SOURCE ${others} APPEND PROPERTY COMPILE_OPTIONS ${SEAM_COLD_OPTIONS})
  endif()
endfunction()

# Sets `out` to the word if the condition holds, else to nothing.
function(seam_word_if out word)
  set(${out} "" PARENT_SCOPE)
  if(${ARGN})
    set(${out} ${word} PARENT_SCOPE)
  endif()
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
  target_compile_definitions(${target} PUBLIC ${SEAM_CHECK_DEFINITIONS})
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
