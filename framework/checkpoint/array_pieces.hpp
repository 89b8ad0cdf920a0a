/// The pieces of a stored array in its file. Each has a checksum; ranks write and verify them in
/// equal shares, whatever part of the array they hold themselves.
///
///     pieces       0 1 2 | 3 4 5 | 6 7       shares of three ranks
///     slices       0 1, 2| 3 4, 5| 6 7       what a rank has in memory at a time: some pieces
///
/// So every byte is read and verified once, on any number of ranks, large transfers are few and
/// contiguous, and memory does not grow with the array.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/framework/checkpoint/detail/stored_array.hpp>
#include <seam/framework/files/open_file.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seam::detail {

constexpr std::int64_t piece_bytes = 1 << 20; ///< as the format says; the last piece is shorter

constexpr std::int64_t num_pieces(std::int64_t bytes) noexcept {
  return (bytes + piece_bytes - 1) / piece_bytes;
}

/// The place of an array in an open file.
struct array_place {
  open_file const& file;
  std::string path;    ///< for errors
  std::int64_t offset; ///< of the first byte [bytes]
};

/// Writes an array. A disk that refuses is an error after all ranks have sent their parts.
/// @return  the checksums of this rank's share of the pieces
/// @throws usage_error  the disk refuses (on all ranks)
/// Collective: over `over`.
std::vector<std::uint32_t> write_array(Communicator const& over, stored_array const& array,
                                       array_place const& to);

/// Reads an array and verifies it.
/// @param checksums  of all pieces
/// @throws usage_error  a piece is not as it was written, with the class MPI_ERR_IO (on all ranks)
/// Collective: over `over`.
void read_array(Communicator const& over, stored_array const& array, array_place const& from,
                std::span<std::uint32_t const> checksums);

} // namespace seam::detail
