/// Arrivals: how partitions reach the receiving end of a channel once its sender is known.
#pragma once

#include <seam/exchange/partitioned/marks.hpp>
#include <seam/exchange/partitioned/meeting.hpp>
#include <seam/exchange/partitioned/wire.hpp>

#include <memory>

namespace seam {

/// Threads: take() from any, while an epoch is going on; the rest by one.
class arrivals {
public:
  arrivals() = default;
  arrivals(arrivals const&) = delete;
  arrivals& operator=(arrivals const&) = delete;
  virtual ~arrivals() = default;

  /// Begins an epoch. Local.
  virtual void start() = 0;

  /// Takes `partition` if it is there, where that needs nobody else; otherwise does nothing.
  virtual void take(int) {}

  /// Takes what is there; true if all of the epoch is.
  virtual bool take_all() = 0;

  /// Tells the sender that the buffer is ready.
  virtual void prepare() = 0;
};

/// A channel whose ends have met and fit together.
struct met_channel {
  mpi::comm_view context;
  int peer;
  meeting const& met;
  partition_wire const& wire;
  marks& arrived; ///< where partitions are noted once they are in the user's memory
};

/// From messages, or from the memory of the sender. What the channel refers to outlives them.
/// Local.
std::unique_ptr<arrivals> make_message_arrivals(met_channel const& of);
std::unique_ptr<arrivals> make_shared_arrivals(met_channel const& of);

} // namespace seam
