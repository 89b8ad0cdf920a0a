#include <seam/framework/files/output_file.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/unfinished_file.hpp>
#include <seam/framework/program/print.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <system_error>

namespace seam {
using namespace detail;

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_path(std::string const& path, std::string const& why) {
  refuse(fmt::format("output: cannot write '{}': {}", path, why));
}

std::string words_of(int error_number) { return std::generic_category().message(error_number); }

/// An open file, which the destructor closes.
class descriptor {
public:
  descriptor(std::string const& path, int flags) : number_(::open(path.c_str(), flags, 0666)) {}
  descriptor(descriptor const&) = delete;
  descriptor& operator=(descriptor const&) = delete;
  ~descriptor() {
    if (is_open())
      ::close(number_);
  }
  bool is_open() const noexcept { return number_ >= 0; }
  int number() const noexcept { return number_; }

private:
  int number_;
};

/// Makes writes beyond the limit of a file's size (ulimit -f) fail with an error, unless the program
/// has a handler of the signal that would end it.
void outlive_size_limit() {
  static bool const is_set = [] {
    struct sigaction now {};
    if (::sigaction(SIGXFSZ, nullptr, &now) == 0 && now.sa_handler == SIG_DFL)
      std::signal(SIGXFSZ, SIG_IGN);
    return true;
  }();
  static_cast<void>(is_set);
}

/// Returns the file that `path` leads to, after links, and refuses one that cannot be replaced.
std::string place_of(std::string const& path) {
  std::error_code trouble;
  fs::path place = path;
  if (fs::is_symlink(place, trouble))
    place = fs::weakly_canonical(place, trouble);
  if (place.filename().empty())
    refuse_path(path, "this names no file");
  auto const found = fs::status(place, trouble);
  if (trouble == std::errc::filename_too_long)
    refuse_path(path, trouble.message());
  if (fs::is_directory(found))
    refuse_path(path, "this is a directory");
  if (fs::exists(found) && !fs::is_regular_file(found))
    refuse_path(path, "this is not a regular file");
  if (fs::exists(found) && ::access(place.c_str(), W_OK) != 0)
    refuse_path(path, words_of(errno));
  return place;
}

/// Creates an empty file beside `place`, and removes unfinished files of killed programs there.
std::string create_beside(std::string const& place, std::string const& path) {
  detail::remove_leftovers(place);
  auto temporary = detail::create_unfinished(place);
  if (temporary.empty())
    refuse_path(path, words_of(errno));
  return temporary;
}

/// True if both paths lead to one file, which need not exist.
bool is_same_file(std::string const& path, std::string const& other) {
  std::error_code trouble;
  return fs::equivalent(path, other, trouble) ||
         fs::weakly_canonical(fs::absolute(path), trouble) ==
             fs::weakly_canonical(fs::absolute(other), trouble);
}

void check_output(wanted_output const& output, std::string const& input,
                  std::span<wanted_output const> before) {
  auto const& [option, path, suffix] = output;
  if (!path.ends_with(suffix))
    refuse(fmt::format("{}: the suffix of '{}' (expected {})", option, path, suffix));
  if (!input.empty() && is_same_file(path, input))
    refuse(fmt::format("{}: '{}' is the input (expected another file)", option, path));
  for (wanted_output const& other : before)
    if (!other.path.empty() && is_same_file(path, other.path))
      refuse(fmt::format("{}: '{}' is the file of {} (expected another)", option, path,
                         other.option));
}

/// Free bytes of the file system of `place`.
std::int64_t free_bytes_at(std::string const& place) {
  struct statvfs disk {};
  if (::statvfs(place.c_str(), &disk) != 0)
    return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(disk.f_bavail * disk.f_frsize);
}

/// Allocates `bytes` of disk space. Where the file system cannot, checks how much is free.
void allocate(std::string const& temporary, std::int64_t bytes, std::string const& path) {
  descriptor const file(temporary, O_WRONLY | O_CLOEXEC);
  if (!file.is_open() || bytes == 0 || ::fallocate(file.number(), 0, 0, bytes) == 0)
    return;
  int const trouble =
      errno == EOPNOTSUPP && free_bytes_at(temporary) < bytes ? ENOSPC : errno; // as on NFS 4.1
  if (trouble == ENOSPC || trouble == EFBIG || trouble == EDQUOT)
    refuse_path(path, fmt::format("{} bytes are needed: {}", bytes, words_of(trouble)));
}

/// Waits until a file or folder is on the disk; true also where the file system cannot wait.
bool flush(int number) {
  return ::fsync(number) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

/// Writes this node's buffers of the file to the disk. A rank that cannot see the file has not
/// written into it.
void sync_file(mpi::comm_view over, std::string const& temporary, std::string const& path) {
  descriptor const file(temporary, O_WRONLY | O_CLOEXEC);
  if (!file.is_open() && errno == ENOENT && over.rank() != 0)
    return;
  if (!file.is_open() || !flush(file.number()))
    refuse_path(path, words_of(errno));
}

/// Renames the file to `place`, and writes the folder to the disk.
void move_to_place(std::string const& temporary, std::string const& place,
                   std::string const& path) {
  if (std::rename(temporary.c_str(), place.c_str()) != 0)
    refuse_path(path, words_of(errno));
  fs::path const folder = fs::path(place).parent_path();
  descriptor const names(folder.empty() ? "." : folder.string(),
                         O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (names.is_open() && !flush(names.number()))
    refuse_path(path, words_of(errno));
}

/// The number of a file of the series `path`; -1 if `name` belongs to no such file.
std::int64_t number_in(fs::path const& path, std::string const& name) {
  std::string const stem = path.stem().string() + "-", suffix = path.extension().string();
  if (name.size() <= stem.size() + suffix.size() || !name.starts_with(stem) ||
      !name.ends_with(suffix))
    return -1;
  auto const* const end = name.data() + name.size() - suffix.size();
  std::int64_t number = -1;
  auto const [behind, trouble] = std::from_chars(name.data() + stem.size(), end, number);
  return trouble == std::errc() && behind == end ? number : -1;
}

/// Throws for the first file in the folder that a file of the series cannot replace.
void check_series(std::string const& path, std::int64_t last, std::int64_t step) {
  fs::path const folder = fs::path(path).parent_path();
  std::error_code trouble;
  fs::directory_iterator entry(folder.empty() ? "." : folder, trouble);
  for (; !trouble && entry != fs::directory_iterator(); entry.increment(trouble)) {
    std::int64_t const number = number_in(path, entry->path().filename().string());
    if (number >= 0 && number <= last && number % step == 0)
      place_of(numbered_path(path, number));
  }
}

} // namespace

output_file::output_file(mpi::comm_view over, std::string const& path) : over_(over), path_(path) {
  outlive_size_limit();
  collectively(over_, [&] {
    if (over_.rank() == 0) {
      place_ = place_of(path_);
      temporary_ = create_beside(place_, path_);
    }
  });
  mpi::bcast(over_, temporary_, 0);
}

output_file::~output_file() {
  if (!place_.empty() && !is_committed_)
    ::unlink(temporary_.c_str());
}

void output_file::reserve(std::int64_t bytes) const {
  collectively(over_, [&] {
    if (over_.rank() == 0)
      allocate(temporary_, bytes, path_);
  });
}

void output_file::commit() {
  collectively(over_, [&] { sync_file(over_, temporary_, path_); });
  rename();
}

void output_file::write_on_rank_0(std::function<void(std::string const& temporary)> const& write) {
  collectively(over_, [&] {
    if (over_.rank() != 0)
      return;
    write(temporary_);
    sync_file(over_, temporary_, path_);
  });
  rename();
}

void output_file::rename() {
  collectively(over_, [&] {
    if (over_.rank() == 0)
      move_to_place(temporary_, place_, path_);
  });
  is_committed_ = true;
}

void detail::flush_to_disk(mpi::comm_view over, std::string const& path) {
  collectively(over, [&] { sync_file(over, path, path); });
}

void detail::flush_to_disk(std::string const& path) {
  descriptor const file(path, O_WRONLY | O_CLOEXEC);
  if (!file.is_open() || !flush(file.number()))
    refuse_path(path, words_of(errno));
}

void require_writable(mpi::comm_view over, std::string const& path) {
  constexpr std::int64_t small = 1 << 16; // pictures and tables need at least so much
  output_file(over, path).reserve(small);
}

void require_writable_series(mpi::comm_view over, std::string const& path, std::int64_t last,
                             std::int64_t step) {
  require_writable(over, numbered_path(path, 0));
  require_writable(over, numbered_path(path, last - last % step));
  collectively(over, [&] {
    if (over.rank() == 0)
      check_series(path, last, step);
  });
}

void require_outputs(mpi::comm_view over, std::string const& input,
                     std::vector<wanted_output> const& outputs) {
  detail::call_scope const here("require_outputs");
  for (int k = 0; k < std::ssize(outputs); ++k) {
    if (outputs[k].path.empty())
      continue;
    collectively(over, [&] {
      if (over.rank() == 0)
        check_output(outputs[k], input, std::span(outputs).first(k));
    });
    require_writable(over, outputs[k].path);
  }
}

void write_text(mpi::comm_view over, std::string_view text, std::string const& path) {
  detail::call_scope const here("write_text");
  output_file(over, path).write_on_rank_0([&](std::string const& temporary) {
    std::ofstream stream(temporary, std::ios::binary);
    errno = 0;
    stream << text << std::flush;
    if (!stream)
      refuse_path(path, errno != 0 ? words_of(errno) : "the disk refuses");
  });
}

void print_written(mpi::comm_view over, std::vector<std::string> paths) {
  std::erase(paths, "");
  if (!paths.empty())
    print(over, "wrote {}\n", fmt::join(paths, ", "));
}

std::string numbered_path(std::string const& path, std::int64_t number) {
  fs::path const whole = path;
  auto const name =
      fmt::format("{}-{:04}{}", whole.stem().string(), number, whole.extension().string());
  return whole.parent_path() / name;
}

} // namespace seam
