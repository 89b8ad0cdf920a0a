/// Migration: records go to the ranks that they are assigned to.
///
///     auto const arrived = migrate<cell>(comm, cells, cells2ranks);
#pragma once

#include <seam/mesh/partition/point_cloud.hpp>

#include <cstddef>
#include <type_traits>

namespace seam {
namespace detail {

/// Records of `record_bytes` each: the one way by which all migration travels.
/// @param records        [records2ranks.size() * record_bytes]
/// @param records2ranks  destinations
std::vector<std::byte> migrate_bytes(Communicator const& over, std::size_t record_bytes,
                                     std::span<std::byte const> records,
                                     std::span<int const> records2ranks);

} // namespace detail

/// The records that all ranks assign to this one, by the rank that they come from and then in the
/// order that they had there.
///
/// @param records2ranks  [records.size()] destinations, which may be the own rank
/// @throws usage_error  lengths differ, or a destination is no rank of `over` (on all ranks)
/// Collective: over `over`. Messages of any length, at most one from each rank to each.
/// Source: [Ibanez2015] sec. 5 (what migration asks of an exchange).
template <class T>
std::vector<T> migrate(Communicator const& over, std::span<T const> records,
                       std::span<int const> records2ranks) {
  static_assert(std::is_trivially_copyable_v<T>, "records travel as bytes");
  auto const bytes = detail::migrate_bytes(over, sizeof(T), std::as_bytes(records), records2ranks);
  std::vector<T> arrived(bytes.size() / sizeof(T));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(arrived.data()));
  return arrived;
}

/// The points that all ranks assign to this one, in the same order.
/// Collective: over `over`. Throws as above, and as examine() does.
point_set migrate(Communicator const& over, point_cloud const& points,
                  std::span<int const> points2ranks);

} // namespace seam
