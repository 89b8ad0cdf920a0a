/// Steps on meshes, as tests need them: kernels over the entities of a mesh, which read and add to those
/// that touch their own.
///
///     mesh_steps step(space);
///     step.each("save", writes(old), reads(q), [](auto old, auto q) { old() = q(); });
///     step.each("flux", inner(mesh), reads(q, cells), adds(res, cells), [](auto q, auto res) {
///       res(0) += f(q(0), q(1));
///     });
///
/// Entities around one ascend by id, and so do contributions to each: results have the same bits on any
/// ranks and threads.
#pragma once

#include <support/mesh_space.hpp>

#include <seam/exchange/steps/run/step_machine.hpp>
#include <seam/exchange/steps/values/step_value.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace seam::testing {

using detail::access_role;

/// What kernels get of a field that they read: at their own entity, or the k-th around it.
template <class T>
struct entity_reader {
  T const* values;
  local_id place;
  std::span<local_id const> around;

  T const& operator()() const { return values[place]; }
  T const& operator()(int k) const { return values[around[k]]; }
  int count() const { return static_cast<int>(around.size()); }
};

template <class T>
struct entity_writer {
  T* value;
  T& operator()() const { return *value; }
};

/// Of a field of which they read the old values and give a new one.
template <class T>
struct entity_updater {
  entity_reader<T> old;
  T* value;

  T const& operator()() const { return old(); }
  T const& operator()(int k) const { return old(k); }
  int count() const { return old.count(); }
  void operator=(T const& now) const { *value = now; }
};

/// Of a field that they add to; what belongs to other tiles is lost.
template <class T>
struct entity_adder {
  T* values;
  std::span<local_id const> targets; ///< -1: of another tile
  T* lost;

  T& operator()(int k) const { return targets[k] < 0 ? *lost : values[targets[k]]; }
};

template <class T, access_role Role>
struct mesh_role {
  std::shared_ptr<mesh_values<T>> field;
  int through; ///< dimension of the entities around the kernel's own; -1: the own one
};

template <class T>
mesh_role<T, access_role::reads> reads(std::shared_ptr<mesh_values<T>> const& field) {
  return {field, -1};
}
template <class T>
mesh_role<T, access_role::reads> reads(std::shared_ptr<mesh_values<T>> const& field,
                                       mesh_part around) {
  return {field, field->shared_space()->mesh().dimension_of(around)};
}
template <class T>
mesh_role<T, access_role::writes> writes(std::shared_ptr<mesh_values<T>> const& field) {
  return {field, -1};
}
template <class T>
mesh_role<T, access_role::modifies> modifies(std::shared_ptr<mesh_values<T>> const& field) {
  return {field, -1};
}
template <class T>
mesh_role<T, access_role::updates> updates(std::shared_ptr<mesh_values<T>> const& field,
                                           mesh_part around) {
  return {field, field->shared_space()->mesh().dimension_of(around)};
}
template <class T>
mesh_role<T, access_role::adds> adds(std::shared_ptr<mesh_values<T>> const& field,
                                     mesh_part around) {
  return {field, field->shared_space()->mesh().dimension_of(around)};
}

/// The exact sum of what entities contribute.
template <class T>
struct mesh_sum {
  std::shared_ptr<detail::typed_step_value<T>> value;
};
template <class T>
mesh_sum<T> sum(std::shared_ptr<detail::typed_step_value<T>> const& value) {
  return {value};
}

/// The entities at which a kernel that adds is called.
struct mesh_set {
  int dimension;
  std::vector<bool> has; ///< [local entities]
};

/// Sides between two cells; sides of one cell with a tag.
inline mesh_set inner_sides(Mesh const& mesh) {
  int const d = mesh.num_dimensions();
  mesh_set made{d - 1, {}};
  for (local_id side = 0; side < mesh.sides().num_local(); ++side)
    made.has.push_back(mesh.adjacent(d - 1, d)[side].size() == 2);
  return made;
}
inline mesh_set border_sides(Mesh const& mesh, std::int32_t tag) {
  int const d = mesh.num_dimensions();
  mesh_set made{d - 1, {}};
  for (local_id side = 0; side < mesh.sides().num_local(); ++side)
    made.has.push_back(mesh.adjacent(d - 1, d)[side].size() == 1 && mesh.sides().tags[side] == tag);
  return made;
}

