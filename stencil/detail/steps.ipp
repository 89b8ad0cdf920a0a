// From the roles and the kernel of a call of Steps::each() to a kernel of a program; included by
// steps.hpp alone.
#pragma once

#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/detail/row_views.hpp>
#include <seam/stencil/detail/step_check.hpp>
#include <seam/stencil/detail/step_recorder.hpp>
#include <seam/stencil/kernel_by_place.hpp>
#include <seam/stencil/steps.hpp>

#include <array>

namespace seam {
namespace detail {

/// A kernel with its roles.
template <int D, class Kernel, class... Roles>
class typed_kernel {
public:
  typed_kernel(Kernel kernel, std::tuple<Roles...> roles, cell_geometry<D> const& geometry,
               centering on)
      : kernel_(std::move(kernel)), roles_(std::move(roles)), geometry_(geometry), on_(on) {
    int field = 0, reduction = 0;
    int r = 0;
    ((fields_[r] = is_field_role<Roles> ? field++ : -1,
      reductions_[r] = is_reducing<Roles> ? reduction++ : -1, ++r),
     ...);
  }

  static constexpr bool has_adders = (is_adding<Roles> || ...);
  static constexpr bool has_modifiers = (is_modifying<Roles> || ...);
  static constexpr bool takes_watched =
      std::is_invocable_v<Kernel const&, view_of<Roles, D, watched<D>>...> ||
      std::is_invocable_v<Kernel const&, view_of<Roles, D, watched<D>>..., place<D>>;
  static constexpr bool takes_place =
      std::is_invocable_v<Kernel const&, view_of<Roles, D, unwatched<D>>..., place<D>>;
  static_assert(
      takes_place || std::is_invocable_v<Kernel const&, view_of<Roles, D, unwatched<D>>...>,
      "the kernel of Steps::each() has to take one parameter for each role, in their "
      "order: a reader, writer, updater or adder for a field (auto will do), a number for "
      "with(), a contributor for minimum(), maximum() and sum(); and may take a place<D>");

  /// The offsets to which adders add, in order; the place itself where there are none.
  std::vector<cell_index<D>> added{cell_index<D>{}};
  std::vector<std::shared_ptr<step_reduction>> reductions;
  box<D> sources{}; ///< places at which a kernel with adders is called, in the whole domain

  static constexpr bool goes_by_planes =
      D > 1 && !has_adders && (moves_by_rows<Roles, D, unwatched<D>> && ...);

  /// Computes a tile.
  void operator()(tile_call<D> const& call) const {
    if constexpr (goes_by_planes && is_by_place<Kernel>) {
      if (call.mask.access < 0 && !call.order.is_on && call.num_colors <= 1)
        return compute_by_place(call);
    } else if constexpr (goes_by_planes) {
      if (call.mask.access < 0 && !call.order.is_on && (!takes_place || !wraps(call)))
        return compute_planes<takes_place>(call, kernel_);
    }
    compute_rows(call, nullptr);
  }

  /// Computes a tile with each access compared to the declaration.
  void watched_tile(tile_call<D> const& call, step_recorder<D>& recorder) const {
    if constexpr (takes_watched)
      compute_rows(call, &recorder);
  }

  /// Calls the kernel on a recorder, with made-up values.
  void probe(step_recorder<D>& recorder) const {
    if constexpr (takes_watched) {
      std::array<bound_access<D>, sizeof...(Roles) + 1> nowhere{};
      tile_call<D> call;
      call.accesses = nowhere.data();
      call.counts = false;
      recorder.is_probe = true;
      for (recorder.sample = 1; recorder.sample <= 3; ++recorder.sample)
        call_row<watched<D>>(call, {}, {}, 0, 1, 1, &recorder);
      if constexpr (is_by_place<Kernel>) // of which the other kernel is called now
        for (recorder.sample = 1; recorder.sample <= 3; ++recorder.sample) {
          typed_kernel other = *this;
          cell_index<D> const here = index_at(call, {}, 0);
          other.kernel_.where =
              kernel_.where.contains(here) ? box<D>{} : box<D>{here, behind(here)};
          other.template call_row<watched<D>>(call, {}, {}, 0, 1, 1, &recorder);
        }
    }
  }

private:
  static cell_index<D> behind(cell_index<D> at) {
    for (auto& index : at)
      ++index;
    return at;
  }

