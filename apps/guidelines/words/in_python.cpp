// Words that a program in Python has.
#include "words/words.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace guidelines {
namespace {

using path = std::filesystem::path;

/// The names that Debian gives to the mpiexec of this MPI library: a system may have several libraries.
#if defined(OPEN_MPI)
constexpr char const* launchers = "mpiexec.openmpi";
#elif defined(MPICH_NUMVERSION)
constexpr char const* launchers = "mpiexec.mpich,mpiexec.hydra";
#else
constexpr char const* launchers = "";
#endif

/// The interpreter that --python names; Debian's, or python3, unless told.
std::string interpreter(std::vector<std::string> const& words) {
  constexpr std::string_view option = "--python";
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (words[k] == option && k + 1 < words.size())
      return words[k + 1];
    if (words[k].starts_with(std::string(option) + "="))
      return words[k].substr(option.size() + 1);
  }
  return std::filesystem::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
}

/// The folder of the program in Python, where it was built or installed.
path program_in_python(path const& program) {
  path folder = (program.parent_path() / SEAM_GUIDELINES_FILES / "python").lexically_normal();
  if (!std::filesystem::exists(folder))
    throw seam::usage_error(fmt::format("'{}': no such folder (expected the files that come with "
                                        "seam-guidelines)",
                                        folder.string()));
  return folder;
}

} // namespace

int word_in_python(int argc, char** argv) {
  path const program = std::filesystem::read_symlink("/proc/self/exe");
  std::vector<std::string> words(argv + 1, argv + argc);
  std::string const python = interpreter(words);
  words.insert(words.begin(),
               {python, program_in_python(program).string(), program.string(), launchers});
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(python.c_str(), arguments.data());
  throw seam::usage_error(
      errno == ENOENT
          ? fmt::format("{}: '{}': no such program (expected Python 3; on Debian: apt-get install "
                        "python3)",
                        argv[1], python)
          : fmt::format("{}: '{}': {}", argv[1], python, std::strerror(errno)));
}

} // namespace guidelines
