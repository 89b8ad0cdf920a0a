/// View watches: how a view of a checked program tells the stamps of its buffer what it is asked for.
/// In other programs they are empty and do nothing.
///
/// A program may be checked though the library is not: types of views differ by their watches, so that
/// neither takes the other's code. What hands out views, or has some in its captures, is a template
/// whose arguments name the watch.
#pragma once

#include <seam/exchange/ground/checks.hpp>

#include <cstdint>
#include <type_traits>

#if defined(SEAM_CHECKED) && SEAM_CHECKED
#include <seam/exchange/steps/stamps/ghost_stamps.hpp>
#endif

namespace seam::detail {

class ghost_stamps;

/// Of views that are not checked.
template <class T>
class no_watch {
public:
  template <class Other>
  using of = no_watch<Other>;

  constexpr no_watch() = default;
  constexpr no_watch(ghost_stamps*, std::int64_t) {}
  constexpr operator no_watch<T const>() const
    requires(!std::is_const_v<T>)
  {
    return {};
  }
  constexpr void take(std::int64_t) const {}
  constexpr void take_row(std::int64_t, std::int64_t) const {}
};

#if defined(SEAM_CHECKED) && SEAM_CHECKED

/// Of views that read, if T is const, or that read and write.
template <class T>
class stamp_watch {
public:
  template <class Other>
  using of = stamp_watch<Other>;

  stamp_watch() = default;

  /// @param stamps  of the buffer, or nullptr
  /// @param origin  number of the element with index 0 on each axis
  stamp_watch(ghost_stamps* stamps, std::int64_t origin) : stamps_(stamps), origin_(origin) {}

  operator stamp_watch<T const>() const
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

template <class T>
using view_watch = stamp_watch<T>;

#else

template <class T>
using view_watch = no_watch<T>;

#endif

} // namespace seam::detail
