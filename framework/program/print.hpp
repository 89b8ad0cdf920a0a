/// Printing: rank 0 writes to stdout for all ranks.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <fmt/core.h>

#include <string_view>
#include <utility>

namespace seam {

/// Writes `text` to stdout on rank 0 and flushes it, above a progress bar. No effect elsewhere.
void print(mpi::comm_view over, std::string_view text);

/// Prints values by a format of fmt: print(runtime, "population {}\n", population).
template <class First, class... Rest>
void print(mpi::comm_view over, fmt::format_string<First, Rest...> format, First&& first,
           Rest&&... rest) {
  if (over.rank() == 0)
    print(over, std::string_view(fmt::format(format, std::forward<First>(first),
                                             std::forward<Rest>(rest)...)));
}

} // namespace seam
