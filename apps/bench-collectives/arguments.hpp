/// The arguments that families of MPI's collectives share, in their order and up to the
/// communicator.
#pragma once

#include "problem.hpp"

#include <tuple>

namespace collective_bench {

/// A block of one length for each.
inline auto equal_blocks(problem& on) {
  return std::tuple(on.out.data(), on.count, MPI_DOUBLE, on.in.data(), on.count, MPI_DOUBLE);
}

/// The same to where others' blocks are added up.
inline auto blocks_to_add(problem& on) {
  on.arrived.resize(on.in.memory.size());
  return std::tuple(on.out.data(), on.count, MPI_DOUBLE, on.arrived.data(), on.count, MPI_DOUBLE);
}

/// Blocks of different lengths.
inline auto blocks_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.places.data(), MPI_DOUBLE,
                    on.in.data(), on.in.counts.data(), on.in.places.data(), MPI_DOUBLE);
}

/// Blocks that have types too, in neighborhoods and among all.
inline auto blocks_by_types(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.far_places.data(),
                    on.out.types.data(), on.in.data(), on.in.counts.data(), on.in.far_places.data(),
                    on.in.types.data());
}
inline auto blocks_by_types_of_all(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.byte_places.data(),
                    on.out.types.data(), on.in.data(), on.in.counts.data(),
                    on.in.byte_places.data(), on.in.types.data());
}

/// One block, and different ones from others.
inline auto from_others_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.own_count, MPI_DOUBLE, on.in.data(), on.in.counts.data(),
                    on.in.places.data(), MPI_DOUBLE);
}

/// Different blocks for others, and one.
inline auto to_others_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.out.counts.data(), on.out.places.data(), MPI_DOUBLE,
                    on.in.data(), on.own_count, MPI_DOUBLE, on.root);
}

template <class Arguments>
auto with_root(Arguments const& arguments) {
  return [=](problem& on) { return std::tuple_cat(arguments(on), std::tuple(on.root)); };
}

/// The root's block.
inline auto block_of_root(problem& on) {
  return std::tuple(on.is_root() ? on.out.data() : on.in.data(), on.count, MPI_DOUBLE, on.root);
}

/// Values to combine.
inline auto values(problem& on) {
  return std::tuple(on.out.data(), on.in.data(), on.count, MPI_DOUBLE, MPI_SUM);
}
inline auto values_by_counts(problem& on) {
  return std::tuple(on.out.data(), on.in.data(), on.out.counts.data(), MPI_DOUBLE, MPI_SUM);
}

inline auto nothing(problem&) { return std::tuple(); }

} // namespace collective_bench
