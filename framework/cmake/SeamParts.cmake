# The parts of seam, the lowest first: what each does, its folder, the parts below that it uses, and
# the packages that it links (SeamDependencies.cmake finds them). The build reads this table, and so
# does the installed package: a program that asks for some parts needs what these and those below them
# link, and nothing more. PRIVATE packages are named in no public header; a part that is a shared
# library has linked them already.
#
# seam_with_those_below(<out> <part> ...)    these parts and all below them, the lowest first

set(SEAM_ALL_PARTS "")
function(seam_part name)
  cmake_parse_arguments(arg "" "FOLDER;DOES" "BELOW;PACKAGES;PRIVATE" ${ARGN})
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${name})
  endif()
  set(SEAM_ALL_PARTS ${SEAM_ALL_PARTS} ${name} PARENT_SCOPE)
  set(SEAM_FOLDER_${name} ${arg_FOLDER} PARENT_SCOPE)
  set(SEAM_DOES_${name} "${arg_DOES}" PARENT_SCOPE)
  set(SEAM_BELOW_${name} "${arg_BELOW}" PARENT_SCOPE)
  set(SEAM_PACKAGES_${name} "${arg_PACKAGES}" PARENT_SCOPE)
  set(SEAM_PRIVATE_PACKAGES_${name} "${arg_PRIVATE}" PARENT_SCOPE)
endfunction()

seam_part(exchange
  DOES "Messages between processes that have a topology: collectives, halos, sparse exchange"
  PACKAGES MPI fmt)
seam_part(point_to_point FOLDER exchange/point_to_point BELOW exchange
  DOES "Single messages and windows between processes that have a topology"
  PACKAGES fmt)
seam_part(partitioned FOLDER exchange/partitioned BELOW exchange point_to_point
  DOES "Partitioned messages and collectives"
  PACKAGES fmt)
seam_part(steps FOLDER exchange/steps BELOW exchange
  DOES "The core of steps: kernels that declare what they read, planned and run on grids and meshes"
  PACKAGES Kokkos fmt)
seam_part(mapping BELOW exchange
  DOES "Names of processes, neighborhoods, machines, orders of ranks"
  PACKAGES fmt PRIVATE HWLOC Scotch)
seam_part(stencil BELOW exchange steps mapping
  DOES "Grids, their fields and halos, and steps that compute on them"
  PACKAGES Kokkos fmt)
seam_part(mesh BELOW exchange steps mapping
  DOES "Unstructured meshes, their partitions, fields, halos and fluxes, and steps that compute on them"
  PACKAGES Kokkos fmt)
seam_part(framework BELOW exchange steps mapping stencil
  DOES "Programs on grids: command lines, files, checkpoints, pictures"
  PACKAGES CLI11 Kokkos fmt PRIVATE HDF5 HWLOC WEBP PNG ZLIB)
seam_part(meshes FOLDER framework/meshes BELOW partitioned framework mesh
  DOES "Programs on meshes: their files, checkpoints and pictures, and diffusion"
  PACKAGES Kokkos fmt PRIVATE HDF5)
seam_part(c FOLDER framework/c BELOW exchange partitioned point_to_point mapping
  DOES "Topologies, partitioned operations, sparse exchange and endpoints in C"
  PACKAGES fmt)
seam_part(petsc FOLDER framework/petsc BELOW framework meshes
  DOES "Vectors, matrices and solvers of PETSc on grids and meshes")

function(seam_with_those_below out)
  set(wanted ${ARGN})
  set(found "")
  set(downwards ${SEAM_ALL_PARTS})
  list(REVERSE downwards)
  foreach(part IN LISTS downwards)
    if(part IN_LIST wanted)
      list(PREPEND found ${part})
      list(APPEND wanted ${SEAM_BELOW_${part}})
    endif()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
