/// Operations that the MPI library carries out, as activities.
#pragma once

#include <seam/exchange/waiting/detail/activity.hpp>

#include <mpi.h>

#include <atomic>
#include <functional>
#include <memory>

namespace seam::detail {

/// One request of the MPI library: made and started at each start, or already in flight.
class native_activity final : public activity {
public:
  /// @param keeps  memory that the request needs as long as this lives
  /// @param begin  the call that makes and starts the request
  /// @param name   of the operation, for errors; lives as long as the program
  native_activity(std::shared_ptr<void const> keeps, std::function<int(MPI_Request*)> begin,
                  char const* name);
  /// @param flying  a request in flight, which is not to be started again
  native_activity(std::shared_ptr<void const> keeps, MPI_Request flying, char const* name) noexcept;
  ~native_activity() override;

  void start() override;
  void start_gated() override;
  void open(int gate) override;
  bool test() override;

private:
  std::shared_ptr<void const> keeps_;
  std::function<int(MPI_Request*)> begin_;
  char const* name_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  std::atomic_flag testing_;
};

} // namespace seam::detail
