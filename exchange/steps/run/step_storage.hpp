/// Storage of steps: the arrays in which a program's fields lie, their ghosts, and which array is
/// which buffer of which field now.
#pragma once

#include <seam/exchange/steps/flow/step_dataflow.hpp>
#include <seam/exchange/steps/program/step_program.hpp>

#include <vector>

namespace seam::detail {

/// The buffers that a program needs, before they have memory.
struct needed_buffers {
  std::vector<int> counts;  ///< [fields]
  buffer_order order;       ///< with those that the fields have besides
  std::vector<int> layouts; ///< [buffers] number of a field of each one's layout
};

/// Local.
needed_buffers buffers_of(step_program const& program);

class step_storage {
public:
  /// @param program, space  outlive this
  step_storage(step_program const& program, step_space const& space)
      : program_(program), space_(space) {}

  /// Makes the fields' ghosts as wide as kernels need them in `ranges`, and their buffers as many.
  /// Forgets all arrays.
  /// @throws usage_error  ghosts beyond a border are needed that have no condition
  /// Collective: over the grid.
  void widen(needed_buffers const& needed, std::vector<step_range> const& ranges);

  /// True if a field's ghosts have changed on any rank since widen(), or what conditions on its borders
  /// read. The same on all ranks.
  bool is_stale() const;

  /// Numbers the buffers that the fields have now. Returns true if one of them is new.
  bool number_buffers();

  /// Gives the fields their buffers in an order.
  void give_buffers(buffer_order const& order) const;

  buffer_order const& order() const noexcept { return order_; }
  std::vector<step_array> const& arrays() const noexcept { return arrays_; }
  std::vector<int> const& layouts() const noexcept { return layouts_; }

private:
  step_region stored_by(int field, step_dataflow const& flow) const;
  std::vector<step_region> needed_regions(needed_buffers const& needed,
                                          std::vector<step_range> const& ranges) const;
  int number_of(int field, std::shared_ptr<std::byte> const& buffer);

  step_program const& program_;
  step_space const& space_;
  std::vector<step_array> arrays_;
  std::vector<int> layouts_;       ///< [arrays] number of a field
  std::vector<int> times_changed_; ///< [fields] after widen()
  buffer_order order_;             ///< now
};

} // namespace seam::detail
