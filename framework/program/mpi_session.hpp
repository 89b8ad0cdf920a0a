/// mpi_session: start and end of MPI in this process.
#pragma once

namespace seam::detail {

/// Starts MPI, at the level of mpi::wanted_thread_level(), and, when destroyed, finalizes it; does
/// neither if MPI runs already. The error handler of MPI_COMM_WORLD stays what it is: the program's
/// own wrong calls of MPI end the job, unless it sets another.
/// Collective: over all processes of the job.
class mpi_session {
public:
  /// @throws usage_error  MPI has been finalized already
  mpi_session(int& argc, char**& argv);
  mpi_session(mpi_session const&) = delete;
  mpi_session& operator=(mpi_session const&) = delete;
  ~mpi_session();

  /// True if this object started MPI and so finalizes it.
  bool is_owner() const noexcept { return is_owner_; }

private:
  bool is_owner_;
};

} // namespace seam::detail
