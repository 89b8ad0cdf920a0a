// seam-life plays Conway's Game of Life, or another rule of its kind, on a torus or a plane.
//
// Sample runs:
//   mpiexec -n 2 seam-life gosper-gun --size 160x100 --picture gun.png
//   mpiexec -n 4 seam-life r-pentomino --generations 1103
//
// Expected of the second, on any number of ranks and threads: population 116
#include "played_game.hpp"
#include "shown.hpp"

#include <seam/exchange.hpp>
#include <seam/files.hpp>
#include <seam/program.hpp>

#include <algorithm>
#include <optional>

namespace life {
namespace {

/// Number of generations from `number` to the next one that is printed or written, at most 96.
std::int64_t until_report(options const& wanted, std::int64_t number) {
  constexpr std::int64_t most = 96; // six exchanges; keeps the progress bar up to date
  std::int64_t count = std::min(most, wanted.generations - number);
  for (std::int64_t every : {std::int64_t{wanted.every}, std::int64_t{wanted.report_every}})
    if (every > 0)
      count = std::min(count, every - number % every);
  return count;
}

void play(seam::Runtime& runtime, options const& wanted, pattern const& start) {
  // 1. Put the pattern on a board, or on a plane without borders.
  auto const game = begin_game(runtime, wanted, start);

  std::optional<seam::animation> frames;
  if (!wanted.animation.empty())
    frames.emplace(runtime, wanted.animation);
  auto const write_frame = [&](std::int64_t number) {
    if (!wanted.picture.empty())
      write_picture(runtime, *game, seam::numbered_path(wanted.picture, number));
    if (frames)
      frames->add(game->shown(), drawing());
  };
  auto const report = [&](std::int64_t number) {
    if (wanted.report_every > 0 && number % wanted.report_every == 0)
      seam::print(runtime, "{:>12} {:>12}\n", number, game->population());
    if (wanted.every > 0 && number % wanted.every == 0)
      write_frame(number);
  };
  if (wanted.report_every > 0)
    seam::print(runtime, "{:>12} {:>12}\n", "generation", "population");
  report(0);

  // 2. Play.
  auto kept = game->checkpoints(wanted.restart);
  kept.require_end(wanted.generations, "--generations");
  std::int64_t done = kept.first_step();
  {
    seam::progress bar(runtime, "generations", wanted.generations - done);
    seam::watch seen(runtime, wanted.watched, drawing());
    auto const gather = [&] { return game->shown(); };
    seen.draw(gather);
    while (done < wanted.generations) {
      auto const most = until_report(wanted, done);
      auto const count = kept.until_look(done, seen.until_look(done, most));
      game->run(count);
      bar.advance(count);
      done += count;
      seen.look(done, gather);
      report(done);
      kept.look(done);
    }
    seen.draw(gather);
  }

  // 3. Print and write the last generation.
  seam::print(runtime, "population {}\n", game->population());
  if (!wanted.output.empty())
    seam::write_text(runtime, game->rle(), wanted.output);
  if (!wanted.picture.empty())
    write_picture(runtime, *game, wanted.picture);
  if (frames)
    frames->finish();
}

void run(seam::Runtime& runtime, options const& wanted) {
  std::string const& file = wanted.pattern;
  check_outputs(runtime, wanted, file);
  std::string const text = seam::read_text(runtime, file);
  play(runtime, wanted, seam::collectively(runtime, [&] { return parse_pattern(text, file); }));
}

} // namespace
} // namespace life

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, life::add_options, life::run);
}