  static bool wraps(tile_call<D> const& call) {
    return std::ranges::find(call.periodic, true) != call.periodic.end();
  }

  /// Computes the rows of a tile that are side by side in one loop.
  /// @tparam TakesPlace  the kernel does
  template <bool TakesPlace, class Called>
  void compute_planes(tile_call<D> const& call, Called const& kernel) const {
    auto const compute = [&](cell_index<D> const& first, std::int64_t num_rows, std::int64_t end) {
      std::apply(
          [&](auto const&... views) {
            auto const begin = static_cast<int>(first[D - 1]), stop = static_cast<int>(end);
            auto const rows = static_cast<int>(num_rows);
            auto const call_them = [&](auto const&... places) {
              if (call.num_colors > 1)
                call_colored_rows(call, kernel, first, stop, rows, views..., places...);
              else
                call_along_rows(kernel, begin, stop, rows, views..., places...);
            };
            if constexpr (TakesPlace)
              call_them(places_from(call, first, first[D - 1]));
            else
              call_them();
          },
          views_of_row<unwatched<D>>(call, {}, first, std::index_sequence_for<Roles...>{}));
    };
    for_each_plane(call.where, compute);
  }

  /// Computes the part of a tile that is inside by that kernel, and what is beside it axis by axis.
  void compute_by_place(tile_call<D> const& call) const {
    constexpr bool takes = std::is_invocable_v<decltype(kernel_.inside) const&,
                                               view_of<Roles, D, unwatched<D>>..., place<D>>;
    box<D> inside = call.where;
    for (int a = 0; a < D; ++a) {
      box<D> const& where = kernel_.where;
      if (call.periodic[a] && where.lo[a] <= 0 && where.hi[a] >= call.domain[a])
        continue;
      if (call.periodic[a])
        return compute_rows(call, nullptr);
      inside.lo[a] = std::max(inside.lo[a], where.lo[a] - call.first[a]);
      inside.hi[a] = std::min(inside.hi[a], where.hi[a] - call.first[a]);
    }
    if (inside.is_empty() || (takes && wraps(call)))
      return compute_rows(call, nullptr);
    tile_call<D> part = call;
    for (int a = 0; a < D; ++a) {
      tile_call<D> beside = part;
      beside.where.hi[a] = inside.lo[a];
      compute_rows(beside, nullptr);
      beside.where = part.where;
      beside.where.lo[a] = inside.hi[a];
      compute_rows(beside, nullptr);
      part.where.lo[a] = inside.lo[a];
      part.where.hi[a] = inside.hi[a];
    }
    compute_planes<takes>(part, kernel_.inside);
  }

  /// Computes the rows of a tile one after another, in the kernel's order.
  void compute_rows(tile_call<D> const& call, step_recorder<D>* recorder) const {
    int const axis = call.order.axis;
    bool const is_backward = call.order.is_backward && axis < D - 1;
    for (cell_index<D> const& offset : added)
      for_each_row(call.where, [&](cell_index<D> first, std::int64_t end) {
        if (is_backward)
          first[axis] = call.where.lo[axis] + call.where.hi[axis] - 1 - first[axis];
        compute_row(call, offset, first, end, recorder);
      });
  }

  /// True if the cells of a row are computed one after another.
  static bool is_along_rows(tile_call<D> const& call) {
    return call.order.is_on && call.order.axis == D - 1;
  }

