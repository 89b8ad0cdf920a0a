#include <seam/framework/program/usage_line.hpp>

#include <seam/framework/program/launch.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <cstdlib>

namespace seam::detail {

usage_line::usage_line(program_usage const& usage, int argc, char** argv)
    : cli_(usage.does), line_(with_argument(usage.takes), argc, argv) {
  if (auto const exit_code = line_.end_before_mpi())
    std::exit(*exit_code);
}

void usage_line::end_or_leave_argument(int& argc, char** argv) {
  if (auto const exit_code = line_.end_or_apply(MPI_COMM_WORLD)) {
    MPI_Finalize();
    std::exit(*exit_code);
  }
  argc = argument_.empty() ? 1 : 2;
  if (!argument_.empty())
    argv[1] = argument_.data();
  argv[argc] = nullptr;
}

CLI::App& usage_line::with_argument(std::string const& name) {
  if (!name.empty())
    cli_.add_option(name, argument_)->type_name("");
  cli_.footer(fmt::format("Examples:\n  mpiexec -n 2 {}{}{}", place_in_job().program,
                          name.empty() ? "" : " ", name));
  return cli_;
}

} // namespace seam::detail