/// Where a tile of a kernel that adds calls it, and what it adds to there.
struct source_plan final : detail::piece_plan {
  id_list sources;   ///< by ascending global id
  adjacency targets; ///< [sources] entities of the tile, or -1
};

/// The arguments of a kernel in a tile: bare pointers, from which at() makes the views.
template <class T>
struct read_argument {
  T const* values;
  adjacency const* around;
  entity_reader<T> at(local_id place, std::span<local_id const>) const {
    return {values, place, around == nullptr ? std::span<local_id const>{} : (*around)[place]};
  }
};
template <class T>
struct written_argument {
  T* values;
  entity_writer<T> at(local_id place, std::span<local_id const>) const { return {values + place}; }
};
template <class T>
struct updated_argument {
  read_argument<T> old;
  T* values;
  entity_updater<T> at(local_id place, std::span<local_id const> targets) const {
    return {old.at(place, targets), values + place};
  }
};
template <class T>
struct added_argument {
  T* values;
  T lost{};
  entity_adder<T> at(local_id, std::span<local_id const> targets) {
    return {values, targets, &lost};
  }
};
template <class T>
struct summed_argument {
  detail::total_of<T>* into;
  auto at(local_id, std::span<local_id const>) const {
    return [total = into](T value) { total->add(value); };
  }
};

template <class T, access_role Role>
auto argument_of(mesh_role<T, Role> const&, detail::step_kernel const& kernel,
                 detail::step_call const& call, int number) {
  int const access = kernel.arguments[number].access;
  detail::bound_access const& bound = call.accesses[access];
  auto const& reach = kernel.accesses[access].reach;
  read_argument<T> const old{reinterpret_cast<T const*>(bound.read),
                             reach ? &entity_rows::of(reach) : nullptr};
  if constexpr (Role == access_role::reads) {
    return old;
  } else if constexpr (Role == access_role::updates) {
    return updated_argument<T>{old, reinterpret_cast<T*>(bound.write)};
  } else if constexpr (Role == access_role::adds) {
    return added_argument<T>{reinterpret_cast<T*>(bound.write)};
  } else {
    return written_argument<T>{reinterpret_cast<T*>(bound.write)};
  }
}
template <class T>
auto argument_of(mesh_sum<T> const&, detail::step_kernel const& kernel,
                 detail::step_call const& call, int number) {
  using reduction = detail::typed_step_reduction<detail::total_of<T>, T>;
  auto* const into = static_cast<reduction*>(kernel.arguments[number].reduction);
  return summed_argument<T>{&into->of_worker(call.worker)};
}

template <class Kernel, class... Roles>
class mesh_kernel final : public detail::step_body {
public:
  mesh_kernel(Kernel const& kernel, Roles const&... roles) : kernel_(kernel), roles_(roles...) {}

  void compute(detail::step_kernel const& kernel, detail::step_call const& call) const override {
    compute(kernel, call, std::index_sequence_for<Roles...>{});
  }

  std::shared_ptr<detail::piece_plan const> plan(detail::step_kernel const& kernel,
                                                 step_region const& computed) const override {
    if (!kernel.sources)
      return nullptr;
    auto const& mesh = static_cast<mesh_space const&>(*kernel.space).mesh();
    auto const adding = std::ranges::find_if(kernel.accesses, &detail::step_access::is_added);
    auto const& ids = mesh.entities(source_dimension(kernel)).ids;
    auto made = std::make_shared<source_plan>();
    auto const sources = joined(entity_rows::of(kernel.sources), computed);
    made->sources.assign(sources.ids().begin(), sources.ids().end());
    std::ranges::sort(made->sources, {}, [&](local_id source) { return ids[source]; });
    for (local_id const source : made->sources) {
      for (local_id const target : entity_rows::of(adding->reach)[source])
        made->targets.ab2b.push_back(std::ranges::binary_search(computed.ids(), target) ? target
                                                                                        : -1);
      made->targets.end_row();
    }
    return made;
  }

private:
  template <std::size_t... R>
  void compute(detail::step_kernel const& kernel, detail::step_call const& call,
               std::index_sequence<R...>) const {
    auto arguments =
        std::tuple(argument_of(std::get<R>(roles_), kernel, call, static_cast<int>(R))...);
    auto const call_at = [&](local_id place, std::span<local_id const> targets) {
      kernel_(std::get<R>(arguments).at(place, targets)...);
    };
    if (call.plan == nullptr) {
      for (local_id const place : call.computed.ids())
        call_at(place, {});
      return;
    }
    auto const& plan = static_cast<source_plan const&>(*call.plan);
    for (local_id s = 0; s < std::ssize(plan.sources); ++s)
      call_at(plan.sources[s], plan.targets[s]);
  }

