#include <seam/framework/checkpoint/checkpoint.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/shares.hpp>
#include <seam/framework/checkpoint/array_pieces.hpp>
#include <seam/framework/checkpoint/checkpoint_file.hpp>
#include <seam/framework/checkpoint/checkpoint_numbers.hpp>
#include <seam/framework/files/hdf5_object.hpp>
#include <seam/framework/files/open_file.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/program/last_words.hpp>

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

namespace seam::detail {
namespace {

void check_name(std::string const& name, std::span<stored_array const> before) {
  if (name.empty() || name.find('/') != name.npos || name == "." || name.size() > 200)
    refuse(fmt::format("checkpoint: the name '{}' (expected 1 to 200 letters without '/')", name));
  for (stored_array const& other : before)
    if (other.name == name)
      refuse(fmt::format("checkpoint: two states are named '{}'", name));
}

/// The checksum of all values, which all ranks have.
std::string digest_of_values(std::span<stored_array const> state) {
  uLong crc = 0;
  for (stored_array const& array : state)
    if (array.is_replicated)
      array.visit_runs({0, array.bytes()}, false, [&](stored_run const& run) {
        crc = ::crc32_z(crc, reinterpret_cast<Bytef const*>(run.memory), run.bytes);
      });
  return fmt::format("{:08x}", crc);
}

std::string words_of(std::span<stored_array const> state) {
  std::string words;
  for (stored_array const& array : state)
    words += fmt::format("'{}' of {}; ", array.name, array.identity);
  return words;
}

/// Collective: over `over`.
void check_state(Communicator const& over, std::span<stored_array const> state) {
  require_same(over.context(), "checkpoint: state", words_of(state));
  collectively(over.context(), [&] {
    for (int a = 0; a < std::ssize(state); ++a)
      check_name(state[a].name, state.first(a));
  });
}

open_file open_to(std::string const& path, open_file::access how) {
  return {path, how, "checkpoint"};
}

/// Writes all arrays, and returns on rank 0 the checksums of each.
/// Collective: over `over`.
std::vector<std::vector<std::uint32_t>> write_arrays(
    Communicator const& over, std::string const& temporary, std::string const& path,
    std::span<stored_array const> state, std::span<std::int64_t const> offsets) {
  auto const file =
      collectively(over.context(), [&] { return open_to(temporary, open_file::access::writing); });
  std::vector<std::vector<std::uint32_t>> all;
  for (int a = 0; a < std::ssize(state); ++a) {
    auto const own = write_array(over, state[a], {file, path, offsets[a]});
    std::vector<int> firsts;
    for (int rank = 0; rank <= over.size(); ++rank)
      firsts.push_back(
          static_cast<int>(begin_of_share(rank, num_pieces(state[a].bytes()), over.size())));
    all.push_back(mpi::gather(over.context(), own, firsts, 0));
  }
  return all;
}

/// Writes the whole file. Rank 0 alone describes it, before and after all ranks have written.
/// Collective: over `over`.
void write_file(Communicator const& over, output_file const& file, checkpoint_title const& title,
                std::string const& path, std::span<stored_array const> state) {
  bool const describes = over.rank() == 0;
  std::vector<std::int64_t> offsets(state.size());
  file.reserve(bytes_of_description(state));
  collectively(over.context(), [&] {
    if (describes)
      offsets = lay_out_checkpoint(file.temporary(), title, state);
  });
  file.reserve(bytes_of_checkpoint(state));
  mpi::bcast(over.context(), std::span(offsets), 0);
  auto const checksums = write_arrays(over, file.temporary(), path, state, offsets);
  collectively(over.context(), [&] {
    if (describes)
      seal_checkpoint(file.temporary(), title, state, checksums);
  });
}

/// Rank 0's list of numbers, on all ranks.
/// Collective: over `over`.
std::vector<std::int64_t> agreed_numbers(Communicator const& over, std::string const& path) {
  std::vector<std::int64_t> numbers;
  if (over.rank() == 0)
    numbers = checkpoint_numbers(path);
  std::int64_t count = std::ssize(numbers);
  mpi::bcast(over.context(), std::span(&count, 1), 0);
  numbers.resize(count);
  mpi::bcast(over.context(), std::span(numbers), 0);
  return numbers;
}

/// The files that `path` names, the newest first: those of a run, else the file itself if there is one.
/// Collective: over `over`.
std::vector<std::string> agreed_files(Communicator const& over, std::string const& path) {
  std::vector<std::string> files;
  for (std::int64_t const number : agreed_numbers(over, path))
    files.push_back(numbered_path(path, number));
  std::error_code trouble;
  int is_file = over.rank() == 0 && std::filesystem::is_regular_file(path, trouble) ? 1 : 0;
  mpi::bcast(over.context(), std::span(&is_file, 1), 0);
  if (files.empty() && is_file != 0)
    files.push_back(path);
  return files;
}

/// The runs that this process has saved or loaded. Threads: any.
class own_runs {
public:
  void add(std::string const& path) {
    std::lock_guard const lock(mutex_);
    paths_.insert(name_of(path));
  }
  bool has(std::string const& path) const {
    std::lock_guard const lock(mutex_);
    return paths_.contains(name_of(path));
  }

private:
  static std::string name_of(std::string const& path) {
    std::error_code trouble;
    return std::filesystem::weakly_canonical(path, trouble).string();
  }

