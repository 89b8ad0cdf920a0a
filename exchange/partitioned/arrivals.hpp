/// Arrivals: how partitions reach the receiving end of a channel once its sender is known.
#pragma once

#include <seam/exchange/partitioned/marks.hpp>
#include <seam/exchange/partitioned/meeting.hpp>
#include <seam/exchange/partitioned/wire.hpp>

#include <memory>

namespace seam::detail {

/// Receives the partitions of a channel.
/// Threads: take() from any thread while an epoch is active; the rest by one.
class arrivals {
public:
  arrivals() = default;
  arrivals(arrivals const&) = delete;
  arrivals& operator=(arrivals const&) = delete;
  virtual ~arrivals() = default;

  /// Begins an epoch. Local.
  virtual void start() = 0;

  /// Takes `partition` if it is there and arrives by itself; otherwise does nothing.
  virtual void take(int) {}

  /// Takes the partitions that are there; returns true if the epoch has arrived.
  virtual bool take_all() = 0;

  /// Tells the sender that the buffer of this epoch is ready.
  virtual void prepare() = 0;
};

/// A channel whose ends have met and fit together.
struct met_channel {
  mpi::comm_view context;
  int peer;
  meeting const& met;
  partition_wire const& wire;
  marks& arrived; ///< notes partitions once they are in the user's memory
};

/// Makes the arrivals of a channel by messages. The objects that `channel` refers to must outlive
/// them. Local.
std::unique_ptr<arrivals> make_message_arrivals(met_channel const& channel);

} // namespace seam::detail