  void compute_row(tile_call<D> const& call, cell_index<D> const& offset,
                   cell_index<D> const& target, std::int64_t end,
                   step_recorder<D>* recorder) const {
    cell_index<D> first = target;
    for (int a = 0; a < D; ++a)
      first[a] -= offset[a];
    std::int64_t begin = first[D - 1], stop = end - offset[D - 1];
    if constexpr (has_adders) {
      for (int a = 0; a < D; ++a) {
        if (call.periodic[a])
          continue;
        std::int64_t const lo = sources.lo[a] - call.first[a], hi = sources.hi[a] - call.first[a];
        if (a + 1 < D) {
          if (first[a] < lo || first[a] >= hi)
            return;
        } else {
          begin = std::max(begin, lo);
          stop = std::min(stop, hi);
        }
      }
    }
    if (call.mask.access < 0)
      return compute_run(call, offset, first, begin, stop, recorder);
    if (is_along_rows(call) && call.order.is_backward)
      return compute_runs_backward(call, offset, first, begin, stop, recorder);
    auto const find = [&, &mask = call.accesses[call.mask.access],
                       by = offset[D - 1]](std::int64_t from, bool is_set) {
      return call.mask.find(mask, target, from + by, stop + by, is_set) - by;
    };
    for (std::int64_t from = find(begin, true); from < stop;) {
      std::int64_t const end_of_run = find(from, false);
      compute_run(call, offset, first, from, end_of_run, recorder);
      from = find(end_of_run, true);
    }
  }

  /// Computes what a mask leaves of the places [begin, stop) of a row, the last ones first.
  void compute_runs_backward(tile_call<D> const& call, cell_index<D> const& offset,
                             cell_index<D> const& first, std::int64_t begin, std::int64_t stop,
                             step_recorder<D>* recorder) const {
    auto const is_set = [&, &mask = call.accesses[call.mask.access]](std::int64_t k) {
      return call.mask.find(mask, first, k, k + 1, true) == k;
    };
    while (stop > begin) {
      std::int64_t run = stop;
      while (run > begin && is_set(run - 1))
        --run;
      if (run < stop)
        compute_run(call, offset, first, run, stop, recorder);
      for (stop = run; stop > begin && !is_set(stop - 1);)
        --stop;
    }
  }

  /// Calls the kernel at the places [begin, stop) of a row, or at those of the call's color.
  void compute_run(tile_call<D> const& call, cell_index<D> const& offset,
                   cell_index<D> const& first, std::int64_t begin, std::int64_t stop,
                   step_recorder<D>* recorder) const {
    std::int64_t step = 1;
    if (call.num_colors > 1) {
      cell_index<D> at = first;
      at[D - 1] = begin;
      step = call.num_colors;
      begin += distance_to_color(call, at);
    }
    if (recorder == nullptr)
      call_row<unwatched<D>>(call, offset, first, begin, stop, step, nullptr);
    else if constexpr (takes_watched)
      call_row<watched<D>>(call, offset, first, begin, stop, step, recorder);
  }

  /// How far from a place the next one of the call's color is, along a row.
  static std::int64_t distance_to_color(tile_call<D> const& call, cell_index<D> const& at) {
    std::int64_t sum = 0;
    for (int a = 0; a < D; ++a)
      sum += at[a] + call.first[a];
    std::int64_t const step = call.num_colors;
    return ((call.color - sum) % step + step) % step;
  }

  template <class Watch>
  void call_row(tile_call<D> const& call, cell_index<D> const& offset, cell_index<D> const& first,
                std::int64_t begin, std::int64_t end, std::int64_t step,
                step_recorder<D>* recorder) const {
    call_row_of<Watch>(call, offset, first, begin, end, step, recorder,
                       std::index_sequence_for<Roles...>{});
  }

  template <class Watch, std::size_t... R>
  std::tuple<row_view<Roles, D, Watch>...>
  views_of_row(tile_call<D> const& call, cell_index<D> const& offset, cell_index<D> const& first,
               std::index_sequence<R...>) const {
    auto const context = [&](int r) {
      row_context<D> made;
      made.bound = fields_[r] < 0 ? nullptr : call.accesses + fields_[r];
      made.reduction =
          reductions_[r] < 0 || reductions.empty() ? nullptr : reductions[reductions_[r]].get();
      made.worker = call.worker;
      made.counts = call.counts;
      made.added = offset;
      return made;
    };
    return {row_view<Roles, D, Watch>(std::get<R>(roles_), context(R), first)...};
  }