  mutable std::mutex mutex_;
  std::set<std::string> paths_;
} runs;

/// Finds the arrays on rank 0, tells all ranks, and makes room for those that have any size.
/// Collective: over `over`.
std::vector<found_array> agreed_arrays(Communicator const& over, std::string const& path,
                                       std::string const& program, std::span<stored_array> state) {
  std::vector<found_array> found(state.size());
  collectively(over.context(), [&] {
    if (over.rank() == 0)
      found = find_arrays(path, program, state);
  });
  for (int a = 0; a < std::ssize(state); ++a) {
    mpi::bcast(over.context(), std::span(&found[a].bytes, 1), 0);
    if (state[a].make_room)
      state[a].make_room(state[a], found[a].bytes);
    found[a].checksums.resize(num_pieces(state[a].bytes()));
    mpi::bcast(over.context(), std::span(&found[a].offset, 1), 0);
    mpi::bcast(over.context(), std::span(found[a].checksums), 0);
  }
  return found;
}

/// Collective: over `over`.
void load_file(Communicator const& over, std::string const& path, std::string const& program,
               std::vector<stored_array> state) {
  auto const found = agreed_arrays(over, path, program, state);
  auto const file =
      collectively(over.context(), [&] { return open_to(path, open_file::access::reading); });
  for (int a = 0; a < std::ssize(state); ++a)
    read_array(over, state[a], {file, path, found[a].offset}, found[a].checksums);
  for (stored_array const& array : state)
    array.loaded();
}

/// What is written in an error line about a file: the line without its place.
std::string reason_of(usage_error const& problem) {
  std::string const line = problem.what();
  return line.substr(0, line.rfind("; first on rank"));
}

} // namespace

std::shared_ptr<void> lock_checkpoints(Communicator const& over, std::string const& path) {
  return collectively(over.context(), [&]() -> std::shared_ptr<void> {
    if (over.rank() != 0)
      return nullptr;
    return std::make_shared<series_lock>(path);
  });
}

void require_own_run(Communicator const& over, std::string const& path) {
  collectively(over.context(), [&] {
    if (over.rank() != 0 || runs.has(path))
      return;
    if (auto const numbers = checkpoint_numbers(path); !numbers.empty())
      refuse(fmt::format(
          "checkpoint: '{}' is of an earlier run (expected load() of '{}' before save(), "
          "or another name)",
          numbered_path(path, numbers.front()), path));
  });
}

std::string save_checkpoint(Communicator const& over, checkpoint_place const& place,
                            std::span<stored_array const> as_declared) {
  check_state(over, as_declared);
  std::vector<stored_array> state(as_declared.begin(), as_declared.end());
  for (stored_array& array : state)
    if (array.measure)
      array.measure(array);
  require_same(over.context(), "checkpoint: values", digest_of_values(state));
  auto const numbers = agreed_numbers(over, place.path);
  checkpoint_title const title{numbers.empty() ? 1 : numbers.front() + 1, place_in_job().program};
  std::string path = numbered_path(place.path, title.number);
  output_file file(over.context(), path);
  try {
    write_file(over, file, title, path, state);
  } catch (usage_error const&) {
    throw;
  } catch (std::exception const& problem) {
    throw usage_error(
        fmt::format("checkpoint: cannot write '{}': {} [{}]", path, problem.what(), where()), true);
  }
  file.commit();
  if (over.rank() == 0)
    remove_checkpoints(place.path, title.number - std::max(1, place.keep));
  runs.add(place.path);
  return path;
}

void load_checkpoint(Communicator const& over, std::string const& path, std::string const& program,
                     std::span<stored_array const> state) {
  check_state(over, state);
  auto const files = agreed_files(over, path);
  if (files.empty())
    throw usage_error(
        fmt::format("checkpoint: there is no '{}' (expected this file, or '{}' and so on) [{}]",
                    path, numbered_path(path, 1), where()),
        true);
  for (int n = 0;; ++n)
    try {
      load_file(over, files[n], program, {state.begin(), state.end()});
      return runs.add(path);
    } catch (usage_error const& problem) {
      if (problem.error_class() != MPI_ERR_IO || n + 1 == std::ssize(files))
        throw;
      if (over.rank() == 0)
        print_error_line(reason_of(problem) + fmt::format("; '{}' is taken instead", files[n + 1]));
    }
}

} // namespace seam::detail
