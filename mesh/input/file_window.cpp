#include <seam/mesh/input/file_window.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace seam::detail {
namespace {

[[noreturn]] void refuse_input(std::string const& path, std::string const& why) {
  throw error(fmt::format("input: cannot read '{}': {}", path, why));
}

std::string last_problem() { return std::generic_category().message(errno); }

} // namespace

file_window::file_window(std::string path)
    : path_(std::move(path)), file_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0)
    refuse_input(path_, last_problem());
  struct stat facts {};
  std::string const why = ::fstat(file_, &facts) != 0 ? last_problem()
                          : S_ISDIR(facts.st_mode)    ? "this is a directory"
                          : !S_ISREG(facts.st_mode)   ? "this is no regular file"
                                                      : "";
  if (!why.empty()) {
    ::close(file_);
    refuse_input(path_, why);
  }
  size_ = facts.st_size;
  buffer_.resize(std::min(capacity, size_));
}

file_window::~file_window() { ::close(file_); }

std::string_view file_window::at(std::int64_t offset, std::int64_t wanted) {
  std::int64_t const end = std::min(offset + std::min(wanted, capacity), size_);
  if (offset >= end)
    return {};
  if (offset < begin_ || end > end_)
    load(offset);
  return std::string_view(buffer_.data() + (offset - begin_), std::min(end, end_) - offset);
}

std::string_view file_window::ahead(std::int64_t offset) {
  if (offset >= size_)
    return {};
  if (offset < begin_ || offset >= end_)
    load(offset);
  return std::string_view(buffer_.data() + (offset - begin_), end_ - offset);
}

std::int64_t end_of_line(file_window& file, std::int64_t offset) {
  for (auto ahead = file.ahead(offset); !ahead.empty(); ahead = file.ahead(offset)) {
    auto const length = ahead.find('\n');
    if (length != ahead.npos)
      return offset + static_cast<std::int64_t>(length) + 1;
    offset += std::ssize(ahead);
  }
  return file.size();
}

void file_window::load(std::int64_t offset) {
  begin_ = end_ = offset;
  while (end_ < size_ && end_ - begin_ < std::ssize(buffer_)) {
    auto const room = std::min(std::ssize(buffer_) - (end_ - begin_), size_ - end_);
    auto const count = ::pread(file_, buffer_.data() + (end_ - begin_), room, end_);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      refuse_input(path_, last_problem());
    if (count == 0)
      refuse_input(path_, "it has become shorter while it was read");
    end_ += count;
  }
}

} // namespace seam::detail
