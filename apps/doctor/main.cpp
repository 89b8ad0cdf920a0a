// seam-doctor looks at the machine as a seam program finds it, and says in one line each what it
// found and what would make programs faster.
//
// Sample run: mpiexec -n 2 --bind-to core seam-doctor
//
// Expected: eight lines, those that begin with "ok" need nothing.
#include <seam/seam.hpp>

#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App cli("Tells how seam's programs find this machine, and what would make them faster.");
  cli.footer("Examples:\n  mpiexec -n 2 --bind-to core seam-doctor\n  seam-doctor\n\n"
             "Start it as you start your program. Lines that begin with -- end with an advice.");
  return seam::run_program(cli, argc, argv, [](seam::Runtime& runtime) {
    seam::print(runtime, "{}\n", runtime.describe());
    for (seam::finding const& one : seam::diagnose(runtime))
      seam::print(runtime, "{} {:<26} {}{}{}\n", one.is_good ? "ok" : "--", one.topic, one.state,
                  one.is_good ? "" : "; advice: ", one.advice);
  });
}
