/// mpi_session: MPI's start and end in this process.
#pragma once

namespace seam::detail {

/// MPI, at the level of mpi::wanted_thread_level(), for as long as it lives, unless it ran before.
/// Must be made collectively.
class mpi_session {
public:
  /// Refuses where MPI has ended already.
  mpi_session(int& argc, char**& argv);
  mpi_session(mpi_session const&) = delete;
  mpi_session& operator=(mpi_session const&) = delete;
  ~mpi_session();

  /// True if MPI began with this object and so ends with it.
  bool is_owner() const noexcept { return is_owner_; }

private:
  bool is_owner_;
};

} // namespace seam::detail
