#include <seam/framework/program/print.hpp>

#include <seam/framework/program/terminal.hpp>

#include <cstdio>

namespace seam {
using namespace detail;

void print(mpi::comm_view over, std::string_view text) {
  if (over.rank() != 0)
    return;
  auto const before = detail::before_line_on_stdout();
  std::fwrite(before.data(), 1, before.size(), stdout);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

} // namespace seam
