/// Arguments of kernels on meshes: what a role is for a tile, from which at() makes the view of an
/// entity.
#pragma once

#include <seam/exchange/steps/roles/value_roles.hpp>
#include <seam/mesh/roles/entity_views.hpp>
#include <seam/mesh/roles/mesh_body.hpp>
#include <seam/mesh/roles/mesh_roles.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

namespace seam::detail {

/// Where a kernel is called.
struct called_place {
  local_id entity;
  std::int64_t number;                ///< among those of the call
  std::span<local_id const> around{}; ///< of calls with common rows
};

/// How the arguments of a call find their values. In a plain one all that name entities around its own name
/// the same, which are looked up once, and all fields have one component.
enum class call_form { any, plain };

/// The rows of the arguments of a call, if these make it a plain one.
struct common_rows {
  row_list rows{};
  bool by_number = false;
  bool is_named = false; ///< some argument names entities
  bool is_plain = true;

  void join(row_list const& other, bool others_by_number) {
    is_plain =
        is_plain && (!is_named || (other.entries == rows.entries && others_by_number == by_number));
    rows = other;
    by_number = others_by_number;
    is_named = true;
  }
};

/// What all arguments that are fields have in common.
template <class T>
struct field_argument {
  entity_values<T const> old;
  entity_values<T> now;
  row_list around;
  bool names_others = false; ///< by `around`
  bool by_number = false;    ///< rows of the call's entities, else of all
  Mesh const* mesh;
  int access, num_components;

  field_argument(mesh_call const& call, kernel_argument const& argument, step_fields const& fields)
      : mesh(&call.mesh), access(argument.access) {
    step_access const& declared = call.kernel.accesses[access];
    num_components = static_cast<int>(fields[access]->element_bytes / std::int64_t{sizeof(T)});
    old = {reinterpret_cast<T const*>(call.accesses[access].read), num_components};
    now = {reinterpret_cast<T*>(call.accesses[access].write), num_components};
    names_others = declared.reach != nullptr;
    if (!names_others)
      return;
    by_number = declared.reach.get() == call.rows_at;
    around = by_number ? call.targets.rows : rows_of(declared).list();
  }

  void join(common_rows& of_call) const {
    of_call.is_plain = of_call.is_plain && num_components == 1;
    if (names_others)
      of_call.join(around, by_number);
  }
  template <call_form Form>
  KOKKOS_FORCEINLINE_FUNCTION entity_values<T const> old_values() const {
    return {old.first, Form == call_form::plain ? 1 : old.stride};
  }
  template <call_form Form>
  KOKKOS_FORCEINLINE_FUNCTION entity_values<T> new_values() const {
    return {now.first, Form == call_form::plain ? 1 : now.stride};
  }

  template <class Watch>
  Watch watch_of(entity_watch* watch) const {
    if constexpr (Watch::is_on)
      return {watch, access, num_components, 0};
    else
      return {};
  }
  template <bool Around, class Watch, call_form Form>
  KOKKOS_FORCEINLINE_FUNCTION entity_reader<T, Around, Watch> reader_at(called_place const& place,
                                                                        entity_watch* watch) const {
    entity_position at{mesh, place.entity, {}};
    if constexpr (Around)
      at.around =
          Form == call_form::plain ? place.around : around[by_number ? place.number : place.entity];
    return {old_values<Form>(), at, watch_of<Watch>(watch)};
  }
};

template <class T, bool Around>
struct argument_to_read : field_argument<T> {
  using field_argument<T>::field_argument;
  template <class Watch, call_form Form>
  KOKKOS_FORCEINLINE_FUNCTION auto at(called_place const& place,
                                      entity_watch* watch = nullptr) const {
    return this->template reader_at<Around, Watch, Form>(place, watch);
  }
};

template <class T>
struct argument_to_write : field_argument<T> {
  using field_argument<T>::field_argument;
  template <class Watch, call_form Form>
  KOKKOS_FORCEINLINE_FUNCTION auto at(called_place const& place,
                                      entity_watch* watch = nullptr) const {
    return entity_writer<T, Watch>(&this->template new_values<Form>().of(place.entity),
                                   this->template watch_of<Watch>(watch));
  }
};

template <class T, bool Around>
struct argument_to_update : field_argument<T> {
  using field_argument<T>::field_argument;
  template <class Watch, call_form Form>
  KOKKOS_FORCEINLINE_FUNCTION auto at(called_place const& place,
                                      entity_watch* watch = nullptr) const {
    return entity_updater<T, Around, Watch>(this->template reader_at<Around, Watch, Form>(place,
                                                                                          watch),
                                            &this->template new_values<Form>().of(place.entity));
  }
};

template <class T>
struct argument_to_add : field_argument<T> {
  target_list targets;

