// A rank that does not come to a call that the others make, and the line that says so. Then the
// rank comes, and all go on with the right results.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/waiting/stall.hpp>
#include <seam/exchange/waiting/watch.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <regex>
#include <string>
#include <thread>
#include <vector>

namespace seam::testing {

/// The time after which waits are reported.
inline constexpr stall_time limit{0.1};

/// What all ranks print on stderr while it lives, in one file.
class common_stderr {
public:
  common_stderr() : kept_(dup(STDERR_FILENO)) {
    mpi::comm_view const all(MPI_COMM_WORLD);
    std::array<char, 32> name{"/tmp/seam-stall-XXXXXX"};
    if (all.rank() == 0)
      close(mkstemp(name.data()));
    MPI_Bcast(name.data(), int(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    path_ = name.data();
    int const file = open(path_.c_str(), O_WRONLY | O_APPEND);
    dup2(file, STDERR_FILENO);
    close(file);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  common_stderr(common_stderr const&) = delete;
  common_stderr& operator=(common_stderr const&) = delete;
  ~common_stderr() {
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    MPI_Barrier(MPI_COMM_WORLD);
    std::remove(path_.c_str());
  }

  std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// Returns when there are as many lines, or after a minute.
  void wait_for_lines(int count) const {
    using namespace std::chrono_literals;
    auto const end = std::chrono::steady_clock::now() + 60s;
    while (num_lines() < count && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(5ms);
  }

private:
  std::ptrdiff_t num_lines() const { return std::ranges::count(text(), '\n'); }

  int kept_;
  std::string path_;
};

/// Returns when all ranks are here, in no call of seam.
inline void meet() {
  MPI_Request met = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &met);
  for (int done = 0; done == 0; MPI_Test(&met, &done, MPI_STATUS_IGNORE))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Lines that have been printed when rank `late` came to `call`, which it does some time after the
/// first one, or the first `num_lines`. Before, it does `instead`, and computes.
inline std::string said_before(
    int late, std::function<void()> const& call, std::function<void()> const& instead = [] {},
    int num_lines = 1) {
  mpi::comm_view const all(MPI_COMM_WORLD);
  common_stderr const told;
  std::string said;
  if (all.rank() == late) {
    instead();
    told.wait_for_lines(num_lines);
    std::this_thread::sleep_for(limit);
    said = told.text();
  }
  call();
  meet();
  said.resize(1000, ' ');
  MPI_Bcast(said.data(), int(said.size()), MPI_CHAR, late, MPI_COMM_WORLD);
  return said.substr(0, said.find_last_not_of(' ') + 1);
}

/// A call that a rank may be late for: what is made before, by all, and the call.
struct late_call {
  char const* name; ///< as the line says it
  std::function<std::function<void()>(Communicator const&)> make;
};

using called = std::function<void()>;

/// Some rank of those that wait for `late`, which is all of two, and a neighbor on a ring.
inline void check_line(std::string const& said, Communicator const& world, char const* name,
                       int late, std::string const& instead) {
  auto const pattern = fmt::format("seam: rank [0-9]+ has waited for [0-9.]+ s in {}, a call of {} "
                                   "ranks: rank {} has not made it, it {}[^\\n]*\\n",
                                   name, world.size(), late, instead);
  INFO(pattern);
  CHECK(std::regex_match(said, std::regex(pattern)));
}

inline void check_late(std::vector<late_call> const& calls) {
  auto const all = world();
  int turn = 0;
  for (bool const checked : {true, false}) {
    checks_in_scope const mode(checked);
    for (late_call const& tried : calls) {
      int const late = turn++ % all.size();
      INFO(tried.name << (checked ? ", checked" : "") << ", rank " << late << " is late");
      called const call = tried.make(all);
      auto const said = said_before(late, call);
      INFO(said);
      check_line(said, all, tried.name, late, "computes");
    }
  }
}

/// Stalls are reported after a short time, by ranks that ask each other.
struct reporting {
  explicit reporting(stall_time after = limit) : others(set(after)) {}
  ~reporting() { set_time_before_report(std::nullopt); }
  reporting(reporting const&) = delete;
  reporting& operator=(reporting const&) = delete;

  static mpi::comm_view set(stall_time after) {
    set_time_before_report(after);
    return MPI_COMM_WORLD;
  }
  detail::watching others;
};

/// A ring of all ranks, each of which sends to the next one.
inline Communicator one_way_ring_of(Communicator const& world) {
  int const rank = world.rank(), size = world.size();
  return make_graph(world, Topology::graph({{(rank + size - 1) % size}}, {{(rank + 1) % size}}));
}

} // namespace seam::testing
