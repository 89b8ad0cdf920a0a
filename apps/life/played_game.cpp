#include "played_game.hpp"

#include "evolution.hpp"
#include "plane.hpp"
#include "shown.hpp"
#include "stored_cells.hpp"

#include <seam/exchange.hpp>
#include <seam/files.hpp>

namespace life {
namespace {

class game_on_board : public played_game {
public:
  game_on_board(seam::Runtime& runtime, board const& where, rule const& game, pattern const& start)
      : rule_(game), cells_(runtime, where), loop_(cells_, game) {
    put(start, cells_);
  }

  void run(std::int64_t count) override { loop_.run(count); }
  std::int64_t population() const override { return life::population(cells_); }
  seam::shown_numbers shown() const override { return gather_shares(cells_); }
  std::string rle() const override { return in_rle(cells_, rule_); }
  seam::checkpoints checkpoints(seam::checkpoint_options const& wanted) override {
    return {cells_.grid().base(), wanted, stored_cells{&cells_}};
  }

private:
  rule rule_;
  generation cells_;
  evolution loop_;
};

class game_on_plane : public played_game {
public:
  game_on_plane(seam::Runtime& runtime, options const& wanted, rule const& game,
                pattern const& start)
      : rule_(game), kernel_(game), reach_(reach_of(start, wanted.generations)), cells_(runtime) {
    put(start, cells_);
  }

  void run(std::int64_t count) override { cells_.run(count, kernel_); }
  std::int64_t population() const override { return life::population(cells_); }
  seam::shown_numbers shown() const override { return gather_shares(cells_, reach_); }
  std::string rle() const override { return in_rle(cells_, rule_); }
  seam::checkpoints checkpoints(seam::checkpoint_options const& wanted) override {
    return {cells_.base(), wanted, stored_tiles{&cells_}};
  }

private:
  rule rule_;
  kernel kernel_;
  cell_box reach_;
  plane cells_;
};

} // namespace

std::unique_ptr<played_game> begin_game(seam::Runtime& runtime, options const& wanted,
                                        pattern const& start) {
  auto const game = seam::collectively(runtime, [&] { return choose_rule(wanted, start); });
  auto const where = seam::collectively(runtime, [&] { return choose_board(wanted, start, game); });
  if (where)
    return std::make_unique<game_on_board>(runtime, *where, game, start);
  return std::make_unique<game_on_plane>(runtime, wanted, game, start);
}

void write_picture(seam::Runtime& runtime, played_game const& game, std::string const& path) {
  seam::output_file file(runtime, path);
  auto const shown = game.shown();
  file.write_on_rank_0([&](std::string const& temporary) {
    seam::write_png(seam::draw(shown, drawing()), temporary);
  });
}

void check_outputs(seam::Runtime& runtime, options const& wanted, std::string const& pattern_file) {
  seam::collectively(runtime, [&] {
    if (wanted.every > 0 && wanted.picture.empty() && wanted.animation.empty())
      seam::refuse("--every without a picture (expected --picture or --animation)");
    if (wanted.every == 0 && !wanted.animation.empty())
      seam::refuse("--animation: no generations between its frames (expected --every)");
  });
  seam::require_outputs(runtime, pattern_file,
                        {{"--output", wanted.output, ".rle"},
                         {"--picture", wanted.picture, ".png"},
                         {"--animation", wanted.animation, ".webp"}});
  if (wanted.every > 0 && !wanted.picture.empty())
    seam::require_writable_series(runtime, wanted.picture, wanted.generations, wanted.every);
}

} // namespace life
