// The limit: copies every ghost once from the same block, without messages and packing, so that
// every cache line is fetched once.
#include "block.hpp"

namespace halo_bench {
namespace {

class bare_copy final : public way {
public:
  explicit bare_copy(block const& of) : block_(of) {
    for (direction const& to : of.directions())
      sides_.push_back({to, rim(of, to), ghosts(of, opposite(to))});
  }

  void exchange() override {
    for (side const& border : sides_)
      if (border.to[2] == 0)
        copy(block_, border.from, border.into);
      else if (border.to[2] > 0)
        copy_both_ends(border.into);
  }

private:
  struct side {
    direction to;
    cells from, into;
  };

  /// Copies the ghosts at both ends of axis 2; each row of cells holds the sources of both.
  void copy_both_ends(cells const& low) {
    for (std::int64_t i = low.lo[0]; i < low.lo[0] + low.extent[0]; ++i)
      for (std::int64_t j = low.lo[1]; j < low.lo[1] + low.extent[1]; ++j) {
        double* const row = block_.data + block_.index(i, j, 0);
        double const* const from = row + way_to_owner(i) * (block_.n + 2) * (block_.n + 2) +
                                   way_to_owner(j) * (block_.n + 2);
        row[0] = from[block_.n];
        row[block_.n + 1] = from[1];
      }
  }

  /// The distance on an axis from a cell to the owned cell that it copies; 0 for an owned cell.
  std::int64_t way_to_owner(std::int64_t at) const {
    return at == 0 ? block_.n : at == block_.n + 1 ? -block_.n : 0;
  }

  block block_;
  std::vector<side> sides_;
};

} // namespace

std::unique_ptr<way> make_bare_copy(block const& of) { return std::make_unique<bare_copy>(of); }

} // namespace halo_bench
