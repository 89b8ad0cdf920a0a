/// The arguments of MPI's collectives up to the communicator, for a family's operations.
#pragma once

#include "kernel/calls.hpp"

#include <tuple>

namespace guidelines {

/// Arguments of allgather and alltoall.
inline auto equal_blocks(native_scene& on) {
  buffers& moved = on.moved;
  return std::tuple(moved.out.memory.data(), moved.count, moved.type, moved.in.memory.data(),
                    moved.count, moved.type);
}

/// Arguments of allgatherv.
inline auto one_block(native_scene& on) {
  buffers& moved = on.moved;
  return std::tuple(moved.out.memory.data(), moved.count, moved.type, moved.in.memory.data(),
                    moved.in.counts.data(), moved.in.places.data(), moved.type);
}

/// Arguments of alltoallv.
inline auto blocks_by_counts(native_scene& on) {
  buffers& moved = on.moved;
  return std::tuple(moved.out.memory.data(), moved.out.counts.data(), moved.out.places.data(),
                    moved.type, moved.in.memory.data(), moved.in.counts.data(),
                    moved.in.places.data(), moved.type);
}

/// Arguments of alltoallw; neighborhood collectives take displacements as MPI_Aint.
inline auto blocks_by_types(native_scene& on) {
  blocks &out = on.moved.out, &in = on.moved.in;
  return std::tuple(out.memory.data(), out.counts.data(), out.far_places.data(), out.types.data(),
                    in.memory.data(), in.counts.data(), in.far_places.data(), in.types.data());
}
inline auto blocks_by_types_of_all(native_scene& on) {
  blocks &out = on.moved.out, &in = on.moved.in;
  return std::tuple(out.memory.data(), out.counts.data(), out.byte_places.data(), out.types.data(),
                    in.memory.data(), in.counts.data(), in.byte_places.data(), in.types.data());
}

/// Calls `visit` with the functions of `Functions` for the experiment's operation, and with their
/// arguments.
template <class Functions, class Visit>
auto visit_operation(experiment const& described, native_scene& on, Visit const& visit) {
  bool const is_global = described.call->of == family::global;
  std::string const& operation = described.call->operation;
  if (operation == "allgather")
    return is_global ? visit(Functions::allgather, equal_blocks(on))
                     : visit(Functions::neighbor_allgather, equal_blocks(on));
  if (operation == "allgatherv")
    return is_global ? visit(Functions::allgatherv, one_block(on))
                     : visit(Functions::neighbor_allgatherv, one_block(on));
  if (operation == "alltoall")
    return is_global ? visit(Functions::alltoall, equal_blocks(on))
                     : visit(Functions::neighbor_alltoall, equal_blocks(on));
  if (operation == "alltoallv")
    return is_global ? visit(Functions::alltoallv, blocks_by_counts(on))
                     : visit(Functions::neighbor_alltoallv, blocks_by_counts(on));
  return is_global ? visit(Functions::alltoallw, blocks_by_types_of_all(on))
                   : visit(Functions::neighbor_alltoallw, blocks_by_types(on));
}

} // namespace guidelines
