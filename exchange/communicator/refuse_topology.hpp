/// The refusal of calls on topologies for which neither MPI nor [Traeff2021] defines them.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/ground/error.hpp>

#include <string_view>

namespace seam::detail {

/// Refuses `call`, which has no meaning on the topology of `over`. All ranks see the same topology,
/// and so throw the same line.
///
/// @param expected      the topologies on which the call has a meaning
/// @throws usage_error  always, with MPI_ERR_COMM
/// Local.
[[noreturn]] void refuse_topology(Communicator const& over, std::string_view call,
                                  std::string_view expected = "a complete one",
                                  source_place place = source_place::here());

} // namespace seam::detail
