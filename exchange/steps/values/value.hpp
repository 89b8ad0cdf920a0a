/// Values: numbers that all ranks know, and that change from step to step.
///
///     Value<double> dt("dt");                          // a kernel sets it: minimum(dt), sum(dt)
///     Value<double> g("g", 9.81);                      // others take it: with(g)
#pragma once

#include <seam/exchange/steps/values/step_value.hpp>

#include <memory>
#include <string>
#include <utility>

namespace seam {

/// A number that all ranks know. Copies are handles of the same value.
template <class T>
class Value {
public:
  /// A value that a kernel has to set before others take it.
  explicit Value(std::string name)
      : state_(std::make_shared<detail::typed_step_value<T>>(std::move(name), T{})) {}

  /// @param first  the same on all ranks
  Value(std::string name, T first)
      : state_(std::make_shared<detail::typed_step_value<T>>(std::move(name), first)) {
    state_->is_set = true;
  }

  /// The present value. While steps run, of the kernels that have run.
  T get() const { return state_->now; }
  operator T() const { return get(); }

  /// Sets the value, between runs. The same on all ranks.
  void set(T value) {
    state_->now = value;
    state_->is_set = true;
  }

  std::shared_ptr<detail::typed_step_value<T>> const& shared() const noexcept { return state_; }

private:
  std::shared_ptr<detail::typed_step_value<T>> state_;
};

} // namespace seam
