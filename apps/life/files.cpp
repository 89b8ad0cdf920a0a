#include "files.hpp"

#include "shown.hpp"

#include <seam/exchange.hpp>
#include <seam/files.hpp>

namespace life {

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
