/// Measured choice: picks the algorithm of sparse exchanges by its time in the first exchanges.
#pragma once

#include <seam/exchange/sparse/deliveries.hpp>

#include <vector>

namespace seam::detail {

/// All algorithms carry out the first exchanges in turn, and are timed; the one that took least
/// time on the slowest process carries out all others. The best algorithm of those that keep
/// nothing from exchange to exchange is remembered with the communicator: later choices are only
/// between it and the cached pattern.
class measured_choice {
public:
  /// @param shared  outlives the choice
  /// Collective.
  explicit measured_choice(deliveries& shared);

  /// The algorithm of the next exchange. The same on all ranks.
  sparse_algorithm now() const;

  bool is_settled() const noexcept { return trials_left_ == 0; }

  /// Takes the time of an exchange; called after each exchange until the choice is settled.
  ///
  /// @param seconds  time of the exchange on this process
  /// Collective.
  void add_time(double seconds);

private:
  struct candidate {
    sparse_algorithm algorithm;
    double best; ///< least time of an exchange [s]
  };

  void settle_choice();

  deliveries* shared_;
  std::vector<candidate> candidates_; ///< when settled only the chosen algorithm
  int trials_left_;
};

} // namespace seam::detail
