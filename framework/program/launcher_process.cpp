#include <seam/framework/program/launcher_process.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace seam::detail {
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
