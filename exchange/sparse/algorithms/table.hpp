/// The table of the algorithms of sparse exchange: an algorithm is a file of this folder and an
/// entry here.
#pragma once

#include <seam/exchange/sparse/algorithms/delivery.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <memory>
#include <span>
#include <string_view>

namespace seam::detail {

class deliveries;

/// An algorithm of sparse exchange.
struct named_algorithm {
  sparse_algorithm value;
  std::string_view name;

  /// Makes the algorithm, which may use others of `shared`; null of `automatic`, which is none.
  /// Collective.
  std::unique_ptr<delivery> (*make)(deliveries& shared);

  /// True if `automatic` tries the algorithm on the ranks of `shared`. Collective.
  bool (*is_tried)(deliveries& shared);

  /// The algorithm remembers edges from exchange to exchange: each SparseExchange has its own.
  bool remembers_edges = false;
};

/// All algorithms, in the order of the enumeration. Local.
std::span<named_algorithm const> named_algorithms() noexcept;

/// The entry of `algorithm`.
/// @throws usage_error  there is none
/// Local.
named_algorithm const& entry_of(sparse_algorithm algorithm);

} // namespace seam::detail
