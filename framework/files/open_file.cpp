#include <seam/framework/files/open_file.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace seam::detail {
namespace {

/// Moves all of `bytes` by transfer(bytes, offset), which moves some.
template <class Byte, class Transfer>
int move_all(std::span<Byte> bytes, std::int64_t offset, Transfer const& transfer) {
  while (!bytes.empty()) {
    ssize_t const moved = transfer(bytes, offset);
    if (moved == 0)
      return -1;
    if (moved < 0 && errno != EINTR)
      return errno;
    bytes = bytes.subspan(std::max<ssize_t>(0, moved));
    offset += std::max<ssize_t>(0, moved);
  }
  return 0;
}

} // namespace

open_file::open_file(std::string const& path, access how, char const* what)
    : number_(::open(path.c_str(), (how == access::reading ? O_RDONLY : O_WRONLY) | O_CLOEXEC)) {
  if (number_ < 0)
    refuse(fmt::format("{}: cannot open '{}': {}", what, path,
                       std::generic_category().message(errno)));
}

open_file::open_file(open_file&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

open_file::~open_file() {
  if (number_ >= 0)
    ::close(number_);
}

int open_file::read_at(std::int64_t offset, std::span<std::byte> bytes) const {
  return move_all(bytes, offset, [this](std::span<std::byte> rest, std::int64_t at) {
    return ::pread(number_, rest.data(), rest.size(), at);
  });
}

int open_file::write_at(std::int64_t offset, std::span<std::byte const> bytes) const {
  return move_all(bytes, offset, [this](std::span<std::byte const> rest, std::int64_t at) {
    return ::pwrite(number_, rest.data(), rest.size(), at);
  });
}

} // namespace seam::detail
