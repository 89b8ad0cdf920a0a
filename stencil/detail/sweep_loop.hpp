/// Sweep loops: Iterate without the type of its fields' values. A sweep is a step with one kernel,
/// which reads one field around each cell and writes the other, and the exchange of both.
#pragma once

#include <seam/stencil/detail/field_state.hpp>
#include <seam/stencil/grid.hpp>

#include <cstdint>
#include <memory>

namespace seam::detail {

template <int D>
class kernel_body;
template <int D>
class step_machine;

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

  /// @param sweep  reads the first argument, the present field, and writes the second, the next one
  void run(std::int64_t count, kernel_body<D> const& sweep);
  field_state<D> const& current() const noexcept { return *current_; }
  field_state<D> const& next() const noexcept { return *next_; }
  bool converged(double tolerance, int every, change_in_part<D> change_of) const;
  double change(change_in_part<D> change_of) const;
  std::int64_t num_sweeps() const noexcept;
  void continue_at(std::int64_t num_sweeps) noexcept;

private:
  void check_fields() const;
  void declare();

  Grid<D> grid_;
  std::shared_ptr<field_state<D>> current_, next_;
  std::unique_ptr<step_machine<D>> machine_;
};

} // namespace seam::detail
