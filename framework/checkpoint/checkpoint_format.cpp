#include <seam/framework/checkpoint/checkpoint_format.hpp>

#include <fmt/format.h>
#include <hdf5.h>
#include <zlib.h>

#include <bit>

namespace seam::detail {

char const* byte_order() noexcept {
  return std::endian::native == std::endian::little ? "little" : "big";
}

hdf5_object checkpoint_access() {
  hdf5_object access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
  check_hdf5(H5Pset_file_locking(access, false, true), "H5Pset_file_locking");
  // Descriptions of this version have checksums of their own.
  check_hdf5(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST),
             "H5Pset_libver_bounds");
  check_hdf5(H5Pset_alignment(access, checkpoint_page, checkpoint_page), "H5Pset_alignment");
  return access;
}

checkpoint_seal::checkpoint_seal(checkpoint_title const& title) : crc_(::crc32_z(0, nullptr, 0)) {
  add(fmt::format("{} {} {} {}\n", title.number, title.program, byte_order(), checkpoint_version));
}

void checkpoint_seal::add_array(std::string const& name, std::string const& identity,
                                std::int64_t bytes, std::span<std::uint32_t const> checksums) {
  add(fmt::format("{} {} {}\n", name, identity, bytes));
  for (std::uint32_t const checksum : checksums)
    add(fmt::format("{:08x}", checksum));
}

void checkpoint_seal::add(std::string_view text) {
  crc_ = ::crc32_z(crc_, reinterpret_cast<Bytef const*>(text.data()), text.size());
}

} // namespace seam::detail
