/// Roles of values: what a kernel of steps does with a number that all ranks know, whatever its space.
///
///     minimum(v) maximum(v) sum(v)   contributes to a value that all ranks know
///     with(v)                        such a value
///     sets(v)                        of kernels on values: a reference to one
#pragma once

#include <seam/exchange/steps/values/value.hpp>
#include <seam/exchange/sums/detail/accumulators.hpp>

#include <Kokkos_Macros.hpp>

#include <memory>

namespace seam {
namespace detail {

/// Roles as they are declared, whatever the types of values. Those that each() takes add the types.
struct declared_role {};

struct declared_value : declared_role {
  declared_value(std::shared_ptr<step_value> its_value, bool its_is_set);
  declared_value(declared_value const&);
  ~declared_value();

  std::shared_ptr<step_value> value;
  bool is_set; ///< by the kernel; false: taken
};

struct declared_reduction : declared_role {
  using maker = std::shared_ptr<step_reduction> (*)(std::shared_ptr<step_value> const& into);

  declared_reduction(std::shared_ptr<step_value> its_value, maker its_make);
  declared_reduction(declared_reduction const&);
  ~declared_reduction();

  std::shared_ptr<step_value> value;
  maker make;
};

template <class T>
struct value_role : declared_value {
  explicit value_role(Value<T> const& of) : declared_value(of.shared(), false) {}
};

template <class T>
struct setting_role : declared_value {
  explicit setting_role(Value<T> const& of) : declared_value(of.shared(), true) {}
};

template <class Accumulator, class T>
struct reducing_role : declared_reduction {
  explicit reducing_role(Value<T> const& of)
      : declared_reduction(of.shared(), [](std::shared_ptr<step_value> const& into) {
          return std::shared_ptr<step_reduction>(new typed_step_reduction<Accumulator, T>(
              std::static_pointer_cast<typed_step_value<T>>(into)));
        }) {}
};

/// True for accumulators of which each loop has one of its own.
template <class Accumulator>
inline constexpr bool is_small_accumulator = sizeof(Accumulator) <= 64;

} // namespace detail

/// Contributes to a value that all ranks will know.
template <class Accumulator>
class contributor {
public:
  /// @param into  null for large accumulators whose values other ranks count
  explicit contributor(Accumulator* into) : into_(into) {}

  KOKKOS_FORCEINLINE_FUNCTION void operator()(typename Accumulator::value_type value) const {
    if (detail::is_small_accumulator<Accumulator> || into_ != nullptr)
      into_->add(value);
  }

private:
  Accumulator* into_;
};

/// The value itself.
template <class T>
detail::value_role<T> with(Value<T> const& value) {
  return detail::value_role<T>(value);
}

/// A reference to the value, for kernels on values alone.
template <class T>
detail::setting_role<T> sets(Value<T> const& value) {
  return detail::setting_role<T>(value);
}

/// The least or largest of what all places contribute, of all ranks; NaN if one of it is.
template <class T>
detail::reducing_role<detail::least_of<T>, T> minimum(Value<T> const& value) {
  return detail::reducing_role<detail::least_of<T>, T>(value);
}
template <class T>
detail::reducing_role<detail::largest_of<T>, T> maximum(Value<T> const& value) {
  return detail::reducing_role<detail::largest_of<T>, T>(value);
}

/// The exact sum of what all places contribute, of all ranks: the same bits on any ranks and threads.
template <class T>
detail::reducing_role<detail::total_of<T>, T> sum(Value<T> const& value) {
  return detail::reducing_role<detail::total_of<T>, T>(value);
}

} // namespace seam