  template <class Watch, std::size_t... R>
  void call_row_of(tile_call<D> const& call, cell_index<D> const& offset,
                   cell_index<D> const& first, std::int64_t begin, std::int64_t end,
                   std::int64_t step, step_recorder<D>* recorder,
                   std::index_sequence<R...> all) const {
    auto rows = views_of_row<Watch>(call, offset, first, all);
    auto const watch = [&](int access) {
      if constexpr (Watch::is_on)
        return Watch{recorder, access, 0};
      else
        return Watch{};
    };
    if constexpr (Watch::is_on) {
      bool const is_backward = is_along_rows(call) && call.order.is_backward;
      for (std::int64_t n = begin; n < end; n += step) {
        std::int64_t const k = is_backward ? begin + end - 1 - n : n;
        recorder->begin_cell();
        call_at(call, first, k, std::get<R>(rows).at(k, watch(fields_[R]))...);
        if (!recorder->is_probe && !has_adders)
          recorder->require_written(index_at(call, first, k));
      }
    } else if constexpr (takes_place) {
      call_with_places(call, first, begin, end, step, std::get<R>(rows)...);
    } else {
      call_in_row(call, begin, end, step, std::get<R>(rows)...);
    }
  }

  /// Calls the kernel with its places, part by part of a row that is longer than a period.
  template <class... Rows>
  void call_with_places(tile_call<D> const& call, cell_index<D> const& first, std::int64_t begin,
                        std::int64_t end, std::int64_t step, Rows const&... rows) const {
    while (begin < end) {
      auto const places = places_from(call, first, begin);
      std::int64_t const stop =
          call.periodic[D - 1] ? std::min(end, call.domain[D - 1] - places.index[D - 1]) : end;
      call_in_row(call, begin, stop, step, rows..., places);
      begin += (stop - begin + step - 1) / step * step;
    }
  }

  template <class... Rows>
  void call_in_row(tile_call<D> const& call, std::int64_t begin, std::int64_t end,
                   std::int64_t step, Rows const&... rows) const {
    auto const first = static_cast<int>(begin), stop = static_cast<int>(end);
    // Where nothing is modified, values are the same in any order. Loops with a step that the compiler
    // knows are for kernels that may well be called so.
    if constexpr (has_modifiers) {
      if (is_along_rows(call) && call.order.is_backward)
        return call_one_by_one(kernel_, stop - 1, stop - first, known_step<-1>{}, rows...);
      if (is_along_rows(call))
        return call_one_by_one(kernel_, first, stop - first, known_step<1>{}, rows...);
      if (step == 2)
        return call_apart(kernel_, first, stop, 0, 1, known_step<2>{}, rows...);
    }
    if (step == 1)
      call_along_rows(kernel_, first, stop, 1, rows...);
    else
      call_apart(kernel_, first, stop, 0, 1, static_cast<int>(step), rows...);
  }

  /// The loop in which most kernels spend their time: a function of its own, with all that it calls
  /// inside, so that it has all registers, and a kernel that no store to a field changes.
  template <class Called, class... Rows>
  [[gnu::noinline, gnu::flatten]] static void call_along_rows(Called const kernel, int begin,
                                                              int end, int num_rows, Rows... rows) {
    for (int row = 0;;) {
      int k = begin;
      if constexpr ((is_of_pairs<Rows> || ...)) {
        if (!have_pair_at(k, rows...) && k < end) {
          kernel(rows.at(k, unwatched<D>{})...);
          ++k;
        }
        int const num_pairs = have_pair_at(k, rows...) ? (end - k) / 2 : 0;
#pragma GCC ivdep
        for (int n = 0; n < num_pairs; ++n) {
          kernel(view_in_pair<0, D>(rows, k, n)...);
          kernel(view_in_pair<1, D>(rows, k, n)...);
        }
        k += 2 * num_pairs;
      }
#pragma GCC ivdep
      for (; k < end; ++k)
        kernel(rows.at(k, unwatched<D>{})...);
      if (++row == num_rows)
        return;
      if constexpr (goes_by_planes)
        (rows.next_row(), ...);
    }
  }

