#include "campaign/launcher.hpp"

#include <mpi.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace guidelines {
namespace {

std::vector<std::string_view> own_names() {
#if defined(OPEN_MPI)
  return {"mpiexec.openmpi"};
#elif defined(MPICH_NUMVERSION)
  return {"mpiexec.mpich", "mpiexec.hydra"};
#else
  return {};
#endif
}

bool is_on_path(std::string_view program) {
  char const* const all = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe)
  std::istringstream folders(all != nullptr ? all : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0)
      return true;
  return false;
}

} // namespace

std::string launcher_of_library() {
  for (std::string_view const name : own_names())
    if (is_on_path(name))
      return std::string(name);
  return "mpiexec";
}

} // namespace guidelines
