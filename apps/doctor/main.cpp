// seam-doctor examines the machine as a seam program finds it, and prints a line for each finding,
// with advice that makes programs faster.
//
// Sample run: mpiexec -n 2 --bind-to core seam-doctor
//
// Expected: eight lines, those that begin with "ok" need nothing.
#include <seam/seam.hpp>

namespace {

void add_options(seam::option_list cli) {
  cli.describe("Inspects the machine and suggests settings that speed seam's programs up.");
  cli.end_help("Examples:\n  mpiexec -n 2 --bind-to core seam-doctor\n  seam-doctor\n\n"
               "Start it as you start your program. Lines that begin with -- end with a "
               "suggestion.");
}

void examine(seam::Runtime& runtime) {
  seam::print(runtime, "{}\n", runtime.describe());
  for (seam::finding const& found : seam::diagnose(runtime))
    seam::print(runtime, "{} {:<26} {}{}{}\n", found.is_good ? "ok" : "--", found.topic,
                found.state, found.is_good ? "" : "; advice: ", found.advice);
}

} // namespace

int main(int argc, char** argv) { return seam::run_program(argc, argv, add_options, examine); }