  /// The places of one color in rows side by side: from row to row the first one is a place nearer.
  template <class Called, class... Rows>
  void call_colored_rows(tile_call<D> const& call, Called const& kernel, cell_index<D> const& first,
                         int end, int num_rows, Rows const&... rows) const {
    auto const begin = static_cast<int>(first[D - 1]);
    auto const distance = static_cast<int>(distance_to_color(call, first));
    if constexpr (has_modifiers)
      if (call.num_colors == 2)
        return call_apart(kernel, begin, end, distance, num_rows, known_step<2>{}, rows...);
    call_apart(kernel, begin, end, distance, num_rows, call.num_colors, rows...);
  }

  template <int Step>
  using known_step = std::integral_constant<int, Step>;

  /// Calls the kernel at places `step` apart in rows side by side, none of which reads what it writes
  /// at another.
  /// @param distance  of the first place from `begin` in the first row; one less in each row
  template <class Called, class Step, class... Rows>
  [[gnu::noinline, gnu::flatten]] static void call_apart(Called const kernel, int begin, int end,
                                                         int distance, int num_rows, Step step,
                                                         Rows... rows) {
    for (int row = 0;;) {
      int const first = begin + distance, count = (end - first + step - 1) / step;
#pragma GCC ivdep
      for (int n = 0; n < count; ++n)
        kernel(rows.at(first + n * step, unwatched<D>{})...);
      if (++row == num_rows)
        return;
      distance = distance == 0 ? step - 1 : distance - 1;
      if constexpr (goes_by_planes)
        (rows.next_row(), ...);
    }
  }

  /// Calls the kernel at `count` places of a row, one after another.
  template <class Step, class... Rows>
  [[gnu::noinline, gnu::flatten]] static void call_one_by_one(Kernel const kernel, int first,
                                                              int count, Step step, Rows... rows) {
    for (int n = 0; n < count; ++n)
      kernel(rows.at(first + n * step, unwatched<D>{})...);
  }

  /// The places of a row from index `k` on the last axis on, up to the end of a period.
  row_of_places<D> places_from(tile_call<D> const& call, cell_index<D> const& first,
                               std::int64_t k) const {
    cell_index<D> index = index_at(call, first, k);
    index[D - 1] -= k;
    return {index, geometry_, on_};
  }

  template <class... Views>
  void call_at(tile_call<D> const& call, cell_index<D> const& first, std::int64_t k,
               Views... views) const {
    if constexpr (takes_place)
      kernel_(views..., place<D>{index_at(call, first, k), &geometry_, on_});
    else
      kernel_(views...);
  }

  static cell_index<D> index_at(tile_call<D> const& call, cell_index<D> first, std::int64_t k) {
    first[D - 1] = k;
    for (int a = 0; a < D; ++a) {
      first[a] += call.first[a];
      if (call.periodic[a] && (first[a] < 0 || first[a] >= call.domain[a]))
        first[a] = (first[a] % call.domain[a] + call.domain[a]) % call.domain[a];
    }
    return first;
  }

