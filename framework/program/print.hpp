/// Printing: what a program says is said once, by rank 0.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace seam {

/// Writes `text` to stdout at once on rank 0, in front of a progress bar. Without effect elsewhere.
void print(mpi::comm_view over, std::string_view text);

/// The same with values put in: print(runtime, "population {}\n", population).
template <class First, class... Rest>
void print(mpi::comm_view over, fmt::format_string<First, Rest...> format, First&& first,
           Rest&&... rest) {
  if (over.rank() == 0)
    print(over, std::string_view(fmt::format(format, std::forward<First>(first),
                                             std::forward<Rest>(rest)...)));
}

} // namespace seam
