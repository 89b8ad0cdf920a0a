/// Vectors of Cartesian neighborhoods, as message combining sees them: blocks travel along one
/// dimension after the other, so that a vector's block passes the processes at its prefixes.
///
///     vector (2, 0, 1):   (0, 0, 0) -> (2, 0, 0) -> (2, 0, 1)     two hops
#pragma once

#include <seam/exchange/communicator/detail/cartesian_structure.hpp>
#include <seam/exchange/planning/detail/vector_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace seam::detail {

using grid_vector = cartesian_structure::vector;

/// `v` with zeros in all but its first `length` dimensions, in the order of `dimensions`.
grid_vector prefix(grid_vector const& v, std::vector<int> const& dimensions, int length);

grid_vector opposite(grid_vector v);

/// The vector of `length` along one of `num_dimensions` dimensions.
grid_vector along(std::ptrdiff_t num_dimensions, int dimension, int length);

/// Reduces `v` modulo the extents of periodic dimensions: vectors to the same process become equal.
grid_vector reduced(cartesian_structure const& on, grid_vector v);

bool is_zero(grid_vector const& v);

/// The number of dimensions in which `v` is not zero: a block takes one hop in each.
std::ptrdiff_t num_hops(grid_vector const& v);

/// The numbers of all dimensions, in order.
std::vector<int> in_order(cartesian_structure const& on);

/// The lengths of vectors along one dimension, each once, without 0.
std::set<int> lengths(cartesian_structure const& on, int dimension);

/// The number of combined messages that a process sends: one for each dimension and length.
int num_messages(cartesian_structure const& on);

/// The prefixes of vectors that end in a step along dimension k, which blocks make in phase `k`.
std::set<grid_vector> steps_of_phase(cartesian_structure const& on,
                                     std::vector<int> const& dimensions, int k);

/// The number of blocks that a process sends in an allgather along `dimensions` in this order.
std::int64_t allgather_volume(cartesian_structure const& on, std::vector<int> const& dimensions);

/// The order of dimensions in which the fewest blocks travel; the first if several are equal.
std::vector<int> cheapest_order(cartesian_structure const& on);

/// The vectors of a structure that carry bytes.
struct loaded_structure {
  cartesian_structure on;
  vector_bytes bytes;
};

loaded_structure loaded_part(cartesian_structure const& whole, vector_bytes const& bytes);

} // namespace seam::detail
