/// Features of drawn step programs that have acted: not drawn alone, but run, read, mixed.
#pragma once

#include <array>
#include <cstdint>

namespace seam::testing {

enum class feature {
  phase,          ///< a kernel left steps out, the first one too
  located,        ///< an extreme was found at a place
  extreme,        ///< a kernel that wrote found the least or largest value of some
  counts,         ///< a kernel that wrote counted places
  until,          ///< a value ended a run
  lent,           ///< a field on a view was read or written
  profiled,       ///< kernels ran that were measured
  bare,           ///< kernels ran whose accesses were not compared with their roles
  far_border,     ///< a condition saw further than the mirror image
  several,        ///< a kernel wrote one field where the other, elsewhere on cells, has no value
  fused,          ///< as many steps ran at once as are fused
  measured,       ///< so many steps ran that some numbers were tried
  ranks,          ///< a kernel read what another rank owns
  mask,           ///< a mask left some places out, not all
  second_program, ///< steps of it ran
  by_hand,        ///< steps ran behind a change by hand
  time,           ///< a condition got the time
  held,           ///< a condition got a value
  beside,         ///< a condition got another field's value
  own_borders,    ///< a kernel's own condition made a ghost
  turned,         ///< a ghost had the condition of the opposite border
  order,          ///< a kernel read, in order, what it had written before
  colors,         ///< a kernel ran in colors
  adds,           ///< a kernel added to another place
  swap,           ///< fields were swapped
  by_place,       ///< both kernels ran
  two_roles,      ///< components of one field had different roles
  old_level,      ///< an old level was read
  thin_axis,      ///< a read went around a periodic axis more than once
};

inline constexpr std::array feature_names = {
    "phase",    "located",     "extreme",        "counts",    "until",    "lent",
    "profiled", "bare",        "far border",     "several",   "fused",    "measured",
    "ranks",    "mask",        "second program", "by hand",   "time",     "held",
    "beside",   "own borders", "turned",         "order",     "colors",   "adds",
    "swap",     "by place",    "two roles",      "old level", "thin axis"};

/// A set of features.
class acted_features {
public:
  void note(feature which) { bits_ |= std::uint64_t{1} << static_cast<int>(which); }
  void note(feature which, bool has_acted) {
    if (has_acted)
      note(which);
  }
  bool has(int which) const { return (bits_ >> which & 1U) != 0; }

private:
  std::uint64_t bits_ = 0;
};

} // namespace seam::testing
