// seam-life plays Conway's Game of Life, or another rule of its kind, on a torus or a plane.
//
// Sample runs:
//   mpiexec -n 2 seam-life apps/life/inputs/gosper-gun.rle --size 160x100 --output gun.png
//   mpiexec -n 4 seam-life apps/life/inputs/r-pentomino.rle --generations 1103
//
// Expected of the second, on any number of ranks and threads: population 116
#include "evolution.hpp"
#include "output.hpp"
#include "stored_cells.hpp"

#include <seam/seam.hpp>

#include <algorithm>
#include <optional>

namespace life {
namespace {

/// Number of generations from `number` to the next one that is printed or written, at most 100.
std::int64_t until_report(options const& wanted, std::int64_t number) {
  constexpr std::int64_t most = 100; // keeps the progress bar up to date
  std::int64_t count = std::min(most, wanted.generations - number);
  for (std::int64_t every : {std::int64_t{wanted.every}, std::int64_t{wanted.report_every}})
    if (every > 0)
      count = std::min(count, every - number % every);
  return count;
}

void play(seam::Runtime& runtime, options const& wanted, pattern const& start) {
  auto const game = seam::collectively(runtime, [&] { return choose_rule(wanted, start); });
  auto const where = seam::collectively(runtime, [&] { return choose_board(wanted, start, game); });

  // 1. Declare the board, 64 cells in a word, and put the pattern on it.
  generation cells(runtime, where);
  put(start, cells);

  std::optional<seam::animation> frames;
  if (!wanted.animation.empty())
    frames.emplace(cells.grid().base(), wanted.animation);
  auto const write_frame = [&](std::int64_t number) {
    if (wanted.output.ends_with(".png"))
      write(cells, game, seam::numbered_path(wanted.output, number));
    if (frames)
      frames->add(gather_shares(cells), drawing());
  };
  auto const report = [&](std::int64_t number) {
    if (wanted.report_every > 0 && number % wanted.report_every == 0)
      seam::print(runtime, "{:>12} {:>12}\n", number, population(cells));
    if (wanted.every > 0 && number % wanted.every == 0)
      write_frame(number);
  };
  if (wanted.report_every > 0)
    seam::print(runtime, "{:>12} {:>12}\n", "generation", "population");
  report(0);

  // 2. Play.
  seam::checkpoints kept(cells.grid().base(), wanted.restart, stored_cells{&cells});
  evolution loop(cells, game);
  loop.continue_at(kept.first_step());
  {
    seam::progress bar(runtime, "generations", wanted.generations);
    seam::watch seen(runtime, wanted.watched, drawing());
    auto const gather = [&] { return gather_shares(cells); };
    seen.draw(gather);
    while (loop.num_generations() < wanted.generations) {
      auto const done = loop.num_generations(), most = until_report(wanted, done);
      auto const count = kept.until_look(done, seen.until_look(done, most));
      loop.run(count);
      bar.advance(count);
      seen.look(loop.num_generations(), gather);
      report(loop.num_generations());
      kept.look(loop.num_generations());
    }
    seen.draw(gather);
  }

  // 3. Print and write the last generation.
  seam::print(runtime, "population {}\n", population(cells));
  if (!wanted.output.empty())
    write(cells, game, wanted.output);
  if (frames)
    frames->finish();
}

void run(seam::Runtime& runtime, options const& wanted) {
  check_output(runtime, wanted);
  std::string const text = seam::read_text(runtime, wanted.pattern_file);
  play(runtime, wanted,
       seam::collectively(runtime, [&] { return parse_pattern(text, wanted.pattern_file); }));
}

} // namespace
} // namespace life

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, life::add_options, life::run);
}
