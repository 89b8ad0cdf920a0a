/// Steps on a mesh: a program of kernels that declare what they read and write. Copies, messages, their
/// order and overlap with computing follow from the declarations.
///
///     Steps step(mesh);
///     step.each("flux", mesh.inner(sides), reads(q, cells), reads(n), collects(res, cells),
///               SEAM_KERNEL(auto q, auto n, auto res) {
///                 auto const f = flux(q(0), q(1), n());
///                 res(0) += f;
///                 res(1) -= f;
///               });
///     step.each("update", updates(q), reads(res), SEAM_KERNEL(auto q, auto res) { q = q() - res(); });
///     step.run(1000);
///
/// Semantics:
///   - kernels run as if one after another, each at all its entities at once: reads give the values
///     before the kernel, whatever it writes; in_colors() lets it read its own new ones
///   - a kernel runs where it writes: at all entities of the fields' dimension, or at those of a set
///     (mesh_set.hpp), outside of which values stay. A kernel that adds, or that writes nothing, runs at
///     the set, or at the entities of the first field that it reads at its own place
///   - the entities around one are those of Mesh::adjacent(): parts in their order, others by ascending
///     id; contributions to a value are added by ascending id of the entities at which they are made
///   - values of own entities between runs are the caller's: run() takes them as they are, and sends what
///     it needs. Copies have the values that some kernel has read last: make_halo() renews them
///   - numbers that change come through with(): a kernel's captures are copied when it is declared
///   - results have the same bits on any ranks and threads
///
/// The arguments of roles are the kernel's parameters, in their order (mesh_roles.hpp, entity_views.hpp);
/// an entity_place may be the last. A kernel may be called more than once for an entity, so it has no
/// side effects; when steps are planned it is called for some entities without effect, to compare what
/// it reads and writes with what it declares.
#pragma once

#include <seam/exchange/steps/roles/step_runs.hpp>
#include <seam/mesh/roles/mesh_declaration.hpp>
#include <seam/mesh/roles/mesh_kernel.hpp>
#include <seam/mesh/roles/mesh_roles.hpp>
#include <seam/mesh/space/mesh_set.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

namespace seam {

template <int D>
class kernel_options;

/// The kernel that each() has added, for what applies to few.
template <>
class kernel_options<on_mesh> {
public:
  explicit kernel_options(detail::step_kernel& kernel) : kernel_(&kernel) {}

  /// Only in every n-th step, beginning with step `phase`: every(2) in even steps, every(2, 1) in odd
  /// ones. Steps are counted by num_steps(), over all runs.
  /// @param phase  0 to n - 1 (else plan() throws usage_error)
  kernel_options& every(std::int64_t n, std::int64_t phase = 0) {
    kernel_->every = n;
    kernel_->phase = phase;
    return *this;
  }

  /// The kernel may write nan and infinite values: checked mode does not tell of them.
  kernel_options& allow_not_finite() {
    kernel_->allows_not_finite = true;
    return *this;
  }

  /// One color after another: entities of one color are not in each other's lists. So modifies() may read
  /// what it changes of neighbors, old or new by their colors, which follow from ids alone.
  /// Cost: plan() colors the graph; a message to each neighbor for each color.
  kernel_options& in_colors() {
    kernel_->num_colors = 2; // the space finds how many
    return *this;
  }

private:
  detail::step_kernel* kernel_;
};

/// A program of kernels on the fields of one mesh.
/// Threads: one thread calls the members; kernels run on Kokkos' host threads.
template <>
class Steps<on_mesh> : public step_runs {
public:
  explicit Steps(Mesh const& mesh) : step_runs(detail::space_of(mesh)), mesh_(mesh) {}

  /// Adds a kernel.
  /// @param name       for errors and explanations; may be left out
  /// @param arguments  perhaps a mesh_set, roles, then the kernel
  /// @throws usage_error  a field belongs to another mesh, or does not lie where its role says; a list
  ///         or a vector does not fit (the same line on all ranks)
  /// Collective: over the mesh.
  template <class... Arguments>
  kernel_options<on_mesh> each(std::string const& name, Arguments const&... arguments) {
    return add(name, nullptr, std::make_index_sequence<sizeof...(Arguments) - 1>{}, arguments...);
  }
  template <class... Arguments>
  kernel_options<on_mesh> each(std::string const& name, mesh_set const& at,
                               Arguments const&... arguments) {
    return add(name, &at, std::make_index_sequence<sizeof...(Arguments) - 1>{}, arguments...);
  }
  template <class First, class... Arguments>
    requires(!std::convertible_to<First, std::string>)
  kernel_options<on_mesh> each(First const& first, Arguments const&... arguments) {
    return each(std::string(), first, arguments...);
  }

private:
  template <std::size_t... Role, class... Arguments>
  kernel_options<on_mesh> add(std::string const& name, mesh_set const* at,
                              std::index_sequence<Role...>, Arguments const&... arguments) {
    using namespace detail;
    using all = std::tuple<Arguments...>;
    using body =
        mesh_kernel<std::tuple_element_t<sizeof...(Role), all>, std::tuple_element_t<Role, all>...>;
    mesh_declaration declaration(*machine_, space_of(mesh_), name, at);
    (detail::take(declaration, arguments), ...);
    auto const given = std::tie(arguments...);
    return kernel_options<on_mesh>(declaration.add(
        std::make_unique<body>(std::get<sizeof...(Role)>(given), std::get<Role>(given)...)));
  }

  Mesh mesh_;
};

Steps(Mesh const&) -> Steps<on_mesh>;

} // namespace seam
