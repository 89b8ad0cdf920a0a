/// Checkpoint files: what HDF5 knows of them. One process describes a file or reads the description;
/// the arrays' bytes are written and read by all ranks (array_pieces.hpp).
///
///     /                attributes: Format, Version, ByteOrder, PieceBytes, Program, Number, Seal
///     /state/u         [levels][components][n0]...[nD-1], contiguous; attributes: Identity
///     /checksums/u     [pieces] CRC-32 of each MiB of u
///
/// The seal is the CRC-32 of all that the description says and of the checksums.
#pragma once

#include <seam/framework/checkpoint/detail/stored_array.hpp>
#include <seam/framework/files/hdf5_object.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace seam::detail {

/// The identity of a checkpoint file.
struct checkpoint_title {
  std::int64_t number = 0; ///< in its series
  std::string program;     ///< that has written it
};

/// An array that is found in a file.
struct found_array {
  std::int64_t offset = 0, bytes = 0;
  std::vector<std::uint32_t> checksums;
};

/// Creates a file with space for the arrays, and without their bytes.
/// @return  where each array begins [bytes]
/// Local.
std::vector<std::int64_t> lay_out_checkpoint(std::string const& path, checkpoint_title const& title,
                                             std::span<stored_array const> arrays);

/// Writes the checksums and the seal.
/// @param checksums  of the pieces of each array
/// Local.
void seal_checkpoint(std::string const& path, checkpoint_title const& title,
                     std::span<stored_array const> arrays,
                     std::span<std::vector<std::uint32_t> const> checksums);

/// Finds arrays in a file.
/// @param program  that has to have written it; empty: any
/// @throws usage_error  the file is damaged, with the class MPI_ERR_IO; or it is no checkpoint, is of
///         a newer format or of another program, or has no such arrays
/// Local.
std::vector<found_array> find_arrays(std::string const& path, std::string const& program,
                                     std::span<stored_array const> arrays);

/// The length of a file that holds the arrays, and of what it says of them, at most. [bytes]
std::int64_t bytes_of_checkpoint(std::span<stored_array const> arrays);
std::int64_t bytes_of_description(std::span<stored_array const> arrays);

inline constexpr std::string_view checkpoint_format = "seam checkpoint";
inline constexpr std::int64_t checkpoint_version = 1; ///< the newest
inline constexpr std::int64_t checkpoint_page =
    4096; ///< arrays begin on pages: no two ranks write into one

/// "little" or "big", of this machine.
char const* byte_order() noexcept;

/// Properties of access by which descriptions have checksums of their own. Local.
hdf5_object checkpoint_access();

/// The CRC-32 of a description and of checksums, in the order of the arrays' names.
class checkpoint_seal {
public:
  explicit checkpoint_seal(checkpoint_title const& title);
  void add_array(std::string const& name, std::string const& identity, std::int64_t bytes,
                 std::span<std::uint32_t const> checksums);
  std::int64_t value() const noexcept { return static_cast<std::int64_t>(crc_); }

private:
  void add(std::string_view text);

  unsigned long crc_;
};

} // namespace seam::detail
