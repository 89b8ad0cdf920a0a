#include <seam/framework/files/unfinished_file.hpp>

#include <seam/exchange/ground/digest.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

namespace seam::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = ".seam-", ending = ".part";

/// Of files that Open MPI makes beside one that ranks have open, with the number of a rank behind.
constexpr std::string_view endings_of_mpi[] = {".part.data.", ".part.metadata."};

/// A number that processes share if they see each other's process ids: those of one boot of one
/// machine, and of one container there.
std::uint32_t this_machine() {
  static std::uint32_t const number = [] {
    std::string text(256, '\0');
    ::gethostname(text.data(), text.size() - 1);
    std::string start;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), start);
    std::error_code trouble;
    text += start + fs::read_symlink("/proc/self/ns/pid", trouble).string();
    return digest().add(text).folded();
  }();
  return number;
}

/// The process that writes an unfinished file.
struct writer {
  std::uint32_t machine;
  int process;
};

/// Removes a number and the character `behind` it from the front of `text`.
template <class Number>
bool take_number(std::string_view& text, Number& number, int base, char behind) {
  auto const* const end = text.data() + text.size();
  auto const [next, trouble] = std::from_chars(text.data(), end, number, base);
  if (trouble != std::errc() || next == end || *next != behind)
    return false;
  text.remove_prefix(next + 1 - text.data());
  return true;
}

/// True if `name` ends as an unfinished file, or as one that MPI has made beside it.
bool has_ending(std::string_view name) {
  auto const number = name.find_last_not_of("0123456789") + 1;
  auto const is_end = [&](std::string_view of_mpi) {
    return name.substr(0, number).ends_with(of_mpi);
  };
  return name.ends_with(ending) ||
         (number < name.size() && std::ranges::any_of(endings_of_mpi, is_end));
}

std::optional<writer> writer_of(std::string_view name) {
  auto const begin = name.rfind(mark);
  if (begin == name.npos || !has_ending(name))
    return std::nullopt;
  std::string_view rest = name.substr(begin + mark.size());
  writer found{};
  int attempt = 0;
  bool const is_ours = take_number(rest, found.machine, 16, '-') &&
                       take_number(rest, found.process, 10, '-') &&
                       take_number(rest, attempt, 10, ending.front());
  return is_ours ? std::optional(found) : std::nullopt;
}

bool is_old(fs::path const& path) {
  std::error_code trouble;
  auto const changed = fs::last_write_time(path, trouble);
  return !trouble && fs::file_time_type::clock::now() - changed > std::chrono::hours(24);
}

/// True for a process that has ended and waits to be noticed by its parent, which may take a while
/// if the launcher has ended before it.
bool is_zombie(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string const text{std::istreambuf_iterator<char>(file), {}};
  auto const name_end = text.rfind(") "); // of "17 (seam-heat) Z 1 ...": names may have blanks
  return name_end != text.npos && text.compare(name_end, 4, ") Z ") == 0;
}

bool has_ended(writer const& found, fs::path const& path) {
  if (found.machine != this_machine())
    return is_old(path);
  if (found.process <= 0)
    return false;
  bool const is_gone = ::kill(found.process, 0) != 0 && errno == ESRCH;
  return is_gone || is_zombie(found.process);
}

std::int64_t longest_name(fs::path const& folder) {
  constexpr long usual = 255;
  long const longest = ::pathconf(folder.empty() ? "." : folder.c_str(), _PC_NAME_MAX);
  return longest > 0 ? longest : usual;
}

/// Cuts a name in UTF-8 to at most `bytes` bytes, between two letters.
std::string_view front_of(std::string_view name, std::int64_t bytes) {
  if (std::ssize(name) <= bytes)
    return name;
  while (bytes > 0 && (static_cast<unsigned char>(name[bytes]) & 0xC0U) == 0x80U)
    --bytes;
  return name.substr(0, bytes);
}

/// True in the first call for a folder.
bool is_first_look_at(fs::path const& folder) {
  static std::mutex mutex;
  static std::set<std::string> seen;
  std::error_code trouble;
  std::lock_guard const alone(mutex);
  return seen.insert(fs::absolute(folder, trouble).lexically_normal().string()).second;
}

} // namespace

std::string create_unfinished(std::string const& place) {
  constexpr int attempts = 100;
  fs::path const path = place, folder = path.parent_path();
  for (int attempt = 0; attempt < attempts; ++attempt) {
    auto const end =
        fmt::format("{}{:08x}-{}-{}{}", mark, this_machine(), ::getpid(), attempt, ending);
    auto const name = path.filename().string();
    std::string made =
        folder / (std::string(front_of(name, longest_name(folder) - std::ssize(end))) + end);
    int const file = ::open(made.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file >= 0) {
      ::close(file);
      return made;
    }
    if (errno != EEXIST)
      break;
  }
  return {};
}

void remove_leftovers(std::string const& place) {
  fs::path const folder = fs::path(place).parent_path();
  if (!is_first_look_at(folder))
    return;
  std::error_code trouble;
  fs::directory_iterator entry(folder.empty() ? "." : folder, trouble);
  for (; !trouble && entry != fs::directory_iterator(); entry.increment(trouble)) {
    auto const found = writer_of(entry->path().filename().string());
    if (found && has_ended(*found, entry->path()))
      ::unlink(entry->path().c_str());
  }
}

} // namespace seam::detail
