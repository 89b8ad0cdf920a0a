/// Typed kernels: the bodies of the kernels that users write. Of each kernel only its loops along rows
/// are compiled, and one call on views that note what it reads and writes.
#pragma once

#include <seam/exchange/steps/program/step_recorder.hpp>
#include <seam/stencil/roles/kernel_body.hpp>
#include <seam/stencil/roles/kernel_by_place.hpp>
#include <seam/stencil/roles/kernel_check.hpp>
#include <seam/stencil/roles/row_loops.hpp>
#include <seam/stencil/roles/row_views.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace seam::detail {

template <class Kernel, int D, class Watch, class... Rows>
inline constexpr bool takes_place =
    std::is_invocable_v<Kernel const&, view_of<Rows, Watch>..., place<D>>;
template <class Kernel, int D, class Watch, class... Rows>
inline constexpr bool takes_views = takes_place<Kernel, D, Watch, Rows...> ||
                                    std::is_invocable_v<Kernel const&, view_of<Rows, Watch>...>;
template <int D, class Inside, class Elsewhere, class Watch, class... Rows>
inline constexpr bool takes_views<kernel_by_place<D, Inside, Elsewhere>, D, Watch, Rows...> =
    takes_views<Inside, D, Watch, Rows...> && takes_views<Elsewhere, D, Watch, Rows...>;

/// Checks the kernel, or both of one by place.
template <class Kernel, int D, class... Rows>
struct check_body : check_kernel<Kernel, D, view_of<Rows, unwatched<D>>...> {};
template <int D, class Inside, class Elsewhere, class... Rows>
struct check_body<kernel_by_place<D, Inside, Elsewhere>, D, Rows...> {
  static constexpr bool is_checked =
      check_body<Inside, D, Rows...>::is_checked && check_body<Elsewhere, D, Rows...>::is_checked;
};

/// A kernel with the rows of its roles.
template <int D, class Kernel, class... Rows>
class typed_kernel final : public kernel_body {
public:
  static_assert(check_body<Kernel, D, Rows...>::is_checked);

  explicit typed_kernel(Kernel const& kernel) : kernel_body(traits_of(kernel)), kernel_(kernel) {}

  void compute(place_run const& run) const override {
    if constexpr (!is_by_place<Kernel>)
      compute(kernel_, run, all_rows{});
    else if (run.is_inside)
      compute(kernel_.inside, run, all_rows{});
    else
      compute(kernel_.elsewhere, run, all_rows{});
  }

  [[gnu::cold]] void compute_watched(place_run const& run, step_recorder& recorder) const override {
    if constexpr (!is_watchable)
      return;
    else if constexpr (!is_by_place<Kernel>)
      watch(kernel_, run, recorder, all_rows{});
    else if (run.is_inside)
      watch(kernel_.inside, run, recorder, all_rows{});
    else
      watch(kernel_.elsewhere, run, recorder, all_rows{});
  }

private:
  using all_rows = std::index_sequence_for<Rows...>;

  static constexpr bool is_ordered = (is_ordered_row<Rows> || ...);
  static constexpr bool is_located =
      std::disjunction_v<std::bool_constant<is_located_row<Rows>>...>;
  static constexpr bool is_watchable = takes_views<Kernel, D, watched<D>, Rows...>;

  template <class Called>
  static constexpr bool takes_its_place = takes_place<Called, D, unwatched<D>, Rows...>;

  static body_traits traits_of(Kernel const& kernel) {
    body_traits made{.adds = (is_adding_row<Rows> || ...),
                     .is_ordered = is_ordered,
                     .is_watchable = is_watchable};
    if constexpr (is_by_place<Kernel>) {
      made.takes_place = is_located || takes_its_place<decltype(kernel.elsewhere)>;
      made.is_by_place = true;
      made.takes_place_inside = is_located || takes_its_place<decltype(kernel.inside)>;
      made.inside = padded(kernel.where);
    } else {
      made.takes_place = is_located || takes_its_place<Kernel>;
    }
    return made;
  }

  template <class Called, std::size_t... R>
  static void compute(Called const& kernel, place_run const& run, std::index_sequence<R...>) {
    if constexpr (takes_its_place<Called>)
      compute_run<is_ordered>(kernel, run, Rows(run, run.arguments[R])..., row_of_places<D>(run));
    else
      compute_run<is_ordered>(kernel, run, Rows(run, run.arguments[R])...);
  }

  template <class Called, std::size_t... R>
  static void watch(Called const& kernel, place_run const& run, step_recorder& recorder,
                    std::index_sequence<R...>) {
    auto const watch_of = [&](int r) { return watched<D>{&recorder, run.arguments[r].access, 0}; };
    [&](Rows... rows) {
      if constexpr (takes_its_place<Called>)
        kernel(rows.at(run.begin, watch_of(R))..., row_of_places<D>(run).at(run.begin));
      else
        kernel(rows.at(run.begin, watch_of(R))...);
      (end_row(rows), ...);
    }(Rows(run, run.arguments[R])...);
  }

  Kernel kernel_;
};

} // namespace seam::detail
