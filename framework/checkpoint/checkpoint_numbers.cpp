#include <seam/framework/checkpoint/checkpoint_numbers.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/output_file.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

namespace seam::detail {
namespace {

namespace fs = std::filesystem;

/// The number in "run-0007.h5" of the series "run.h5"; -1 if `name` is none of its files.
std::int64_t number_in(fs::path const& series, std::string_view name) {
  std::string const stem = series.stem().string() + "-", suffix = series.extension().string();
  if (name.size() <= stem.size() + suffix.size() || !name.starts_with(stem) ||
      !name.ends_with(suffix))
    return -1;
  auto const digits = name.substr(stem.size(), name.size() - stem.size() - suffix.size());
  std::int64_t number = -1;
  auto const [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  bool const is_number = trouble == std::errc() && end == digits.data() + digits.size();
  return is_number && fs::path(numbered_path(series, number)).filename() == name ? number : -1;
}

/// True if `file` is the one that `path` names now.
bool is_file_at(int file, std::string const& path) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

[[noreturn]] void refuse_lock(std::string const& path, std::string const& why) {
  refuse(fmt::format("checkpoint: '{}': {}", path, why));
}

} // namespace

std::vector<std::int64_t> checkpoint_numbers(std::string const& path) {
  fs::path const folder = fs::path(path).parent_path();
  std::vector<std::int64_t> numbers;
  std::error_code trouble;
  fs::directory_iterator entry(folder.empty() ? "." : folder, trouble);
  for (; !trouble && entry != fs::directory_iterator(); entry.increment(trouble))
    if (std::int64_t const number = number_in(path, entry->path().filename().string()); number >= 0)
      numbers.push_back(number);
  std::ranges::sort(numbers, std::greater());
  return numbers;
}

void remove_checkpoints(std::string const& path, std::int64_t last) {
  for (std::int64_t const number : checkpoint_numbers(path))
    if (number <= last)
      ::unlink(numbered_path(path, number).c_str());
}

series_lock::series_lock(std::string const& path) : place_(path + ".lock") {
  while (file_ < 0) {
    file_ = ::open(place_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file_ < 0)
      refuse_lock(path, fmt::format("cannot be locked: '{}': {}", place_,
                                    errno == ELOOP ? "this is a symbolic link"
                                                   : std::generic_category().message(errno)));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(std::exchange(file_, -1));
      refuse_lock(path, "another job writes checkpoints of this name (expected another "
                        "--checkpoint-file)");
    }
    if (!is_file_at(file_, place_)) // a job has removed it meanwhile
      ::close(std::exchange(file_, -1));
  }
}

series_lock::series_lock(series_lock&& other) noexcept
    : place_(std::move(other.place_)), file_(std::exchange(other.file_, -1)) {}

series_lock& series_lock::operator=(series_lock&& other) noexcept {
  std::swap(place_, other.place_);
  std::swap(file_, other.file_);
  return *this;
}

series_lock::~series_lock() {
  if (file_ < 0)
    return;
  ::unlink(place_.c_str());
  ::close(file_);
}

} // namespace seam::detail