  static int source_dimension(detail::step_kernel const& kernel) {
    return static_cast<mesh_space const&>(*kernel.space).mesh().num_dimensions() - 1;
  }

  Kernel kernel_;
  std::tuple<Roles...> roles_;
};

/// A program of kernels on a mesh.
class mesh_steps {
public:
  explicit mesh_steps(std::shared_ptr<mesh_space const> space)
      : space_(std::move(space)), machine_(space_) {}

  /// Adds a kernel at all entities of the fields that it writes.
  template <class... Arguments>
    requires(!std::is_same_v<std::tuple_element_t<0, std::tuple<Arguments...>>, mesh_set>)
  void each(std::string const& name, Arguments const&... arguments) {
    add(name, nullptr, std::make_index_sequence<sizeof...(Arguments) - 1>{}, arguments...);
  }

  /// Adds a kernel at the sides of a set, which adds to their cells.
  template <class... Arguments>
  void each(std::string const& name, mesh_set const& at, Arguments const&... arguments) {
    add(name, &at, std::make_index_sequence<sizeof...(Arguments) - 1>{}, arguments...);
  }

  void run(std::int64_t count) { machine_.run(count); }
  std::string explain() { return machine_.explain(); }
  detail::step_machine& machine() noexcept { return machine_; }

private:
  template <std::size_t... R, class... Arguments>
  void add(std::string const& name, mesh_set const* at, std::index_sequence<R...>,
           Arguments const&... arguments) {
    auto const all = std::tie(arguments...);
    detail::step_kernel kernel;
    kernel.name = name;
    kernel.space = space_;
    (find_kind(kernel, std::get<R>(all)), ...);
    int const called = at == nullptr ? static_cast<int>(kernel.kind) : at->dimension;
    (declare(kernel, called, std::get<R>(all)), ...);
    if (at != nullptr)
      kernel.sources = sources_in(*at, static_cast<int>(kernel.kind));
    kernel.declared = kernel.accesses;
    kernel.body = std::make_shared<mesh_kernel<std::decay_t<decltype(std::get<sizeof...(R)>(all))>,
                                               std::decay_t<decltype(std::get<R>(all))>...>>(
        std::get<sizeof...(R)>(all), std::get<R>(all)...);
    machine_.add(std::move(kernel));
  }

  template <class T, access_role Role>
  static void find_kind(detail::step_kernel& kernel, mesh_role<T, Role> const& role) {
    if (Role != access_role::reads)
      kernel.kind = role.field->kind();
  }
  template <class T>
  static void find_kind(detail::step_kernel&, mesh_sum<T> const&) {}

  /// @param called  dimension of the entities at which the kernel is called
  template <class T, access_role Role>
  void declare(detail::step_kernel& kernel, int called, mesh_role<T, Role> const& role) {
    detail::step_access access;
    access.field = machine_.number_of(role.field);
    access.role = Role;
    if (role.through >= 0)
      access.reach = std::make_shared<entity_rows>(space_->mesh().adjacent(called, role.through));
    kernel.arguments.push_back({.access = static_cast<int>(kernel.accesses.size())});
    kernel.accesses.push_back(std::move(access));
  }
  template <class T>
  void declare(detail::step_kernel& kernel, int /*called*/, mesh_sum<T> const& role) {
    kernel.reduces.push_back(machine_.number_of(role.value));
    kernel.reductions.push_back(
        std::make_shared<detail::typed_step_reduction<detail::total_of<T>, T>>(role.value));
    kernel.arguments.push_back({.reduction = kernel.reductions.back().get()});
  }

  /// For each own entity of a dimension those of a set that touch it.
  std::shared_ptr<entity_rows const> sources_in(mesh_set const& at, int dimension) const {
    auto const& around = space_->mesh().adjacent(dimension, at.dimension);
    adjacency rows;
    for (local_id place = 0; place < space_->mesh().entities(dimension).num_owned; ++place) {
      for (local_id const source : around[place])
        if (at.has[source])
          rows.ab2b.push_back(source);
      rows.end_row();
    }
    return std::make_shared<entity_rows>(std::move(rows));
  }

  std::shared_ptr<mesh_space const> space_;
  detail::step_machine machine_;
};

} // namespace seam::testing
