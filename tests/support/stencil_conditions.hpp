/// The conditions of drawn problems, as those of the library under test.
#pragma once

#include <seam/stencil/fields/boundary.hpp>

#include <support/stencil_problem.hpp>

namespace seam::testing {

/// Calls use(condition), with the condition of one border.
template <class T, int D, class Use>
void use_condition(int axis, border_condition const& border, Use const& use) {
  double const value = border.value;
  auto const function = [value](position<D> const& x) { return place_function(value, x); };
  switch (border.kind) {
  case border_kind::dirichlet: return use(dirichlet(value));
  case border_kind::dirichlet_of: return use(dirichlet(function));
  case border_kind::neumann: return use(neumann(value));
  case border_kind::neumann_of: return use(neumann(function));
  case border_kind::outside: return use(outside(value));
  case border_kind::outside_of: return use(outside(function));
  case border_kind::own:
    return use([=](ghost_cell<T, D> const& ghost) {
      int const a = axis;
      return static_cast<T>(own_condition(value, ghost.inside, ghost.centre[a], ghost.distance));
    });
  }
}

} // namespace seam::testing
