#include "output.hpp"

#include "shown.hpp"

#include <seam/exchange.hpp>
#include <seam/files.hpp>

namespace life {
namespace {

void write_picture(seam::Runtime& runtime, played_game const& game, std::string const& path) {
  seam::output_file file(runtime, path);
  auto const shown = game.shown();
  seam::collectively(runtime, [&] {
    if (runtime.rank() == 0)
      seam::write_png(seam::draw(shown, drawing()), file.temporary());
  });
  file.commit(seam::written::by_rank_0);
}

} // namespace

void write(seam::Runtime& runtime, played_game const& game, std::string const& path) {
  if (path.ends_with(".png"))
    write_picture(runtime, game, path);
  else
    seam::write_text(runtime, game.rle(), path);
}

void check_output(seam::Runtime& runtime, options const& wanted) {
  std::string const& path = wanted.output;
  seam::collectively(runtime, [&] {
    if (wanted.every > 0 && !path.ends_with(".png") && wanted.animation.empty())
      seam::refuse(
          "--every without a picture (expected --output with a name that ends with .png, or "
          "--animation)");
    if (wanted.every == 0 && !wanted.animation.empty())
      seam::refuse("--animation: no generations between its frames (expected --every)");
  });
  seam::require_outputs(runtime, wanted.pattern_file,
                        {{"--output", path, ""}, {"--animation", wanted.animation, ".webp"}});
  if (wanted.every > 0 && path.ends_with(".png"))
    seam::require_writable_series(runtime, path, wanted.generations, wanted.every);
}

} // namespace life
