/// Sweep loops: Iterate without the type of its fields' values. A sweep is a step with one kernel,
/// which reads one field around each cell and writes the other, and the exchange of both.
#pragma once

#include <seam/stencil/detail/field_state.hpp>
#include <seam/stencil/grid.hpp>

#include <cstdint>
#include <memory>

namespace seam::detail {

template <int D>
class step_machine;

/// Computes the new values of a tile of cells from the old ones around them.
template <int D>
struct tile_sweep {
  void const* kernel = nullptr; ///< as passed to `compute`
  void (*compute)(void const* kernel, component_memory<D> const& next,
                  component_memory<D> const& old, box<D> const& tile) = nullptr;
};

/// The largest change of a cell in a part of a block, infinite where a value is not a number.
template <int D>
using change_in_part = double (*)(component_memory<D> const& now, component_memory<D> const& before,
                                  box<D> const& part);

/// See Iterate for the members' contracts.
template <int D>
class sweep_loop {
public:
  sweep_loop(Grid<D> const& grid, std::shared_ptr<field_state<D>> current,
             std::shared_ptr<field_state<D>> next);
  sweep_loop(sweep_loop const&) = delete;
  sweep_loop& operator=(sweep_loop const&) = delete;
  ~sweep_loop();

  void run(std::int64_t count, tile_sweep<D> const& sweep);
  bool converged(double tolerance, int every, change_in_part<D> change_of) const;
  double change(change_in_part<D> change_of) const;
  std::int64_t num_sweeps() const noexcept;
  void continue_at(std::int64_t num_sweeps) noexcept;

private:
  void check_fields() const;
  void declare();

  Grid<D> grid_;
  std::shared_ptr<field_state<D>> current_, next_;
  tile_sweep<D> sweep_; ///< of the present call of run()
  std::unique_ptr<step_machine<D>> machine_;
};

} // namespace seam::detail
