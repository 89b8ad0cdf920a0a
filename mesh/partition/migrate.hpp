/// Migration: sends records to the ranks that they are assigned to.
///
///     auto const arrived = migrate<cell>(comm, cells, cells2ranks);
#pragma once

#include <seam/mesh/partition/point_cloud.hpp>

#include <cstddef>
#include <type_traits>

namespace seam {
namespace detail {

/// Migrates records of `record_bytes` each, for all kinds of migration.
/// @param records        [records2ranks.size() * record_bytes]
/// @param records2ranks  destinations
/// Collective: over `over`.
std::vector<std::byte> migrate_bytes(Communicator const& over, std::int64_t record_bytes,
                                     std::span<std::byte const> records,
                                     std::span<int const> records2ranks);

} // namespace detail

/// Sends each record to its destination, and returns the records for this rank, by the rank that
/// sent them and then in the order that they had there.
///
/// @param records2ranks  [records.size()] destinations, which may be the own rank
/// @throws usage_error  lengths differ, or a destination is no rank of `over` (on all ranks)
/// Collective: over `over`.
/// Cost: at most one message, of any length, from each rank to each.
/// Source: [Ibanez2015] sec. 5 (requirements of migration).
template <class T>
std::vector<T> migrate(Communicator const& over, std::span<T const> records,
                       std::span<int const> records2ranks) {
  static_assert(std::is_trivially_copyable_v<T>, "records travel as bytes");
  auto const bytes = detail::migrate_bytes(over, sizeof(T), std::as_bytes(records), records2ranks);
  std::vector<T> arrived(bytes.size() / sizeof(T));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(arrived.data()));
  return arrived;
}

/// Sends each point to its destination, and returns the points for this rank, in the same order.
/// @throws usage_error  as above, and as examine() does
/// Collective: over `over`.
point_set migrate(Communicator const& over, point_cloud const& points,
                  std::span<int const> points2ranks);

} // namespace seam
