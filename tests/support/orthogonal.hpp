/// Graphs and error strings for the tests of the C interface (framework/c/orthogonal.h).
#pragma once

#include <seam/c/orthogonal.h>

#include <seam/exchange/communicator/communicator.hpp>

#include <array>
#include <string>

namespace seam::testing {

/// A graph whose processes have an edge to the next one and one to themselves, in C and in C++.
struct ring_of_two {
  ring_of_two() : cpp(Communicator::dup(MPI_COMM_WORLD)) {
    int const rank = cpp.rank(), size = cpp.size();
    std::array const sources{(rank + size - 1) % size, rank}, targets{(rank + 1) % size, rank};
    Seam_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources.data(), MPI_UNWEIGHTED, 2,
                                    targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c);
    cpp = make_graph(cpp,
                     Topology::graph({{sources[0]}, {sources[1]}}, {{targets[0]}, {targets[1]}}));
  }
  ring_of_two(ring_of_two const&) = delete;
  ring_of_two& operator=(ring_of_two const&) = delete;
  ~ring_of_two() { MPI_Comm_free(&c); }

  Communicator cpp;
  MPI_Comm c = MPI_COMM_NULL;
};

/// The string of an error code of MPI.
inline std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  Seam_Error_string(code, text.data(), &length);
  return std::string(text.data());
}

} // namespace seam::testing
