// The loop of seam-life.
#include "contender.hpp"

#include "evolution.hpp"

namespace life_bench {
namespace {

class seam_game : public contender {
public:
  seam_game(seam::Runtime& runtime, game const& played, int most_fused, life::rest quiet)
      : cells_(runtime, {life::topology::torus, played.columns, played.rows}, most_fused),
        loop_((set_soup(played), cells_), played.rule, quiet) {}

  void run(std::int64_t generations) override { loop_.run(generations); }
  std::int64_t population() const override { return life::population(cells_); }

private:
  void set_soup(game const& played) {
    auto const first = cells_.grid().owned().lo;
    seam::for_each_cell(cells_.now().owned(),
                        [&, words = cells_.now().view()](seam::cell_index<2> const& at) {
                          words[at] = played.soup(first[0] + at[0], first[1] + at[1]);
                        });
  }

  life::generation cells_;
  life::evolution loop_;
};

} // namespace

std::unique_ptr<contender> by_seam(seam::Runtime& runtime, game const& played, int most_fused,
                                   bool sleeps) {
  return std::make_unique<seam_game>(runtime, played, most_fused,
                                     sleeps ? life::rest::sleep : life::rest::none);
}

} // namespace life_bench
