/// Runs of steps: what steps on grids and on meshes have in common, once their kernels are declared.
#pragma once

#include <seam/exchange/steps/roles/kernel.hpp>
#include <seam/exchange/steps/roles/step_declaration.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace seam {
namespace detail {

/// The type of a value as kernels on values alone get it.
template <class Role>
struct value_of_role;
template <class T>
struct value_of_role<value_role<T>> : std::type_identity<T const> {};
template <class T>
struct value_of_role<setting_role<T>> : std::type_identity<T> {};

/// A kernel on values alone, with the types of its arguments: T const for with(), T for sets().
template <class Kernel, class... T>
class typed_setting final : public step_body {
public:
  explicit typed_setting(Kernel const& kernel) : kernel_(kernel) {}

  void compute(step_kernel const& kernel, step_call const& /*call*/) const override {
    set(kernel.arguments.data(), std::index_sequence_for<T...>{});
  }

private:
  template <std::size_t... R>
  void set(kernel_argument const* arguments, std::index_sequence<R...>) const {
    kernel_(static_cast<T&>(
        static_cast<typed_step_value<std::remove_const_t<T>>*>(arguments[R].value)->now)...);
  }

  Kernel kernel_;
};

} // namespace detail

/// Steps on a grid of D axes, or on a mesh: Steps<on_mesh>.
template <int D>
class Steps;
inline constexpr int on_mesh = 0;

/// When Steps::run_until() looks at its value, and where it ends at the latest.
struct run_limits {
  std::int64_t check_every = 1; ///< it looks after steps whose number this divides
  std::int64_t at_most = std::numeric_limits<std::int64_t>::max(); ///< num_steps() at the end
};

/// A program of kernels. Its kernels come by each() of Steps.
/// Threads: one thread calls the members; kernels run on Kokkos' host threads.
class step_runs {
public:
  /// Adds a kernel on values alone: with() and sets(), then a function, which every rank calls.
  /// @param name  for errors and explanations; "once" if it is left out
  template <class... Arguments>
  void once(std::string const& name, Arguments const&... arguments) {
    add_once(name, std::make_index_sequence<sizeof...(Arguments) - 1>{}, arguments...);
  }
  template <class First, class... Arguments>
    requires(!std::convertible_to<First, std::string>)
  void once(First const& first, Arguments const&... arguments) {
    once("once", first, arguments...);
  }

  /// Fuses `steps` steps between messages, from the next plan() on; 0 or 1: none, as without a
  /// call. At most 1024, and on a mesh as many as its layers of ghost cells suffice for (else plan()
  /// throws usage_error). The same on all ranks.
  void fuse(int steps) { machine_->fuse(std::max(1, steps)); }

  /// Leaves it to measurement how many steps are fused: runs of several steps try some numbers, and
  /// use then the fastest. Without gain none are fused, nor where ranks would compute many values
  /// of others, or a block fits into a cache.
  void fuse_by_measurement() { machine_->fuse(detail::fused_by_measurement); }

  /// Checks the declarations, and prepares all that runs need. run() does it if it is not done.
  /// @throws usage_error  a kernel reads or writes what it does not declare, or the declarations
  ///         contradict each other: one line on all ranks, which names kernel and field
  /// Collective: over the space.
  void plan() { machine_->plan(); }

  /// Runs the program `count` times.
  /// @throws usage_error  as plan(); or an exception that a kernel has thrown, on its rank
  /// Collective: over the space, until all parts have been planned; then local to the neighborhood,
  /// without allocation.
  void run(std::int64_t count = 1) { machine_->run(count); }

  /// Runs the program until a value that it computes fulfills a condition:
  ///
  ///     step.run_until(time, [](double t) { return t >= 0.2; }, {.check_every = 8});
  ///     bool const has_converged = step.run_until(residual, [](double r) { return r < 1e-9; },
  ///                                               {.check_every = 10, .at_most = 5000});
  ///
  /// It looks where the number of all steps done is a multiple of `check_every`, before the first step,
  /// too, if the value has been set. So it ends after the same step on any ranks, with any fusion, and
  /// however often it has been stopped by `at_most`, which counts all steps done, and resumed. Steps
  /// between two looks are fused as in run(check_every).
  /// @param condition  bool(T); the same on all ranks
  /// @return           true if it has ended by the condition, false by `at_most`
  /// @throws usage_error  as run(); `check_every` is less than 1, or no kernel computes the value
  /// Collective: as run().
  template <class T, class Condition>
    requires std::predicate<Condition const&, T const&>
  bool run_until(Value<T> const& value, Condition const& condition, run_limits const& limits = {}) {
    return machine_->run_until(
        *value.shared(), [&] { return condition(value.get()); }, limits.check_every,
        limits.at_most);
  }

  /// Steps done.
  std::int64_t num_steps() const noexcept { return machine_->num_steps(); }

  /// Counts `num_steps` steps as done, whose values the fields have from elsewhere. Between runs; the
  /// same on all ranks.
  /// @throws usage_error  a negative number (on all ranks)
  void continue_at(std::int64_t num_steps) { machine_->continue_at(num_steps); }

  /// The plan in words: kernels, what they read, messages, tiles, fusion.
  /// Collective: over the space.
  std::string explain() { return machine_->explain(); }

  detail::step_machine& machine() noexcept { return *machine_; }

protected:
  explicit step_runs(detail::shared_step_space space)
      : machine_(std::make_shared<detail::step_machine>(std::move(space))) {}

  std::shared_ptr<detail::step_machine> machine_;

private:
  template <std::size_t... Role, class... Arguments>
  void add_once(std::string const& name, std::index_sequence<Role...>,
                Arguments const&... arguments) {
    using namespace detail;
    using all = std::tuple<Arguments...>;
    using body = typed_setting<std::tuple_element_t<sizeof...(Role), all>,
                               typename value_of_role<std::tuple_element_t<Role, all>>::type...>;
    step_declaration declaration(*machine_, name);
    (detail::take(declaration, arguments), ...);
    declaration.add_on_values(std::make_unique<body const>(
        last_argument<std::index_sequence<Role...>>::of(arguments...)));
  }
};

} // namespace seam
