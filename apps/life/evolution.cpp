#include "evolution.hpp"

#include "strip.hpp"

#include <algorithm>

namespace life {

evolution::evolution(generation& cells, rule const& game, rest quiet)
    : cells_(cells),
      kernel_(game),
      life_from_nothing_((game.birth & 1) != 0),
      sleeps_(quiet == rest::sleep),
      patches_(cells),
      halos_{seam::make_halo(cells.field_of(0)), seam::make_halo(cells.field_of(1))} {}

void evolution::run(std::int64_t count) {
  while (count > 0) {
    auto const generations = std::min<std::int64_t>(cells_.layout().depth, count);
    advance(static_cast<int>(generations));
    count -= generations;
  }
}

void evolution::advance(int generations) {
  halos_[cells_.present()].run();
  block const of(cells_);
  if (sleeps_) // else all patches stay awake, as they are at first
    patches_.compare_ghosts(of);
  seam::for_each_tile(patches_.wake(generations, life_from_nothing_),
                      [&](seam::box<2> const& some) {
                        advance_strip(of, patches_.words_of(some), kernel_, generations);
                        if (sleeps_)
                          patches_.compare(of, some);
                      });
  cells_.advance();
  num_generations_ += generations;
}

} // namespace life
