/// The format of checkpoint files, as they are written and read.
#pragma once

#include <seam/framework/checkpoint/checkpoint_file.hpp>
#include <seam/framework/files/hdf5_object.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace seam::detail {

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
