/// The arguments that families of MPI's collectives share, in their order, up to the communicator.
#pragma once

#include "problem.hpp"

#include <tuple>

namespace collective_bench {

/// Blocks of one length for each edge.
inline auto equal_blocks(problem& on) {
  return std::tuple(on.out.data(), on.count, MPI_DOUBLE, on.in.data(), on.count, MPI_DOUBLE);
}

/// Blocks of one length, received into scratch from which the blocks of all sources are added up.
inline auto blocks_to_add(problem& on) {
  on.arrived.resize(on.in.memory.size());
  return std::tuple(on.out.data(), on.count, MPI_DOUBLE, on.arrived.data(), on.count, MPI_DOUBLE);
}

/// Blocks of different lengths.
inline auto blocks_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.places.data(), MPI_DOUBLE,
                    on.in.data(), on.in.counts.data(), on.in.places.data(), MPI_DOUBLE);
}

/// Blocks with a datatype each; neighborhood collectives take displacements as MPI_Aint.
inline auto blocks_by_types(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.far_places.data(),
                    on.out.types.data(), on.in.data(), on.in.counts.data(), on.in.far_places.data(),
                    on.in.types.data());
}

/// Blocks with a datatype each, for MPI_Alltoallw on complete communicators.
inline auto blocks_by_types_of_all(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.byte_places.data(),
                    on.out.types.data(), on.in.data(), on.in.counts.data(),
                    on.in.byte_places.data(), on.in.types.data());
}

/// One block to send; blocks of different lengths to receive.
inline auto from_others_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.own_count, MPI_DOUBLE, on.in.data(), on.in.counts.data(),
                    on.in.places.data(), MPI_DOUBLE);
}

/// Blocks of different lengths to send; one to receive, from the root.
inline auto to_others_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.places.data(), MPI_DOUBLE,
                    on.in.data(), on.own_count, MPI_DOUBLE, on.root);
}

template <class Arguments>
auto with_root(Arguments const& arguments) {
  return [=](problem& on) { return std::tuple_cat(arguments(on), std::tuple(on.root)); };
}

/// The root's block, sent or received.
inline auto block_of_root(problem& on) {
  return std::tuple(on.is_root() ? on.out.data() : on.in.data(), on.count, MPI_DOUBLE, on.root);
}

/// Values to reduce.
inline auto values(problem& on) {
  return std::tuple(on.out.data(), on.in.data(), on.count, MPI_DOUBLE, MPI_SUM);
}
inline auto values_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.in.data(), on.out.counts.data(), MPI_DOUBLE, MPI_SUM);
}

inline auto nothing(problem&) { return std::tuple(); }

} // namespace collective_bench
