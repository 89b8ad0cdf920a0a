/// Programs on endpoints: runs the body of a program once for each endpoint of this process, each
/// in a thread of its own.
#pragma once

#include <seam/framework/program/last_words.hpp>
#include <seam/framework/program/runtime.hpp>

#include <functional>
#include <optional>

namespace seam::detail {

/// Makes `how_many` endpoints, and runs `body` on each with a Runtime of its own.
///
/// @return  the error of the first endpoint of this process that has one, if all endpoints of the
///          process have come to their ends; one that leaves others waiting ends the job
/// Collective: over runtime.world(); `how_many` may differ.
std::optional<job_error> run_on_endpoints(Runtime& runtime, int how_many,
                                          std::function<void(Runtime&)> const& body);

} // namespace seam::detail
