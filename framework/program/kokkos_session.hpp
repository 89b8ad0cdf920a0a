/// Kokkos' start and stop, alike for its versions from 3.4 on.
#pragma once

#include <string>
#include <vector>

namespace seam::detail {

/// Takes the options that begin with --kokkos- out of main's arguments and returns them.
std::vector<std::string> take_kokkos_options(int& argc, char** argv);

/// Kokkos for as long as it lives, unless it ran before.
class kokkos_session {
public:
  /// @param options          from take_kokkos_options()
  /// @param default_threads  unless the options or the environment say how many
  /// @throws usage_error     Kokkos refuses the options
  kokkos_session(std::vector<std::string> options, int default_threads);
  kokkos_session(kokkos_session const&) = delete;
  kokkos_session& operator=(kokkos_session const&) = delete;
  ~kokkos_session();

private:
  bool is_owner_;
};

/// Threads that Kokkos' parallel loops on the host run on. Kokkos must be running.
int num_kokkos_threads();

/// For example "Kokkos 3.4.1 OpenMP".
std::string kokkos_in_words();

} // namespace seam::detail
