/// Fusion of steps by measurement: how many go without messages between them.
///
///     fusion_choice choice({1, 4, 8});
///     while (count > 0) {
///       ... run choice.depth() steps ...
///       choice.note(seconds);
///       if (choice.is_measured())
///         choice.decide(over);
///     }
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <string>
#include <vector>

namespace seam::detail {

/// Depths that are tried in turn, and the decision between them, which is the same on all ranks.
/// A program that runs all of them computes the same bits.
class fusion_choice {
public:
  /// One depth, which needs no measurement.
  explicit fusion_choice(int depth) : trials_{{depth, 0}}, tried_{0}, is_made_(true) {}

  /// @param depths  [any number] 1 first, the same on all ranks
  explicit fusion_choice(std::vector<int> const& depths);

  /// The depth of the next steps: that to be measured, or the one chosen.
  int depth() const { return trials_[tried_[now_]].depth; }

  bool is_made() const { return is_made_; }

  /// All depths that may be run.
  std::vector<int> depths() const;

  /// Notes how long a step has taken at depth(). The first of a depth's times is not used, since
  /// memory is touched for the first time.
  void note(double seconds_of_a_step);

  bool is_measured() const { return !is_made_ && round_ == num_rounds_; }

  /// Chooses the depth at which the slowest rank's steps took the least time; 1 unless another one
  /// gains 3 %. What gains has to do so once more, against 1 alone and over more rounds, before the
  /// choice is made: a machine with other work makes times of few rounds differ by more.
  /// Collective: over `over`.
  void decide(mpi::comm_view over);

  /// The choice and its reason.
  std::string in_words() const;

private:
  struct trial {
    int depth;
    double least; ///< of a step [s]; 0: not measured
  };
  int fastest() const;
  void try_again(int number);

  std::vector<trial> trials_;
  std::vector<int> tried_; ///< numbers of the trials that are measured in turn
  int now_ = 0;            ///< of these
  int round_ = 0, num_rounds_ = 4;
  bool is_second_ = false; ///< the fastest one has gained once
  bool is_made_ = false;
};

} // namespace seam::detail
