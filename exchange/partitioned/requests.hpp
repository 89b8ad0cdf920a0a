/// Persistent requests of one end of a channel, in one array, as MPI_Startall and MPI_Testall take
/// them.
#pragma once

#include <seam/exchange/mpi/check.hpp>

#include <vector>

namespace seam {

/// Owns its requests. Threads: different requests may be started at the same time.
class request_list {
public:
  request_list() = default;
  request_list(request_list&& other) noexcept : natives_(std::move(other.natives_)) {}
  request_list& operator=(request_list&& other) noexcept {
    natives_.swap(other.natives_);
    return *this;
  }
  ~request_list() {
    if (mpi::is_running())
      for (MPI_Request& request : natives_)
        if (request != MPI_REQUEST_NULL)
          MPI_Request_free(&request);
  }

  MPI_Request& add() { return natives_.emplace_back(MPI_REQUEST_NULL); }
  int size() const noexcept { return static_cast<int>(natives_.size()); }
  MPI_Request* at(int i) noexcept { return natives_.data() + i; }

  void start(int i) { mpi::check(MPI_Start(at(i)), "MPI_Start"); }
  void start_all() { mpi::check(MPI_Startall(size(), natives_.data()), "MPI_Startall"); }

  /// True once all that have been started are complete.
  bool test_all() {
    int done = 0;
    mpi::check(MPI_Testall(size(), natives_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    return done != 0;
  }

private:
  std::vector<MPI_Request> natives_;
};

} // namespace seam
