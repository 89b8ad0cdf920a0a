#include "kernel/run_info.hpp"

#include <seam/exchange.hpp>
#include <seam/exchange/ground/digest.hpp>
#include <seam/exchange/mpi/library.hpp>
#include <seam/mapping.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <string_view>

namespace guidelines {
namespace {

/// The model of the processor as the operating system names it.
std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name") && line.find(": ") != line.npos)
      return line.substr(line.find(": ") + 2);
  return "unknown processor";
}

/// The words about a machine, which all deployments on it have in common.
std::string machine() {
  return fmt::format("{}, {} processors on a node", processor(), sysconf(_SC_NPROCESSORS_ONLN));
}

/// Tells builds of one version apart: a number that stands for the bytes of this program.
std::string hash_of_program() {
  std::ifstream program("/proc/self/exe", std::ios::binary);
  seam::detail::digest digest;
  std::array<std::uint64_t, 512> words{};
  while (program.read(reinterpret_cast<char*>(words.data()), sizeof words) || program.gcount() > 0)
    for (std::uint64_t& word : words)
      digest.add(std::exchange(word, 0));
  return fmt::format("{:016x}", digest.value());
}

std::string build() {
  return fmt::format("seam {}, {}, checks {}, program {}", SEAM_VERSION, SEAM_COMPILER,
                     seam::checks_are_on() ? "on" : "off", hash_of_program());
}

/// True for variables that change how a run communicates, and false for those by which a launcher
/// tells processes of one job about each other.
bool is_setting(std::string_view variable) {
  constexpr std::array<std::string_view, 11> settings{
      "LD_PRELOAD=", "OMPI_MCA_", "I_MPI_", "MPICH_", "MPIR_CVAR_", "MV2_",
      "UCX_",        "SEAM_",     "OMP_",   "FI_",    "PSM2_"};
  constexpr std::array<std::string_view, 8> of_launchers{
      "OMPI_MCA_ess",          "OMPI_MCA_mpi_oversubscribe",
      "OMPI_MCA_orte_",        "OMPI_MCA_shmem_RUNTIME",
      "OMPI_MCA_initial_wdir", "OMPI_MCA_pmix",
      "OMPI_MCA_plm",          "OMPI_MCA_odls"};
  auto const begins = [&](std::string_view prefix) { return variable.starts_with(prefix); };
  return std::ranges::any_of(settings, begins) && std::ranges::none_of(of_launchers, begins);
}

std::string settings() {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (is_setting(*variable))
      all.emplace_back(*variable);
  std::ranges::sort(all);
  return all.empty() ? "none" : fmt::format("{}", fmt::join(all, " "));
}

std::string now() {
  std::time_t const seconds = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

} // namespace

std::vector<std::pair<std::string, std::string>> describe_run(seam::Runtime const& runtime) {
  auto const placed = seam::gather_placement(runtime);
  if (runtime.rank() != 0)
    return {};
  return {{"machine", machine()},
          {"processes", fmt::format("{} on {} node{}", runtime.size(), runtime.num_nodes(),
                                    runtime.num_nodes() == 1 ? "" : "s")},
          {"hosts", fmt::format("{}", fmt::join(placed.nodes2hosts, " "))},
          {"library", seam::mpi::library_in_words()},
          {"build", build()},
          {"settings", settings()},
          {"begun", now()}};
}

} // namespace guidelines
