/// View watches: how a view of a checked build tells the stamps of its buffer what it is asked for. In
/// other builds they are empty and do nothing.
#pragma once

#include <cstdint>
#include <type_traits>

#if defined(SEAM_CHECKED) && SEAM_CHECKED
#include <seam/exchange/steps/stamps/ghost_stamps.hpp>
#endif

namespace seam::detail {

class ghost_stamps;

#if defined(SEAM_CHECKED) && SEAM_CHECKED

/// True in builds whose views tell stamps what they are asked for.
inline constexpr bool views_are_watched = true;

/// Of views that read, if T is const, or that read and write.
template <class T>
class view_watch {
public:
  view_watch() = default;

  /// @param stamps  of the buffer, or nullptr
  /// @param origin  number of the element with index 0 on each axis
  view_watch(ghost_stamps* stamps, std::int64_t origin) : stamps_(stamps), origin_(origin) {}

  operator view_watch<T const>() const
    requires(!std::is_const_v<T>)
  {
    return {stamps_, origin_};
  }

  void take(std::int64_t offset) const {
    if (stamps_ == nullptr)
      return;
    if constexpr (std::is_const_v<T>)
      stamps_->read(origin_ + offset);
    else
      stamps_->touch(origin_ + offset);
  }

  void take_row(std::int64_t offset, std::int64_t count) const {
    if (stamps_ == nullptr)
      return;
    if constexpr (std::is_const_v<T>)
      stamps_->read(origin_ + offset, count);
    else
      stamps_->touch_row(origin_ + offset, count);
  }

private:
  ghost_stamps* stamps_ = nullptr;
  std::int64_t origin_ = 0;
};

#else

inline constexpr bool views_are_watched = false;

template <class T>
class view_watch {
public:
  constexpr view_watch() = default;
  constexpr view_watch(ghost_stamps*, std::int64_t) {}
  constexpr operator view_watch<T const>() const
    requires(!std::is_const_v<T>)
  {
    return {};
  }
  constexpr void take(std::int64_t) const {}
  constexpr void take_row(std::int64_t, std::int64_t) const {}
};

#endif

} // namespace seam::detail
