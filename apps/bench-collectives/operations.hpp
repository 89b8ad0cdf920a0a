/// The operations that are asked about, as seam has them.
#pragma once

#include "problem.hpp"

#include <optional>
#include <span>

namespace collective_bench {

/// An operation of seam.
struct operation {
  std::string_view name;
  bool on_graphs; ///< has a meaning there
  seam::collective (*make)(problem&);
};

/// All of them.
std::span<operation const> operations();

std::vector<std::string> names_of_operations();

/// That of this name, one of the list.
operation const& operation_of(std::string_view name);

} // namespace collective_bench