  argument_to_add(mesh_call const& call, kernel_argument const& argument, step_fields const& fields)
      : field_argument<T>(call, argument, fields), targets(call.targets) {
    this->around = targets.rows;
    this->by_number = true;
    if (call.kernel.accesses[argument.access].role != access_role::collects ||
        call.computed == nullptr)
      return;
    for (local_id const target : call.computed->ids())
      std::fill_n(&this->now.of(target), this->num_components, T{});
  }
  template <class Watch, call_form Form>
  KOKKOS_FORCEINLINE_FUNCTION auto at(called_place const& place,
                                      entity_watch* watch = nullptr) const {
    return entity_adder<T, Watch>(
        this->template new_values<Form>(),
        Form == call_form::plain ? place.around : targets.rows[place.number], targets.first,
        targets.count, this->template watch_of<Watch>(watch));
  }
};

template <class T>
struct argument_of_value {
  T value;
  argument_of_value(mesh_call const&, kernel_argument const& argument, step_fields const&)
      : value(static_cast<typed_step_value<T> const*>(argument.value)->now) {}
  template <class Watch, call_form Form>
  KOKKOS_FORCEINLINE_FUNCTION T at(called_place const&, entity_watch* = nullptr) const {
    return value;
  }
};

template <class T>
struct argument_of_table {
  std::span<T const> numbers;
  adjacency const* list;
  bool are_of_entities;
  argument_of_table(mesh_call const& call, table_role<T> const& role)
      : numbers(*role.numbers), list(call.list) {
    if (list != nullptr && std::ssize(numbers) != std::ssize(list->ab2b))
      list = nullptr;
    auto const& entities = call.mesh.entities(call.dimension);
    are_of_entities =
        std::ssize(numbers) == entities.num_owned || std::ssize(numbers) == entities.num_local();
  }
  template <class Watch, call_form Form>
  KOKKOS_FORCEINLINE_FUNCTION entity_table<T, Watch> at(called_place const& called,
                                                        entity_watch* watch = nullptr) const {
    local_id const place = called.entity;
    Watch noted;
    if constexpr (Watch::is_on)
      noted.watch = watch;
    T const* const own = are_of_entities ? numbers.data() + place : nullptr;
    if (list == nullptr)
      return {own, {}, noted};
    auto const first = list->a2ab[place];
    return {own, numbers.subspan(first, list->a2ab[place + 1] - first), noted};
  }
};

/// Contributions to a value; small accumulators are the tile's own until its end.
template <class Accumulator, class T>
struct argument_to_reduce {
  static constexpr bool is_small = is_small_accumulator<Accumulator>;
  struct none {};

  Accumulator* into;
  std::conditional_t<is_small, Accumulator, none> own{};

  argument_to_reduce(mesh_call const& call, kernel_argument const& argument, step_fields const&)
      : into(!call.counts ? nullptr
                          : &static_cast<typed_step_reduction<Accumulator, T>*>(argument.reduction)
                                 ->of_worker(call.worker)) {}
  template <class Watch, call_form Form>
  KOKKOS_FORCEINLINE_FUNCTION auto at(called_place const&, entity_watch* = nullptr) {
    if constexpr (is_small)
      return contributor<Accumulator>(&own);
    else
      return contributor<Accumulator>(into);
  }
  void end() {
    if constexpr (is_small)
      if (into != nullptr)
        into->merge(own);
  }
};

/// The argument of a role.
template <class T, access_role Role, bool Around>
constexpr auto type_of_argument() {
  constexpr role_traits traits = traits_of(Role);
  if constexpr (traits.adds)
    return std::type_identity<argument_to_add<T>>{};
  else if constexpr (!traits.writes)
    return std::type_identity<argument_to_read<T, Around>>{};
  else if constexpr (!traits.reads)
    return std::type_identity<argument_to_write<T>>{};
  else
    return std::type_identity<argument_to_update<T, Around>>{};
}

/// Tells what is wrong with an argument of each() that is no role on a mesh.
template <class Role>
struct argument_of_role {
  static_assert(sizeof(Role) == 0,
                "an argument of Steps::each() before the kernel is no role on a mesh: write "
                "reads(u), writes(u), adds(u, cells) or another one, not the field itself");
};
template <class T, access_role Role, bool Around>
struct argument_of_role<entities_role<T, Role, Around>>
    : decltype(type_of_argument<T, Role, Around>()) {};
template <class T>
struct argument_of_role<table_role<T>> : std::type_identity<argument_of_table<T>> {};
template <class T>
struct argument_of_role<value_role<T>> : std::type_identity<argument_of_value<T>> {};
template <class Accumulator, class T>
struct argument_of_role<reducing_role<Accumulator, T>>
    : std::type_identity<argument_to_reduce<Accumulator, T>> {};

} // namespace seam::detail
