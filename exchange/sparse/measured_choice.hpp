/// The choice of an algorithm by what it costs where it is used.
#pragma once

#include <seam/exchange/sparse/deliveries.hpp>

#include <vector>

namespace seam::detail {

/// The first exchanges are carried out by all algorithms in turn, and timed; the others by the one
/// that took least time on the slowest process. The best of those that keep nothing from exchange
/// to exchange is remembered with the communicator: later choices are only between it and the
/// cached pattern.
class measured_choice {
public:
  /// @param ways  outlives the choice. Collective.
  explicit measured_choice(deliveries& ways);

  /// For the next exchange. The same on all ranks.
  sparse_algorithm now() const;

  bool is_settled() const noexcept { return trials_left_ == 0; }

  /// To be told after each exchange until it is settled. Collective.
  /// @param seconds  that the exchange took on this process
  void add_time(double seconds);

private:
  struct candidate {
    sparse_algorithm algorithm;
    double best; ///< time of an exchange [s]
  };

  void settle();

  deliveries* ways_;
  std::vector<candidate> candidates_; ///< the chosen one alone when settled
  int trials_left_;
};

} // namespace seam::detail
