# The headers of the parts. Programs include the stable ones alone, whose names do not change when
# files move: stencil/public/grid.hpp is <seam/grid.hpp>, framework/c/public/c/sparse.h is
# <seam/c/sparse.h>. The headers that a stable header includes are public: it brings what they
# declare. All others are internal.
#
# seam_link(<root> <path>)                adds a folder to an include root
# seam_link_stable_headers(<root> <path>) adds the stable headers of a folder
# seam_add_headers(<part> <path> <glob>)  headers of a part; all are compiled alone by the target
#                                         all_verify_interface_header_sets, those that are not
#                                         stable with SEAM_VERIFY_INTERNALS
# seam_list_public_headers()              lists all public headers in build/<preset>/public_headers
# seam_install_headers()                  installs the stable ones, and what they need in seam/detail

option(SEAM_VERIFY_INTERNALS "Compile headers alone that are not stable, too" ON)

# Makes <root>/seam/<path> a link to the folder `path`.
function(seam_link root path)
  cmake_path(GET path PARENT_PATH parent)
  if(parent AND IS_SYMLINK ${root}/seam/${parent}) # of a build made when all of `parent` was linked
    file(REMOVE ${root}/seam/${parent})
  endif()
  file(MAKE_DIRECTORY ${root}/seam/${parent})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${path} ${root}/seam/${path} SYMBOLIC)
endfunction()

# Makes <root>/seam/<header> a link to each stable header of the folder `path`.
function(seam_link_stable_headers root path)
  seam_find_stable_headers(stable ${path})
  foreach(header IN LISTS stable)
    cmake_path(GET header PARENT_PATH parent)
    file(MAKE_DIRECTORY ${root}/seam/${parent})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${path}/public/${header} ${root}/seam/${header} SYMBOLIC)
  endforeach()
endfunction()

# The headers below <path>/public, as programs name them behind seam/: "grid.hpp", "c/sparse.h".
function(seam_find_stable_headers out path)
  set(public ${PROJECT_SOURCE_DIR}/${path}/public)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${public} ${public}/*.hpp ${public}/*.h)
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# Declares the headers in the folder `path`, found by `glob`, as they are seen through the part's
# include root.
function(seam_add_headers name path glob)
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  set(folder ${PROJECT_SOURCE_DIR}/${path})
  seam_find_stable_headers(stable ${path})
  list(TRANSFORM stable PREPEND ${folder}/public/ OUTPUT_VARIABLE files)
  set_property(GLOBAL APPEND PROPERTY SEAM_STABLE_HEADERS ${files})
  list(TRANSFORM stable PREPEND ${root}/seam/)

  file(${glob} internal CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.hpp ${folder}/*.h)
  list(FILTER internal EXCLUDE REGEX "^public/")
  list(TRANSFORM internal PREPEND ${root}/seam/${path}/)
  seam_verify_headers(seam_${name}_stable ${name} ${root} ${stable})
  seam_verify_headers(seam_${name}_internals ${name} ${root} ${internal})
  set_target_properties(seam_${name}_internals PROPERTIES
    VERIFY_INTERFACE_HEADER_SETS ${SEAM_VERIFY_INTERNALS})
endfunction()

# Adds headers to those that `target` compiles alone, as programs do that link the part `name`.
function(seam_verify_headers target name root)
  if(NOT TARGET ${target})
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE seam_${name})
  endif()
  target_sources(${target} INTERFACE FILE_SET HEADERS BASE_DIRS ${root} FILES ${ARGN})
endfunction()

# Each line is a stable header and a file that it brings, which is its own or one that it includes.
function(seam_list_public_headers)
  get_property(stable GLOBAL PROPERTY SEAM_STABLE_HEADERS)
  set(text "")
  foreach(file IN LISTS stable)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    string(REGEX REPLACE ".*/public/" "" header ${file})
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
    string(APPEND text "${header} ${path}\n")
    file(STRINGS ${file} included REGEX "^#include <seam/[^/>]+/[^>]+\\.hpp>")
    list(TRANSFORM included REPLACE "^#include <seam/([^>]+)>.*" "\\1")
    get_property(known GLOBAL PROPERTY SEAM_PUBLIC_HEADERS)
    foreach(other IN LISTS included)
      if(other IN_LIST known)
        message(FATAL_ERROR "${path}: another stable header includes ${other}, too (expected one)")
      endif()
    endforeach()
    set_property(GLOBAL APPEND PROPERTY SEAM_PUBLIC_HEADERS ${included})
    list(TRANSFORM included REPLACE "(.+)" "${header} \\1\n")
    string(APPEND text ${included})
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/public_headers CONTENT "${text}" @ONLY)
endfunction()

# Headers change without a new configuration, so the script follows their includes at installation.
function(seam_install_headers)
  get_property(stable GLOBAL PROPERTY SEAM_STABLE_HEADERS)
  set(stage ${PROJECT_BINARY_DIR}/installed_headers)
  set(script ${PROJECT_BINARY_DIR}/stage_headers.cmake)
  configure_file(${SEAM_CMAKE_DIR}/stage_headers.cmake.in ${script} @ONLY)
  install(SCRIPT ${script} COMPONENT development)
  install(DIRECTORY ${stage}/seam DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
endfunction()
