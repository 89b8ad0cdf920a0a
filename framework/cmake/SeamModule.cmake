# seam_module(<folder> [SOURCES a.cpp ...] [DEPENDS exchange ...] [LIBRARIES MPI::MPI_CXX ...]
#             [PRIVATE_LIBRARIES ...])
#
# Makes one folder of the staircase a library: target seam_<folder>, used as seam::<folder>. Each
# folder has an include root of its own, build/<preset>/include/<folder>, which holds nothing but
# the link seam/<folder> to the sources. What a folder can include is therefore what it names under
# DEPENDS, and an include that goes up the staircase does not compile. Every .hpp and .h is public,
# installed and compiled alone by the target all_verify_interface_header_sets; .ipp files are
# installed with them. A folder without SOURCES is a header-only library.
#
# seam_umbrella() makes seam::seam, which is all folders.

function(seam_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  seam_include_root(${name} root)

  set(scope PUBLIC)
  if(arg_SOURCES)
    add_library(seam_${name} STATIC ${arg_SOURCES})
  else()
    set(scope INTERFACE)
    add_library(seam_${name} INTERFACE)
  endif()
  add_library(seam::${name} ALIAS seam_${name})
  set_target_properties(seam_${name} PROPERTIES EXPORT_NAME ${name})

  seam_add_headers(${name} ${root} ${scope})
  seam_compile_settings(seam_${name} ${root} ${scope})
  list(TRANSFORM arg_DEPENDS PREPEND seam::)
  target_link_libraries(seam_${name} ${scope} ${arg_DEPENDS} ${arg_LIBRARIES})
  if(arg_PRIVATE_LIBRARIES)
    target_link_libraries(seam_${name} PRIVATE ${arg_PRIVATE_LIBRARIES})
  endif()
  if(Kokkos::kokkos IN_LIST arg_LIBRARIES)
    seam_precompile(seam_${name} HEADERS <Kokkos_Core.hpp>)
  elseif(arg_SOURCES)
    seam_precompile(seam_${name})
  endif()

  install(TARGETS seam_${name} EXPORT seamTargets
    FILE_SET HEADERS
    FILE_SET implementations)
  set_property(GLOBAL APPEND PROPERTY SEAM_MODULES ${name})
endfunction()

# Makes the include root that holds the link to the folder, and stores its path in variable `out`.
function(seam_include_root name out)
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${root}/seam)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${name} ${root}/seam/${name} SYMBOLIC)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${name}/seam.hpp)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${name}/seam.hpp ${root}/seam/seam.hpp SYMBOLIC)
  endif()
  set(${out} ${root} PARENT_SCOPE)
endfunction()

# Declares the folder's headers as they are seen through the include root.
function(seam_add_headers name root scope)
  set(folder ${PROJECT_SOURCE_DIR}/${name})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.hpp ${folder}/*.h)
  file(GLOB_RECURSE implementations CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.ipp)
  list(TRANSFORM headers PREPEND ${name}/)
  list(TRANSFORM headers REPLACE ^${name}/seam.hpp$ seam.hpp)
  list(TRANSFORM headers PREPEND ${root}/seam/)
  list(TRANSFORM implementations PREPEND ${root}/seam/${name}/)
  target_sources(seam_${name} ${scope}
    FILE_SET HEADERS BASE_DIRS ${root} FILES ${headers}
    FILE_SET implementations TYPE HEADERS BASE_DIRS ${root} FILES ${implementations})
  set_target_properties(seam_${name} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
endfunction()

# What a folder and all that use it are compiled with. Paths in messages begin at the folder,
# whether the file was reached through the include root or not.
function(seam_compile_settings target root scope)
  target_compile_features(${target} ${scope} cxx_std_20)
  target_compile_options(${target} ${scope} ${SEAM_REPRODUCIBLE}
    $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${root}/seam/=>>)
  if(SEAM_CHECKED)
    target_compile_definitions(${target} ${scope}
      SEAM_CHECKED=1 KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
  endif()
endfunction()

function(seam_umbrella)
  get_property(modules GLOBAL PROPERTY SEAM_MODULES)
  list(TRANSFORM modules PREPEND seam::)
  add_library(seam_seam INTERFACE)
  add_library(seam::seam ALIAS seam_seam)
  set_target_properties(seam_seam PROPERTIES EXPORT_NAME seam)
  target_link_libraries(seam_seam INTERFACE ${modules})
  install(TARGETS seam_seam EXPORT seamTargets)
endfunction()
