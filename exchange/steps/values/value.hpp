/// Values: numbers that all ranks know, and that change from step to step.
///
///     Value<double> dt("dt");                          // a kernel sets it: minimum(dt), sum(dt)
///     Value<double> g("g", 9.81);                      // others take it: with(g)
#pragma once

#include <seam/exchange/sums/sum.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace seam {
namespace detail {

/// A number that all ranks know, whatever its type.
class step_value {
public:
  explicit step_value(std::string its_name) : name(std::move(its_name)) {}
  virtual ~step_value() = default;
  virtual double as_double() const = 0;

  std::string name;
  bool is_set = false;
};

template <class T>
class typed_step_value : public step_value {
public:
  typed_step_value(std::string its_name, T first) : step_value(std::move(its_name)), now(first) {}
  double as_double() const override { return static_cast<double>(now); }

  T now;
};

/// The reduction of a kernel's contributions to a value.
class step_reduction {
public:
  virtual ~step_reduction() = default;
  virtual void prepare_workers(int count) = 0;
  virtual char const* how() const = 0;
  virtual MPI_Op op() const = 0;
  virtual MPI_Datatype type() const = 0; ///< of what `op` combines: one word, or all
  virtual int num_words() const = 0;
  /// Merges the contributions of all workers, which begin anew.
  virtual void take(std::int64_t* words) = 0;
  /// Sets the value.
  virtual void finish(std::int64_t const* words) = 0;
};

template <class Accumulator, class T>
class typed_step_reduction : public step_reduction {
public:
  explicit typed_step_reduction(std::shared_ptr<typed_step_value<T>> into)
      : into_(std::move(into)) {}

  void prepare_workers(int count) override { workers_.resize(count); }
  char const* how() const override { return Accumulator::name; }
  MPI_Op op() const override { return Accumulator::op(); }
  MPI_Datatype type() const override {
    if constexpr (requires { Accumulator::type(); })
      return Accumulator::type();
    else
      return MPI_INT64_T;
  }
  int num_words() const override { return Accumulator::num_words; }

  void take(std::int64_t* words) override {
    Accumulator all;
    for (auto& worker : workers_) {
      all.merge(worker.own);
      worker.own = Accumulator();
    }
    all.write_to(words);
  }
  void finish(std::int64_t const* words) override {
    Accumulator all;
    all.read_from(words);
    into_->now = static_cast<T>(all.result());
  }
  Accumulator& of_worker(int worker) { return workers_[worker].own; }

private:
  struct alignas(128) padded {
    Accumulator own;
  };
  std::shared_ptr<typed_step_value<T>> into_;
  std::vector<padded> workers_;
};

} // namespace detail

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
