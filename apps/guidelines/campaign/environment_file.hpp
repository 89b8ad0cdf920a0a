/// Environment files: how programs are started on a machine.
///
///     launch  {mpiexec} -n {processes} --bind-to core {kernel}   the command of one run
///     submit  sbatch --wait                     takes a job script; without it runs are made here
///     slurm   --partition=short                 lines of job scripts behind #SBATCH
///     setting OMP_NUM_THREADS=1                 an environment variable; any number of such lines
///     archive tar -czf {archive} {folder}       the command that keeps a campaign's folder
///
/// Words in braces stand for values: mpiexec, that of the program's own MPI library; processes, nodes,
/// per-node and kernel, which is the program with its input and output; archive and folder.
#pragma once

#include "campaign/campaign_file.hpp"

namespace guidelines {

struct environment {
  std::string launch, submit;
  std::string archive = "tar -czf {archive} {folder}";
  std::vector<std::string> slurm, settings;
};

/// Reads an environment file.
/// @throws usage_error  it is malformed, has no launch, or its launch no {kernel}
/// Local.
environment parse_environment(std::string_view text, std::string const& name);

/// Replaces each "{key}" in the text.
std::string filled_in(std::string text,
                      std::vector<std::pair<std::string, std::string>> const& values);

} // namespace guidelines
