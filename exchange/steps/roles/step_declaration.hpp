/// Step declarations: from the roles of a call of each() or once() to a kernel of a program. Spaces add
/// what they need to know of fields.
#pragma once

#include <seam/exchange/steps/roles/value_roles.hpp>
#include <seam/exchange/steps/run/step_machine.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace seam::detail {

/// A kernel that is being declared: take() is called for each role, in order.
class step_declaration {
public:
  /// @param name  empty: the kernel's number
  step_declaration(step_machine& machine, std::string name);

  void take(declared_value const& role);
  void take(declared_reduction const& role);

  /// Adds the kernel to the program as one on values alone.
  void add_on_values(std::unique_ptr<step_body const> body);

protected:
  step_machine& machine_;
  step_kernel kernel_;
};

/// Declares a role; the kernel, which comes last, is none.
template <class Declaration, class Argument>
void take(Declaration& declaration, Argument const& argument) {
  if constexpr (std::is_base_of_v<declared_role, Argument>)
    declaration.take(argument);
}

/// An argument that is passed over, whatever it is.
template <std::size_t>
struct passed_over {
  template <class Argument>
  passed_over(Argument const&) {}
};

/// Picks the last of some arguments.
template <class Before>
struct last_argument;
template <std::size_t... Before>
struct last_argument<std::index_sequence<Before...>> {
  template <class Last>
  static Last const& of(passed_over<Before>..., Last const& last) {
    return last;
  }
};

} // namespace seam::detail
