#include <seam/exchange/mpi/library.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace seam::mpi {

void leave_out_lossy_parts() {
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
  constexpr int keep_the_users = 0;
  ::setenv("OMPI_MCA_btl_sm_fbox_max", "0", keep_the_users);
#endif
}

std::string library_in_words() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  std::string_view const all(text.data()), label = " Version:"; // of MPICH, before spaces
  std::string_view const line = all.substr(0, all.find_first_of(",\n"));
  auto const at = line.find(label);
  if (at == std::string_view::npos)
    return std::string(line);
  std::string_view number = line.substr(at + label.size());
  number.remove_prefix(std::min(number.find_first_not_of(" \t"), number.size()));
  return std::string(line.substr(0, at)) + " " + std::string(number);
}

} // namespace seam::mpi
