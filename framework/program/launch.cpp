#include <seam/framework/program/launch.hpp>

#include <seam/framework/program/value_checks.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace seam::detail {
namespace {

/// The variables in which a launcher tells a process its rank and the number of processes.
struct launcher {
  char const* rank;
  char const* size;
};

/// The innermost first: mpiexec may have been started within a job of Slurm, and uses PMI or PMIx
/// itself. PMIx alone gives no number of processes, nor does Intel MPI's MPI_LOCALRANKID.
constexpr std::array<launcher, 7> launchers = {{{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                                                {"PMI_RANK", "PMI_SIZE"},
                                                {"FLUX_TASK_RANK", "FLUX_JOB_SIZE"},
                                                {"SLURM_PROCID", "SLURM_NTASKS"},
                                                {"PMIX_RANK", ""},
                                                {"MPI_LOCALRANKID", ""}}};

std::string_view environment(char const* variable) {
  char const* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::string file_name(std::string_view path) {
  return std::filesystem::path(path).filename().string();
}

/// True if no launcher has started this process, or has started no other.
bool is_alone() {
  auto const has_rank = [](launcher const& each) { return !environment(each.rank).empty(); };
  auto const* const found = std::ranges::find_if(launchers, has_rank);
  return found == launchers.end() || environment(found->size) == "1";
}

/// True if Open MPI has started all processes of the job with these arguments.
bool is_command_line_of_open_mpi(int argc, char const* const* argv) {
  std::string words;
  for (int index = 1; index < argc; ++index)
    words.append(index > 1 ? " " : "").append(argv[index]);
  return argc > 0 && environment("OMPI_NUM_APP_CTX") == "1" &&
         file_name(environment("OMPI_COMMAND")) == file_name(argv[0]) &&
         environment("OMPI_ARGV") == words;
}

/// True if Hydra, MPICH's launcher, has started all processes of the job with these arguments: on one
/// node, where all of them see its command line.
bool is_command_line_of_hydra(int argc, char const* const* argv) {
  auto const on_this_node = environment("MPI_LOCALNRANKS");
  return !on_this_node.empty() && on_this_node == environment("PMI_SIZE") &&
         hydra_starts_only({argv, argv + argc}, command_line_of(topmost_launcher()));
}

/// The number of words that an option of Hydra takes; nothing if it is not known.
std::optional<int> num_words_of_option(std::string_view option) {
  constexpr std::array<std::string_view, 9> of_one_word = {
      "-n", "-np", "-ppn", "-f", "-hosts", "-host", "-wdir", "-bind-to", "-map-by"};
  if (option == "-l" || option == "-genvall")
    return 0;
  if (option == "-env" || option == "-genv")
    return 2;
  bool const is_known = std::ranges::find(of_one_word, option) != of_one_word.end();
  return is_known ? std::optional(1) : std::nullopt;
}

} // namespace

bool hydra_starts_only(std::vector<std::string> const& command,
                       std::vector<std::string> const& launcher) {
  std::size_t program = 1;
  while (program < launcher.size() && launcher[program].starts_with('-')) {
    auto const num_words = num_words_of_option(launcher[program]);
    if (!num_words)
      return false;
    program += 1 + *num_words;
  }
  if (command.empty() || launcher.size() != program + command.size())
    return false;
  auto const begin = launcher.begin() + static_cast<std::ptrdiff_t>(program);
  return file_name(*begin) == file_name(command[0]) &&
         std::equal(begin + 1, launcher.end(), command.begin() + 1) &&
         std::find(begin, launcher.end(), ":") == launcher.end();
}

std::optional<int> rank_in_uniform_job(int argc, char const* const* argv) {
  if (is_alone())
    return 0;
  if (is_command_line_of_open_mpi(argc, argv))
    return decimal<int>(environment("OMPI_COMM_WORLD_RANK"));
  if (is_command_line_of_hydra(argc, argv))
    return decimal<int>(environment("PMI_RANK"));
  return std::nullopt;
}

namespace {

/// True if a process is a launcher that forwards the output of its processes.
bool is_launcher(std::string const& process) {
  constexpr std::array<std::string_view, 9> programs = {
      "orterun", "orted",   "prterun",       "prted",          "prte",
      "mpirun",  "mpiexec", "mpiexec.hydra", "hydra_pmi_proxy"};
  std::error_code unknown;
  auto const program = std::filesystem::read_symlink("/proc/" + process + "/exe", unknown);
  return std::ranges::find(programs, program.filename().string()) != programs.end();
}

/// The process that has started another one; empty if that is not known.
std::string parent_of(std::string const& process) {
  std::ifstream status("/proc/" + process + "/status");
  for (std::string word; status >> word;)
    if (word == "PPid:" && status >> word)
      return word;
  return {};
}

} // namespace

std::string topmost_launcher() {
  std::string launcher;
  for (auto next = std::to_string(::getppid()); is_launcher(next); next = parent_of(launcher))
    launcher = next;
  return launcher;
}

std::vector<std::string> command_line_of(std::string const& process) {
  std::vector<std::string> words;
  std::ifstream file("/proc/" + process + "/cmdline");
  for (std::string word; std::getline(file, word, '\0');)
    words.push_back(word);
  return words;
}

} // namespace seam::detail
