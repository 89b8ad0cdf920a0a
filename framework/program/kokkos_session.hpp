/// kokkos_session: start and end of Kokkos in this process, for its versions from 3.4 on.
#pragma once

#include <string>
#include <vector>

namespace seam::detail {

/// Removes the options that begin with --kokkos- from main's arguments and returns them.
std::vector<std::string> take_kokkos_options(int& argc, char** argv);

/// Starts Kokkos and, when destroyed, stops it; does neither if Kokkos runs already.
class kokkos_session {
public:
  /// @param options          from take_kokkos_options()
  /// @param default_threads  number of threads if neither options nor environment set it
  /// @throws usage_error     Kokkos refuses the options; they or the environment ask for no number of
  ///                         threads, or for more than Kokkos has places for
  kokkos_session(std::vector<std::string> options, int default_threads);
  kokkos_session(kokkos_session const&) = delete;
  kokkos_session& operator=(kokkos_session const&) = delete;
  ~kokkos_session();

private:
  bool is_owner_;
};

/// Number of threads of Kokkos' parallel loops on the host. Kokkos must be running.
int num_kokkos_threads();

/// Kokkos' version and host backend, for example "Kokkos 3.4.1 OpenMP".
std::string kokkos_in_words();

} // namespace seam::detail
