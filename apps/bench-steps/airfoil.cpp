// The flow around a wing section, as in seam-airfoil, on a square of quadrilaterals whose whole border is
// far away. Loops by hand store the fluxes through sides, and gather them by cells.
#include "../airfoil/flow.hpp"
#include "problem.hpp"

#include <algorithm>
#include <numeric>

namespace steps_bench {
namespace {

using ::airfoil::state;
using seam::local_id;

/// A first state that differs from cell to cell.
state first_state(std::array<double, 3> const& x) {
  state made = ::airfoil::far_field();
  made[3] += 0.01 * std::sin(3 * x[0] + x[1]);
  return made;
}

seam::Mesh square(seam::Communicator const& over, std::int64_t rows, std::int64_t columns) {
  return seam::divided(over, seam::box_mesh(over, seam::shape::quadrilateral, {rows, columns, 1}));
}

/// The energies of own cells.
std::vector<double> values_of(seam::MeshField<state> const& q) {
  std::vector<double> all(q.entities().num_owned);
  for (local_id c = 0; c < std::ssize(all); ++c)
    all[c] = q(c)[3];
  return all;
}

class by_steps final : public contender {
public:
  explicit by_steps(seam::Mesh const& mesh) : all_(mesh), step_(mesh) {
    all_.q.fill(first_state);
    ::airfoil::add_iteration(step_, mesh, all_, {}, mesh.border());
  }

  void run(std::int64_t steps) override { step_.run(steps); }
  std::vector<double> values() const override { return values_of(all_.q); }

private:
  ::airfoil::fields all_;
  seam::Steps<seam::on_mesh> step_;
};

/// Loops over arrays of one rank.
class by_loops final : public contender {
public:
  explicit by_loops(seam::Mesh const& mesh)
      : num_cells_(mesh.cells().num_owned),
        all_(mesh),
        cells2sides_(mesh.adjacent(2, 1)),
        old_(num_cells_),
        sums_(num_cells_) {
    all_.q.fill(first_state);
    find_sides(mesh);
  }

  void run(std::int64_t steps) override {
    for (; steps > 0; --steps) {
#pragma omp parallel for
      for (local_id c = 0; c < num_cells_; ++c)
        old_[c] = all_.q(c);
      for (int stage = 0; stage < 2; ++stage) {
        find_time_steps();
#pragma omp parallel for
        for (std::size_t s = 0; s < sides_.size(); ++s)
          fluxes_[s] = flux_through(sides_[s]);
        gather();
        update();
      }
    }
  }

  std::vector<double> values() const override { return values_of(all_.q); }

private:
  /// A side and its cells, or its cell twice at the border.
  struct side {
    local_id first, second;
    ::airfoil::normal n;
  };

  /// Lists sides by ascending id, those at the border last, and for each cell its sides in this order.
  void find_sides(seam::Mesh const& mesh) {
    auto const& sides2cells = mesh.adjacent(1, 2);
    std::vector<local_id> order(mesh.sides().num_owned);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](local_id s) {
      return std::pair(sides2cells[s].size() == 1, mesh.sides().ids[s]);
    });
    std::vector<std::vector<std::int32_t>> cells2sides(num_cells_);
    for (local_id const s : order) {
      side const listed{sides2cells[s].front(), sides2cells[s].back(), all_.n(s)};
      auto const number = static_cast<std::int32_t>(sides_.size());
      cells2sides[listed.first].push_back(number);
      if (listed.second != listed.first)
        cells2sides[listed.second].push_back(-1 - number);
      sides_.push_back(listed);
    }
    for (auto const& row : cells2sides) {
      gathered_.insert(gathered_.end(), row.begin(), row.end());
      begins_.push_back(std::ssize(gathered_));
    }
    fluxes_.resize(sides_.size());
  }

  void find_time_steps() {
#pragma omp parallel for
    for (local_id c = 0; c < num_cells_; ++c) {
      state const& q = all_.q(c);
      double const sound = ::airfoil::sound_in(q);
      double sum = 0;
      for (local_id const s : cells2sides_[c])
        sum += ::airfoil::speed_through(q, sound, all_.n(s));
      all_.adt(c) = sum / ::airfoil::cfl;
    }
  }

  state flux_through(side const& of) const {
    using ::airfoil::eps;
    state const& q = all_.q(of.first);
    double const size = all_.adt(of.first);
    if (of.first == of.second)
      return ::airfoil::flux(q, far_, size * eps, of.n);
    return ::airfoil::flux(q, all_.q(of.second), 0.5 * (size + all_.adt(of.second)) * eps, of.n);
  }

  void gather() {
#pragma omp parallel for
    for (local_id c = 0; c < num_cells_; ++c) {
      state sum{};
      for (auto k = begins_[c]; k < begins_[c + 1]; ++k)
        if (std::int32_t const s = gathered_[k]; s >= 0)
          sum += fluxes_[s];
        else
          sum -= fluxes_[-1 - s];
      sums_[c] = sum;
    }
  }

  void update() {
    double change = 0;
#pragma omp parallel for reduction(+ : change)
    for (local_id c = 0; c < num_cells_; ++c) {
      state const del = (1 / all_.adt(c)) * sums_[c];
      all_.q(c) = old_[c] - del;
      change += dot(del, del);
    }
    change_ = change;
  }

  local_id num_cells_;
  ::airfoil::fields all_;
  seam::adjacency const& cells2sides_;
  state const far_ = ::airfoil::far_field();
  std::vector<state> old_, sums_, fluxes_;
  std::vector<side> sides_;
  std::vector<std::int32_t> gathered_;  ///< sides of each cell; -1 - s: seen from behind
  std::vector<std::int64_t> begins_{0}; ///< [cells + 1]
  double change_ = 0;
};

} // namespace

problem const airfoil{
    .name = "airfoil",
    .num_axes = 2,
    .num_values = 86,
    .by_steps = [](seam::Communicator const& over, extents const& cells,
                   int) -> std::unique_ptr<contender> {
      return std::make_unique<by_steps>(square(over, cells[0], cells[1]));
    },
    .by_hand = [](seam::Communicator const& over,
                  extents const& cells) -> std::unique_ptr<contender> {
      return std::make_unique<by_loops>(square(seam::Communicator::dup(MPI_COMM_SELF),
                                               cells[0] / over.size(), cells[1]));
    },
    .is_fused = false,
    .is_grid = false};

} // namespace steps_bench
