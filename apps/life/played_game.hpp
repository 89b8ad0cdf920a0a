/// A game in play, whatever it is played on: a board with borders, or a plane without.
///
///     auto const game = begin_game(runtime, wanted, start);
///     game->run(100);
///     seam::print(runtime, "population {}\n", game->population());
#pragma once

#include "options.hpp"
#include "pattern.hpp"

#include <seam/checkpoint.hpp>
#include <seam/files.hpp>
#include <seam/runtime.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace life {

/// Threads: one at a time.
class played_game {
public:
  virtual ~played_game() = default;

  /// Replaces the cells by those `count` generations later.
  /// Collective: over the runtime's ranks.
  virtual void run(std::int64_t count) = 0;

  /// Number of live cells.
  /// Collective: over the runtime's ranks.
  virtual std::int64_t population() const = 0;

  /// What pictures show, on rank 0.
  /// Collective: over the runtime's ranks.
  virtual seam::shown_numbers shown() const = 0;

  /// The cells as RLE, from which a game can continue, on rank 0.
  /// Collective: over the runtime's ranks.
  virtual std::string rle() const = 0;

  /// Checkpoints of the cells, and with --resume those of the newest one.
  /// Collective: over the runtime's ranks.
  virtual seam::checkpoints checkpoints(seam::checkpoint_options const& wanted) = 0;
};

/// Puts the pattern on what the options and its file ask for.
/// @throws usage_error  as choose_rule(), choose_board() and generation (on all ranks)
/// Collective: over the runtime's ranks.
std::unique_ptr<played_game> begin_game(seam::Runtime& runtime, options const& wanted,
                                        pattern const& start);

/// Writes a picture of the cells into the file at `path`.
/// Collective: over the runtime's ranks.
void write_picture(seam::Runtime& runtime, played_game const& game, std::string const& path);

/// Checks that the files that the options ask for can be written.
/// @param pattern_file  path of the pattern
/// @throws usage_error  there are generations between pictures but no pictures, or the other way
///         round, an output is the pattern, or it or its series cannot be written (on all ranks)
/// Collective: over the runtime's ranks.
void check_outputs(seam::Runtime& runtime, options const& wanted, std::string const& pattern_file);

} // namespace life
