/// One problem in all its variants: steps, loops by hand, a rival, and between ranks the limits; and the
/// options of the program.
#pragma once

#include "problem.hpp"

#include <seam/program.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace steps_bench {

struct options {
  std::vector<std::string> problems;
  std::int64_t cells_2d = 2048, cells_3d = 256; ///< on each axis
  std::int64_t steps = 8;                       ///< in one run
  int fused = 4, repetitions = 10;
  int late = 0; ///< that messages arrive later than they do; 0: such steps are not timed [us]
  std::string csv;
};

class comparison {
public:
  /// Makes the variants, and requires that all have the same values after some steps, bit by bit.
  /// Collective: over the runtime, which outlives this object, as `asked` does.
  comparison(seam::Runtime& runtime, problem const& asked, options const& wanted);

  /// Times the variants in turn.
  /// @return  as seam::time_in_turn()
  /// Collective: over the runtime.
  std::vector<seam::timing> time();

  /// On two ranks: what a step costs beyond its block alone, and how much of the waiting for late
  /// messages is hidden, of the times that `answers` holds. Else nothing. A block alone of a torus
  /// copies its own ghosts.
  std::string remark(std::vector<seam::timing> const& answers) const;

private:
  enum class values { of_all, of_block_alone, none };

  struct entry {
    std::string name;
    seam::role is;
    values computed;
    std::unique_ptr<contender> made;
    std::chrono::microseconds late{}; ///< that its messages are
  };

  void add_steps();
  void add_rivals();
  void add_between_ranks();
  void require_equal_values();
  void run(entry& each, std::int64_t steps);
  extents block() const;
  std::string question() const;

  seam::Runtime& runtime_;
  problem const& asked_;
  options const& wanted_;
  extents cells_{};
  std::vector<entry> all_;
  std::chrono::nanoseconds held_{}; ///< time in which messages were late
  std::int64_t late_steps_ = 0;
};

} // namespace steps_bench