  Kernel kernel_;
  std::tuple<Roles...> roles_;
  cell_geometry<D> geometry_;
  centering on_;
  std::array<int, sizeof...(Roles) + 1> fields_{}, reductions_{}; ///< [roles] or -1
};

/// The search of step_mask in values of type M.
template <class M, int D>
std::int64_t find_in_mask(bound_access<D> const& mask, cell_index<D> const& first,
                          std::int64_t from, std::int64_t end, bool is_set) {
  M const* const row = row_address<M const>(mask.read, mask, first);
  while (from < end && (row[from] != M{}) != is_set)
    ++from;
  return from;
}

/// Adds what one role declares to a kernel.
template <class T, int D, access_role Role, grid_ratio Ratio>
void declare(step_machine<D>& machine, step_kernel<D>& kernel,
             field_role<T, D, Role, Ratio> const& role) {
  step_access<D> access;
  access.field = machine.number_of(role.part.state);
  access.role = Role;
  access.level = role.part.level;
  access.first = role.part.first;
  access.count = role.part.count;
  access.offsets.clear();
  for (stencil const& of : role.offsets)
    access.offsets.push_back(offsets_of<D>(of));
  access.multiplier = Ratio == grid_ratio::finer ? 2 : 1;
  access.divisor = Ratio == grid_ratio::coarser ? 2 : 1;
  kernel.accesses.push_back(std::move(access));
}
template <class T, int D>
void declare(step_machine<D>& machine, step_kernel<D>& kernel, value_role<T> const& role) {
  kernel.reads_values.push_back(machine.number_of(std::shared_ptr<step_value>(role.value)));
}
template <class T, int D>
void declare(step_machine<D>& machine, step_kernel<D>& kernel, setting_role<T> const& role) {
  kernel.sets.push_back(machine.number_of(std::shared_ptr<step_value>(role.value)));
}
template <class Accumulator, class T, int D>
void declare(step_machine<D>& machine, step_kernel<D>& kernel,
             reducing_role<Accumulator, T> const& role) {
  kernel.reduces.push_back(machine.number_of(std::shared_ptr<step_value>(role.value)));
  kernel.reductions.push_back(std::make_shared<typed_step_reduction<Accumulator, T>>(role.value));
}

template <class T>
T const& argument_of(value_role<T> const& role) {
  return role.value->now;
}
template <class T>
T& argument_of(setting_role<T> const& role) {
  return role.value->now;
}

} // namespace detail

template <int D>
template <class Tuple, std::size_t... Role>
kernel_options<D> Steps<D>::add(std::string const& name, Tuple arguments,
                                std::index_sequence<Role...>) {
  using namespace detail;
  step_kernel<D> kernel;
  kernel.name = name;
  (declare(*machine_, kernel, std::get<Role>(arguments)), ...);
  complete<D>(machine_->program().fields, kernel);
  using kernel_type = std::tuple_element_t<sizeof...(Role), Tuple>;
  using typed = typed_kernel<D, kernel_type, std::tuple_element_t<Role, Tuple>...>;
  auto const geometry = kernel.grid ? kernel.grid->geometry() : machine_->grid().geometry();
  auto body =
      std::make_shared<typed>(std::get<sizeof...(Role)>(arguments),
                              std::make_tuple(std::get<Role>(arguments)...), geometry, kernel.on);
  body->added = kernel.added;
  body->reductions = kernel.reductions;
  if (kernel.grid)
    body->sources = kernel.grid->domain(kernel.on);
  kernel.compute = [body](tile_call<D> const& call) { (*body)(call); };
  kernel_probe<D> probe;
  if constexpr (typed::takes_watched) {
    kernel.watch = [body](tile_call<D> const& call, step_recorder<D>& recorder) {
      body->watched_tile(call, recorder);
    };
    probe = [body](step_recorder<D>& recorder) { body->probe(recorder); };
  }
  return {*machine_, machine_->add(std::move(kernel), std::move(probe))};
}

template <int D>
template <class M>
kernel_options<D>& kernel_options<D>::where(Field<M, D> const& mask) {
  static_assert(std::is_arithmetic_v<M>, "a mask is a field of numbers or of bool");
  detail::step_access<D> access;
  access.field = machine_->number_of(mask.shared());
  access.count = mask.num_components();
  access.offsets = {std::vector<cell_index<D>>(1)}; // the place itself
  access.is_mask = true;
  if (kernel_->mask.access < 0) {
    kernel_->mask.access = std::ssize(kernel_->accesses);
    kernel_->accesses.emplace_back();
  }
  kernel_->accesses[kernel_->mask.access] = std::move(access);
  kernel_->mask.find = detail::find_in_mask<M, D>;
  return *this;
}

template <int D>
template <class Tuple, std::size_t... Role>
void Steps<D>::add_once(Tuple arguments, std::index_sequence<Role...>) {
  using namespace detail;
  step_kernel<D> kernel;
  kernel.name = "once";
  (declare(*machine_, kernel, std::get<Role>(arguments)), ...);
  kernel.set = [arguments] {
    std::get<sizeof...(Role)>(arguments)(argument_of(std::get<Role>(arguments))...);
  };
  machine_->add(std::move(kernel), {});
}

} // namespace seam
