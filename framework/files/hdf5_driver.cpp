#include <seam/framework/files/hdf5_driver.hpp>

#include <fcntl.h>
#include <hdf5.h>
#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <system_error>

namespace seam::detail {
namespace {

/// A file that is open for reading. HDF5 knows its first member.
struct bounded_input {
  H5FD_t of_hdf5{};
  int number = -1;
  haddr_t bytes = 0;             ///< of the file
  haddr_t end_of_allocation = 0; ///< as HDF5 sets it

  bounded_input() = default;
  bounded_input(bounded_input const&) = delete;
  bounded_input& operator=(bounded_input const&) = delete;
  ~bounded_input() {
    if (number >= 0)
      ::close(number);
  }
};

bounded_input& bounded_of(H5FD_t* file) { return *reinterpret_cast<bounded_input*>(file); }
bounded_input const& bounded_of(H5FD_t const* file) {
  return *reinterpret_cast<bounded_input const*>(file);
}

/// Leaves an error for check_hdf5(), and returns HDF5's value of a failure.
herr_t fail_for_hdf5(hid_t kind, std::string const& why) {
  H5Epush2(H5E_DEFAULT, "hdf5_driver.cpp", "read_within_file", __LINE__, H5E_ERR_CLS, H5E_FILE,
           kind, "%s", why.c_str());
  return -1;
}

std::string cause_in_errno() { return std::generic_category().message(errno); }

H5FD_t* open_bounded(char const* path, unsigned, hid_t, haddr_t) {
  std::unique_ptr<bounded_input> made(new (std::nothrow) bounded_input);
  if (!made)
    return nullptr;
  struct stat facts {};
  made->number = ::open(path, O_RDONLY | O_CLOEXEC);
  if (made->number < 0 || ::fstat(made->number, &facts) != 0) {
    fail_for_hdf5(H5E_CANTOPENFILE, cause_in_errno());
    return nullptr;
  }
  made->bytes = static_cast<haddr_t>(facts.st_size);
  return &made.release()->of_hdf5;
}

herr_t close_bounded(H5FD_t* file) {
  delete &bounded_of(file);
  return 0;
}

herr_t query_bounded(H5FD_t const*, unsigned long* flags) {
  *flags = H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE;
  return 0;
}

haddr_t allocation_of_bounded(H5FD_t const* file, H5FD_mem_t) {
  return bounded_of(file).end_of_allocation;
}

herr_t set_allocation_of_bounded(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  bounded_of(file).end_of_allocation = end;
  return 0;
}

haddr_t bytes_of_bounded(H5FD_t const* file, H5FD_mem_t) { return bounded_of(file).bytes; }

herr_t read_bounded(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, std::size_t size, void* into) {
  bounded_input const& input = bounded_of(file);
  if (offset > input.bytes || size > input.bytes - offset)
    return fail_for_hdf5(H5E_READERROR, std::to_string(size) + " bytes at byte " +
                                            std::to_string(offset) +
                                            " (expected a part of the file, which has " +
                                            std::to_string(input.bytes) + ")");
  for (std::span left(static_cast<std::byte*>(into), size); !left.empty();) {
    auto const count = ::pread(input.number, left.data(), left.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return fail_for_hdf5(H5E_READERROR, count < 0 ? cause_in_errno() : "it has become shorter");
    left = left.subspan(count);
    offset += static_cast<haddr_t>(count);
  }
  return 0;
}

herr_t write_bounded(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, std::size_t, void const*) {
  return fail_for_hdf5(H5E_WRITEERROR, "the file is open for reading");
}

H5FD_class_t make_bounded_driver() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 1);
#endif
  driver.name = "seam_input";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.open = open_bounded;
  driver.close = close_bounded;
  driver.query = query_bounded;
  driver.get_eoa = allocation_of_bounded;
  driver.set_eoa = set_allocation_of_bounded;
  driver.get_eof = bytes_of_bounded;
  driver.read = read_bounded;
  driver.write = write_bounded;
  return driver;
}

} // namespace

void read_within_file(hdf5_object const& access) {
  static H5FD_class_t const driver = make_bounded_driver();
  hdf5_object const known(H5FDregister(&driver), H5FDunregister, "H5FDregister");
  check_hdf5(H5Pset_driver(access, known, nullptr), "H5Pset_driver");
}

} // namespace seam::detail
