/// Rows of equal length with distinct keys, each on one rank, as a stored array: by ascending keys.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/numbering/ids.hpp>
#include <seam/framework/checkpoint/detail/stored_array.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace seam::detail {

/// The position of each id in the order of all ids of all ranks, each counted once. [ids.size()]
/// Collective: over `over`.
std::vector<std::int64_t> positions_of(Communicator const& over, std::span<global_id const> ids);

/// Where the rows of this rank stand among those of all ranks.
struct row_positions {
  std::int64_t total = 0;
  std::vector<std::int64_t> positions; ///< [rows of this rank]
  std::vector<std::int64_t> order;     ///< rows by ascending position
};

/// @param keys  of this rank's rows, distinct on all ranks
/// Collective: over `over`.
std::shared_ptr<row_positions const> find_row_positions(Communicator const& over,
                                                        std::span<global_id const> keys);

/// @param rows   of this rank, in the order of their keys' list; shared by the result
/// @param width  elements in a row
/// Local.
stored_array stored_rows(std::string name, std::shared_ptr<row_positions const> const& at,
                         std::shared_ptr<std::vector<std::byte>> rows, std::int64_t width,
                         element_format element);

/// The share of consecutive rows that a rank reads into `rows`, which this sizes.
/// Local.
stored_array rows_to_read(Communicator const& over, std::string name, std::int64_t total,
                          std::shared_ptr<std::vector<std::byte>> rows, std::int64_t width,
                          element_format element);

} // namespace seam::detail
