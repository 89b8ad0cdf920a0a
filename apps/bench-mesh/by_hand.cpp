#include "flow.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

namespace mesh_bench {
namespace {

using seam::local_id, airfoil::eps;

/// A side as loops by hand know it: its cells, or a cell twice at the border.
struct known_side {
  local_id first, second;
  normal n;
};

/// Loops over arrays, with a halo before the fluxes. Sides are those of own cells: those inside by
/// ascending id, then those at the border.
class flow_by_hand final : public contender {
public:
  flow_by_hand(seam::Mesh const& mesh, adding how)
      : how_(how),
        num_cells_(mesh.cells().num_owned),
        q_(mesh.field<state>("q", seam::cells)),
        adt_(mesh.field<double>("adt", seam::cells)),
        old_(num_cells_),
        res_(mesh.cells().num_local()),
        cells2sides_(mesh.adjacent(mesh.num_dimensions(), mesh.num_dimensions() - 1)),
        n_(seam::normals<2>(mesh)),
        halo_(seam::make_halo(q_, adt_)) {
    q_.fill(first_state);
    find_sides(mesh);
    if (how == adding::colored)
      color_blocks();
    if (how == adding::stored) {
      fluxes_.resize(sides_.size());
      find_sides_of_cells();
    }
  }

  void run(std::int64_t iterations) override {
    for (; iterations > 0; --iterations)
      iterate();
  }
  seam::MeshField<state> const& states() const override { return q_; }

private:
  void find_sides(seam::Mesh const& mesh);
  void color_blocks();
  void find_sides_of_cells();
  void iterate();
  void find_time_steps();
  void update();

  state flux_through(known_side const& side) const {
    if (side.first == side.second)
      return airfoil::flux(q_(side.first), far_, adt_(side.first) * eps, side.n);
    return airfoil::flux(q_(side.first), q_(side.second),
                         0.5 * (adt_(side.first) + adt_(side.second)) * eps, side.n);
  }
  void scatter(std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      known_side const& side = sides_[s];
      state const f = flux_through(side);
      res_[side.first] += f;
      if (side.second != side.first)
        res_[side.second] -= f;
    }
  }
  void gather();

  static constexpr std::size_t block = 256; ///< sides

  adding how_;
  local_id num_cells_;
  state const far_ = airfoil::far_field();
  seam::MeshField<state> q_;
  seam::MeshField<double> adt_;
  std::vector<state> old_, res_, fluxes_;
  seam::adjacency const& cells2sides_;
  seam::MeshField<normal> n_;
  seam::MeshHalo halo_;
  std::vector<known_side> sides_;
  std::vector<std::vector<std::size_t>> colors_; ///< first sides of blocks
  std::vector<std::int32_t> cells2own_; ///< [4 * own cells] sides; -1 - s: seen from behind
  std::vector<std::int64_t> own_begins_;
  double change_ = 0;
};

void flow_by_hand::find_sides(seam::Mesh const& mesh) {
  int const d = mesh.num_dimensions();
  auto const& sides2cells = mesh.adjacent(d - 1, d);
  std::vector<local_id> order(mesh.sides().num_local());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](local_id side) {
    return std::ranges::none_of(sides2cells[side],
                                [&](local_id c) { return mesh.cells().is_owned(c); });
  });
  std::ranges::sort(order, {}, [&](local_id side) { // as two kernels do
    return std::pair(sides2cells[side].size() == 1, mesh.sides().ids[side]);
  });
  for (local_id const side : order)
    sides_.push_back({sides2cells[side].front(), sides2cells[side].back(), n_(side)});
}

/// Colors blocks greedily: those of one color share no cell.
void flow_by_hand::color_blocks() {
  std::vector<std::uint64_t> colors_at(res_.size());
  for (std::size_t begin = 0; begin < sides_.size(); begin += block) {
    std::size_t const end = std::min(begin + block, sides_.size());
    std::uint64_t taken = 0;
    for (std::size_t s = begin; s < end; ++s)
      taken |= colors_at[sides_[s].first] | colors_at[sides_[s].second];
    int const color = std::countr_one(taken);
    for (std::size_t s = begin; s < end; ++s)
      for (local_id const c : {sides_[s].first, sides_[s].second})
        colors_at[c] |= std::uint64_t{1} << color;
    colors_.resize(std::max<std::size_t>(colors_.size(), color + 1));
    colors_[color].push_back(begin);
  }
}

void flow_by_hand::find_sides_of_cells() {
  std::vector<std::vector<std::int32_t>> rows(num_cells_);
  for (std::int32_t s = 0; s < std::ssize(sides_); ++s) {
    if (sides_[s].first < num_cells_)
      rows[sides_[s].first].push_back(s);
    if (sides_[s].second != sides_[s].first && sides_[s].second < num_cells_)
      rows[sides_[s].second].push_back(-1 - s);
  }
  own_begins_.push_back(0);
  for (auto const& row : rows) {
    cells2own_.insert(cells2own_.end(), row.begin(), row.end());
    own_begins_.push_back(std::ssize(cells2own_));
  }
}

void flow_by_hand::gather() {
#pragma omp parallel for schedule(static)
  for (local_id c = 0; c < num_cells_; ++c) {
    state sum{};
    for (auto k = own_begins_[c]; k < own_begins_[c + 1]; ++k)
      if (std::int32_t const s = cells2own_[k]; s >= 0)
        sum += fluxes_[s];
      else
        sum -= fluxes_[-1 - s];
    res_[c] = sum;
  }
}

void flow_by_hand::find_time_steps() {
#pragma omp parallel for schedule(static)
  for (local_id c = 0; c < num_cells_; ++c) {
    double const sound = airfoil::sound_in(q_(c));
    double sum = 0;
    for (local_id const side : cells2sides_[c])
      sum += airfoil::speed_through(q_(c), sound, n_(side));
    adt_(c) = sum / airfoil::cfl;
  }
}

void flow_by_hand::update() {
  double change = 0;
#pragma omp parallel for schedule(static) reduction(+ : change)
  for (local_id c = 0; c < num_cells_; ++c) {
    state const del = (1 / adt_(c)) * res_[c];
    q_(c) = old_[c] - del;
    res_[c] = state{};
    change += dot(del, del);
  }
  for (std::size_t c = static_cast<std::size_t>(num_cells_); c < res_.size(); ++c)
    res_[c] = state{};
  change_ = change;
}

void flow_by_hand::iterate() {
#pragma omp parallel for schedule(static)
  for (local_id c = 0; c < num_cells_; ++c)
    old_[c] = q_(c);
  for (int half = 0; half < 2; ++half) {
    find_time_steps();
    halo_.run();
    if (how_ == adding::scatter)
      scatter(0, sides_.size());
    for (auto const& of_color : colors_) {
#pragma omp parallel for schedule(static)
      for (std::size_t b = 0; b < of_color.size(); ++b)
        scatter(of_color[b], std::min(of_color[b] + block, sides_.size()));
    }
    if (how_ == adding::stored) {
#pragma omp parallel for schedule(static)
      for (std::size_t s = 0; s < sides_.size(); ++s)
        fluxes_[s] = flux_through(sides_[s]);
      gather();
    }
    update();
  }
}

} // namespace

std::unique_ptr<contender> by_hand(seam::Mesh const& mesh, adding how) {
  return std::make_unique<flow_by_hand>(mesh, how);
}

} // namespace mesh_bench
