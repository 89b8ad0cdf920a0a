#include <seam/framework/program/launch.hpp>

#include <seam/framework/program/decimal.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

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
bool is_command_line_of_job(int argc, char const* const* argv) {
  std::string words;
  for (int index = 1; index < argc; ++index)
    words.append(index > 1 ? " " : "").append(argv[index]);
  return argc > 0 && environment("OMPI_NUM_APP_CTX") == "1" &&
         file_name(environment("OMPI_COMMAND")) == file_name(argv[0]) &&
         environment("OMPI_ARGV") == words;
}

} // namespace

std::optional<int> rank_in_uniform_job(int argc, char const* const* argv) {
  if (is_alone())
    return 0;
  if (is_command_line_of_job(argc, argv))
    return decimal<int>(environment("OMPI_COMM_WORLD_RANK"));
  return std::nullopt;
}

} // namespace seam::detail
