/// Mesh kernels: the bodies of the kernels that users write for the entities of meshes.
#pragma once

#include <seam/exchange/steps/roles/kernel.hpp>
#include <seam/mesh/roles/entity_arguments.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace seam::detail {

template <class Argument, class Watch>
using entity_view_of =
    decltype(std::declval<Argument&>().template at<Watch, call_form::any>(called_place{}, nullptr));

template <class Kernel, class Watch, class... Arguments>
inline constexpr bool takes_entity =
    std::is_invocable_v<Kernel const&, entity_view_of<Arguments, Watch>..., entity_place>;

/// What is wrong with a kernel, in sentences that the compiler says before it comes to the templates
/// behind them.
template <class Kernel, class... Views>
struct check_mesh_kernel {
  static constexpr bool is_checked = true;
  static constexpr bool fits = std::is_invocable_v<Kernel const&, Views...> ||
                               std::is_invocable_v<Kernel const&, Views..., entity_place>;
  static constexpr bool is_mutable =
      !fits && (std::is_invocable_v<Kernel&, Views...> ||
                std::is_invocable_v<Kernel&, Views..., entity_place>);

  static_assert(!is_mutable, "a kernel changes its captures, which all threads share: leave out "
                             "mutable, and let numbers that change come through with()");
  static_assert(
      fits || is_mutable,
      "the kernel of Steps::each() has to take one parameter for each role, in their "
      "order: auto for a field or a std::vector, a number for with(), auto for minimum(), "
      "maximum() and sum(); and may take an entity_place");
  static_assert(
      travels_by_bytes<Kernel>,
      "a kernel captures something whose bytes are no copy of it, as a std::vector, a MeshField or "
      "a Kokkos::View: capture numbers, pointers and structs of these, and let fields come through "
      "roles");
  static_assert(
      !narrows_value<Kernel, Views...>,
      "a kernel takes the number of with(value) as a narrower type, in which it loses its "
      "fraction or more: declare the parameter as the type of the Value, or auto");
};

template <class Role>
inline constexpr bool is_adding_role = false;
template <class T, access_role Role, bool Around>
inline constexpr bool is_adding_role<entities_role<T, Role, Around>> = traits_of(Role).adds;

/// A kernel with its roles.
template <class Kernel, class... Roles>
class mesh_kernel final : public mesh_body {
public:
  static_assert(check_mesh_kernel<Kernel, entity_view_of<typename argument_of_role<Roles>::type,
                                                         unwatched_entity>...>::is_checked);

  mesh_kernel(Kernel const& kernel, Roles const&... roles)
      : kernel_(kernel), tables_(kept(roles)...) {}

  void compute(mesh_call const& call) const override {
    call_everywhere<unwatched_entity>(call, nullptr, all_roles{});
  }

  [[gnu::cold]] void compute_watched(mesh_call const& call, entity_watch& watch) const override {
    call_everywhere<watched_entity>(call, &watch, all_roles{});
  }

private:
  using all_roles = std::index_sequence_for<Roles...>;
  struct none {};

  template <class T>
  static table_role<T> kept(table_role<T> const& role) {
    return role;
  }
  static none kept(declared_role const& /*role*/) { return {}; }

  template <std::size_t R>
  auto argument(mesh_call const& call) const {
    using type = typename argument_of_role<std::tuple_element_t<R, std::tuple<Roles...>>>::type;
    if constexpr (std::is_same_v<std::tuple_element_t<R, kept_tables>, none>)
      return type(call, call.kernel.arguments[R], fields);
    else
      return type(call, std::get<R>(tables_));
  }

  template <class Watch, std::size_t... R>
  void call_everywhere(mesh_call const& call, entity_watch* watch,
                       std::index_sequence<R...>) const {
    [&](auto... arguments) {
      common_rows rows;
      (join_argument(arguments, rows), ...);
      if constexpr (!Watch::is_on)
        if (rows.is_plain)
          return call_at_all<Watch, call_form::plain>(call, watch, rows.rows, arguments...);
      call_at_all<Watch, call_form::any>(call, watch, {}, arguments...);
    }(argument<R>(call)...);
  }

  template <class Watch, call_form Form, class... Arguments>
  void call_at_all(mesh_call const& call, entity_watch* watch, row_list rows,
                   Arguments... arguments) const {
    auto const call_at = [&](called_place place) {
      if constexpr (Form == call_form::plain)
        place.around = rows[adds ? place.number : place.entity];
      if constexpr (Watch::is_on)
        watch->begin(call.dimension, place.entity);
      if constexpr (takes_entity<Kernel, Watch, Arguments...>)
        kernel_(arguments.template at<Watch, Form>(place, watch)...,
                entity_place(call.mesh, call.dimension, place.entity));
      else
        kernel_(arguments.template at<Watch, Form>(place, watch)...);
      if constexpr (Watch::is_on)
        watch->end();
    };
    if constexpr (adds) {
      std::int64_t const count = std::ssize(call.at);
      for (std::int64_t s = 0; s < count; ++s)
        call_at({call.at[s], s});
    } else {
      for (std::size_t s = 0; s < call.at.size();) {
        local_id const first = call.at[s];
        local_id end = first; // of a run of entities
        while (s < call.at.size() && call.at[s] == end)
          ++s, ++end;
        for (local_id place = first; place < end; ++place)
          call_at({place, 0});
      }
    }
    (end_argument(arguments), ...);
  }

  template <class Argument>
  static void join_argument(Argument const& argument, common_rows& rows) {
    if constexpr (requires { argument.join(rows); })
      argument.join(rows);
  }

  template <class Argument>
  static void end_argument(Argument& argument) {
    if constexpr (requires { argument.end(); })
      argument.end();
  }

  static constexpr bool adds = std::disjunction_v<std::bool_constant<is_adding_role<Roles>>...>;

  using kept_tables = std::tuple<decltype(kept(std::declval<Roles const&>()))...>;

  Kernel kernel_;
  kept_tables tables_;
};

} // namespace seam::detail
