/// The operations of seam that are compared.
#pragma once

#include "problem.hpp"

#include <span>

namespace collective_bench {

/// An operation of seam.
struct operation {
  std::string_view name;
  bool on_graphs; ///< defined on graphs
  seam::collective (*make)(problem&);
};

/// The list of all operations.
std::span<operation const> operations();

std::vector<std::string> names_of_operations();

/// The operation of this name, which the list must have.
operation const& operation_of(std::string_view name);

} // namespace collective_bench
