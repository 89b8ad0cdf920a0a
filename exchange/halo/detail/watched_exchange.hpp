/// Watched exchanges: exchanges that tell the watches of their arrays what they receive.
#pragma once

#include <seam/exchange/engine/operation.hpp>
#include <seam/exchange/halo/array_watch.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

/// Elements of a watched array that an exchange receives.
struct watched_elements {
  std::shared_ptr<array_watch> watch;
  region where;
  bool are_combined = false; ///< they are there when the exchange is complete
};

/// Lets `exchange` tell the watches of its arrays about each of its starts, and leaves out those that
/// skips_exchanges() is about.
/// @param edges2elements  [sources, those of all plans] what arrives along each edge
/// Local.
void watch_exchange(operation& exchange, std::vector<std::vector<watched_elements>> edges2elements);

/// True if a checked build leaves out some starts of exchanges of named arrays, so that tests see what
/// a program does without them: the environment variable SEAM_SKIP_EXCHANGE says "2:5" for start 5 of
/// exchange 2, "2:*" for all of its starts. Both are counted from 0, in the order in which a process
/// makes exchanges and starts them. A start that is left out is complete at once and moves nothing.
/// @throws usage_error  SEAM_SKIP_EXCHANGE has another form
/// Local.
bool skips_exchanges();

} // namespace seam::detail
