/// Finite watches: find, in checked mode, the first value that a kernel makes of finite ones and that
/// is not finite: nan or infinite.
///
/// A value that a kernel makes of another one that is not finite is no finding: programs may mark
/// places by such values. Ghosts beyond borders count as finite, since no kernel makes them.
#pragma once

#include <seam/stencil/fields/field_state.hpp>
#include <seam/stencil/roles/kernel_body.hpp>

#include <cstddef>
#include <vector>

namespace seam::detail {

/// The watch of one thread while a kernel computes one tile.
class finite_watch {
public:
  /// Looks at the values that the kernel may keep.
  /// @param kernel  that has findings
  finite_watch(step_kernel const& kernel, tile_call const& call);

  /// Looks at all that the kernel has computed, and notes what it finds first.
  void end() const;

private:
  step_access const& access(int number) const { return kernel_.accesses[number]; }
  field_state const& field(int access_number) const;
  bool keeps_values(int access) const;
  template <class Visit>
  void for_each_not_finite(int access, Visit const& visit) const;
  bool reads_finite_values(index3 const& target) const;
  bool reads_finite_values(int access, box3 const& from) const;
  void note(int access, int component, index3 const& target, double value) const;

  step_kernel const& kernel_;
  tile_call const& call_;
  std::vector<std::byte const*> before_; ///< values that were not finite; ascending
};

} // namespace seam::detail
