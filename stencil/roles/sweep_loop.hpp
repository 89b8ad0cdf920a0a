/// Sweep loops: Iterate without the type of its fields' values. A sweep is a step with one kernel,
/// which reads one field around each cell and writes the other, and the exchange of both.
#pragma once

#include <seam/stencil/fields/field_state.hpp>
#include <seam/stencil/space/grid_space.hpp>

#include <cstdint>
#include <memory>

namespace seam::detail {

class kernel_body;
class step_machine;

/// The largest change of a cell in a part of a block, infinite where a value is not a number.
using change_in_part = double (*)(component_memory const& now, component_memory const& before,
                                  box3 const& part);

/// See Iterate for the members' contracts.
class sweep_loop {
public:
  sweep_loop(shared_space space, std::shared_ptr<field_state> current,
             std::shared_ptr<field_state> next);
  sweep_loop(sweep_loop const&) = delete;
  sweep_loop& operator=(sweep_loop const&) = delete;
  ~sweep_loop();

  /// @param sweep  reads the first argument, the present field, and writes the second, the next one
  void run(std::int64_t count, kernel_body const& sweep);
  field_state const& current() const noexcept { return *current_; }
  field_state const& next() const noexcept { return *next_; }
  bool converged(double tolerance, int every, change_in_part change_of) const;
  double change(change_in_part change_of) const;
  std::int64_t num_sweeps() const noexcept;
  void continue_at(std::int64_t num_sweeps);

private:
  void check_fields() const;
  void declare();

  shared_space space_;
  std::shared_ptr<field_state> current_, next_;
  std::unique_ptr<step_machine> machine_;
};

} // namespace seam::detail
