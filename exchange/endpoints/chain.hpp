/// Chains: doubly linked lists of objects that carry their own links, in the order of arrival.
#pragma once

namespace seam::detail {

/// A list of objects of type T, linked by their members `Previous` and `Next`. Owns nothing.
template <class T, T* T::*Previous, T* T::*Next>
class chain {
public:
  T* first() const noexcept { return first_; }

  void append(T& last) noexcept {
    last.*Previous = last_;
    last.*Next = nullptr;
    (last_ != nullptr ? last_->*Next : first_) = &last;
    last_ = &last;
  }

  void remove(T& linked) noexcept {
    (linked.*Previous != nullptr ? linked.*Previous->*Next : first_) = linked.*Next;
    (linked.*Next != nullptr ? linked.*Next->*Previous : last_) = linked.*Previous;
  }

  /// The first object for which `suits` is true, or nullptr.
  template <class Suits>
  T* find(Suits const& suits) const {
    for (T* linked = first_; linked != nullptr; linked = linked->*Next)
      if (suits(*linked))
        return linked;
    return nullptr;
  }

private:
  T *first_ = nullptr, *last_ = nullptr;
};

} // namespace seam::detail
