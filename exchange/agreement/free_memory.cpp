#include <seam/exchange/agreement/free_memory.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace seam::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// The number that a file of the system contains; nothing if it contains another word.
std::optional<std::int64_t> number_in(fs::path const& path) {
  std::int64_t number = 0;
  std::ifstream file(path);
  return file >> number ? std::optional(number) : std::nullopt;
}

/// The number behind a word of a file of lines, 0 if it is not there.
std::int64_t number_behind(std::string_view word, fs::path const& path) {
  std::ifstream file(path);
  for (std::string found; file >> found; file.ignore(unlimited, '\n'))
    if (std::int64_t number = 0; found == word && file >> number)
      return number;
  return 0;
}

/// The names that a kind of control groups gives its files, and the counts of file pages in them.
struct group_names {
  char const *limit, *used, *active_pages, *inactive_pages;
};

/// The memory that the control group of a folder leaves its processes. File pages can be dropped.
std::int64_t left_by_group(fs::path const& group, group_names const& names) {
  auto const limit = number_in(group / names.limit);
  auto const used = number_in(group / names.used);
  if (!limit || !used)
    return unlimited;
  auto const pages = number_behind(names.active_pages, group / "memory.stat") +
                     number_behind(names.inactive_pages, group / "memory.stat");
  return std::max<std::int64_t>(0, *limit - *used + pages);
}

std::int64_t left_by_group(fs::path const& group) {
  return left_by_group(group, {"memory.max", "memory.current", "active_file", "inactive_file"});
}

/// The memory that a control group of the older kind leaves its processes.
std::int64_t left_by_old_group() {
  return left_by_group("/sys/fs/cgroup/memory", {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                                 "total_active_file", "total_inactive_file"});
}

/// The folder of this process's control group below the root of all groups; empty if there is none.
fs::path own_group() {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("0::/"))
      return line.substr(4);
  return {};
}

/// The memory that all groups around this process leave it: a limit holds for inner groups, too.
std::int64_t left_by_groups() {
  std::int64_t left = left_by_old_group();
  fs::path const root = "/sys/fs/cgroup";
  for (fs::path group = own_group(); !group.empty(); group = group.parent_path())
    left = std::min(left, left_by_group(root / group));
  return std::min(left, left_by_group(root));
}

/// The bytes that all processes of this machine ask for.
/// Collective: over `over`.
double asked_of_machine(mpi::comm_view over, double bytes) {
  if (mpi::is_bipartite(over))
    return bytes;
  mpi::comm const machine = mpi::split_shared(over);
  return mpi::allreduce(machine, bytes, MPI_SUM);
}

} // namespace

std::int64_t free_memory() {
  std::int64_t const kibibytes = number_behind("MemAvailable:", "/proc/meminfo");
  return std::min(kibibytes > 0 ? kibibytes * 1024 : unlimited, left_by_groups());
}

void require_memory(mpi::comm_view over, double bytes, std::string_view what) {
  constexpr double little = 1 << 26;
  if (largest_of_all(over, bytes > little ? 1 : 0) == 0)
    return;
  double const asked = asked_of_machine(over, bytes);
  collectively(over, [&] {
    auto const free = static_cast<double>(free_memory());
    if (asked > free)
      refuse(
          fmt::format("{}: {:.1e} bytes of memory on one machine (expected at most {:.1e}, which "
                      "are free)",
                      what, asked, free));
  });
}

} // namespace seam::detail
