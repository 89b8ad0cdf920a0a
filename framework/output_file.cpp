#include <seam/framework/output_file.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <span>
#include <system_error>
#include <unistd.h>

namespace seam {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_path(std::string const& path, std::string const& why) {
  refuse(fmt::format("output: cannot write '{}': {}", path, why));
}

std::string words_of(int error_number) { return std::generic_category().message(error_number); }

/// An open file, closed in the end.
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

/// The file that `path` leads to, made sure to be one that may be replaced.
std::string place_of(std::string const& path) {
  std::error_code trouble;
  fs::path place = path;
  if (fs::is_symlink(place, trouble))
    place = fs::weakly_canonical(place, trouble);
  if (place.filename().empty())
    refuse_path(path, "this names no file");
  auto const found = fs::status(place, trouble);
  if (fs::is_directory(found))
    refuse_path(path, "this is a directory");
  if (fs::exists(found) && !fs::is_regular_file(found))
    refuse_path(path, "this is not a regular file");
  if (fs::exists(found) && ::access(place.c_str(), W_OK) != 0)
    refuse_path(path, words_of(errno));
  return place;
}

/// Creates an empty file beside `place` that did not exist before, and returns its path.
std::string create_beside(std::string const& place, std::string const& path) {
  constexpr int attempts = 100;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    auto temporary = fmt::format("{}.{}-{}.part", place, ::getpid(), attempt);
    if (descriptor(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC).is_open())
      return temporary;
    if (errno != EEXIST)
      refuse_path(path, words_of(errno));
  }
  refuse_path(path, "unfinished files of earlier runs are in the way");
}

/// True if both paths lead to one file, which need not exist.
bool is_same_file(std::string const& one, std::string const& other) {
  std::error_code trouble;
  return fs::equivalent(one, other, trouble) ||
         fs::weakly_canonical(fs::absolute(one), trouble) ==
             fs::weakly_canonical(fs::absolute(other), trouble);
}

void check_output(wanted_output const& one, std::string const& input,
                  std::span<wanted_output const> before) {
  if (!one.path.ends_with(one.suffix))
    refuse(fmt::format("{}: the suffix of '{}' (expected {})", one.option, one.path, one.suffix));
  if (!input.empty() && is_same_file(one.path, input))
    refuse(fmt::format("{}: '{}' is the input (expected another file)", one.option, one.path));
  for (wanted_output const& other : before)
    if (!other.path.empty() && is_same_file(one.path, other.path))
      refuse(fmt::format("{}: '{}' is the file of {} (expected another)", one.option, one.path,
                         other.option));
}

/// Sets room aside; where the file system cannot, writing will tell.
void allocate(std::string const& temporary, std::int64_t bytes, std::string const& path) {
  descriptor const file(temporary, O_WRONLY | O_CLOEXEC);
  if (!file.is_open() || bytes == 0 || ::fallocate(file.number(), 0, 0, bytes) == 0)
    return;
  if (errno == ENOSPC || errno == EFBIG || errno == EDQUOT)
    refuse_path(path, fmt::format("{} bytes are needed: {}", bytes, words_of(errno)));
}

} // namespace

output_file::output_file(mpi::comm_view over, std::string const& path) : over_(over), path_(path) {
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
  collectively(over_, [&] {
    if (over_.rank() == 0 && std::rename(temporary_.c_str(), place_.c_str()) != 0)
      refuse_path(path_, words_of(errno));
  });
  is_committed_ = true;
}

void require_writable(mpi::comm_view over, std::string const& path) { output_file(over, path); }

void require_outputs(mpi::comm_view over, std::string const& input,
                     std::vector<wanted_output> const& outputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
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
  output_file file(over, path);
  collectively(over, [&] {
    if (over.rank() != 0)
      return;
    std::ofstream stream(file.temporary(), std::ios::binary);
    stream << text << std::flush;
    if (!stream)
      refuse_path(path, "the disk refuses");
  });
  file.commit();
}

std::string numbered_path(std::string const& path, std::int64_t number) {
  fs::path const whole = path;
  auto const name =
      fmt::format("{}-{:04}{}", whole.stem().string(), number, whole.extension().string());
  return whole.parent_path() / name;
}

} // namespace seam
