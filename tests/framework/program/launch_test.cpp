#include <support/catch.hpp>

#include <seam/framework/program/launch.hpp>

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

using seam::detail::hydra_starts_only;
using seam::detail::rank_in_uniform_job;

namespace {

using variables = std::map<std::string, std::optional<std::string>>;

/// Sets variables of the environment, and gives back what was there.
variables exchange_environment(variables const& wanted) {
  variables before;
  for (auto const& [name, value] : wanted) {
    char const* const old = std::getenv(name.c_str()); // NOLINT(concurrency-mt-unsafe)
    before[name] = old != nullptr ? std::optional<std::string>(old) : std::nullopt;
    if (value)
      ::setenv(name.c_str(), value->c_str(), 1); // NOLINT(concurrency-mt-unsafe)
    else
      ::unsetenv(name.c_str()); // NOLINT(concurrency-mt-unsafe)
  }
  return before;
}

/// The rank of a process that has been started with `words` and finds, of launchers' variables,
/// only `given` in its environment.
std::optional<int> rank_of(std::vector<char const*> const& words, variables given) {
  for (char const* const name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_NUM_APP_CTX",
                                 "OMPI_COMMAND", "OMPI_ARGV", "PMI_RANK", "PMI_SIZE", "PMIX_RANK",
                                 "SLURM_PROCID", "SLURM_NTASKS", "MPI_LOCALRANKID"})
    given.try_emplace(name, std::nullopt);
  auto const before = exchange_environment(given);
  auto const rank = rank_in_uniform_job(static_cast<int>(words.size()), words.data());
  exchange_environment(before);
  return rank;
}

/// The environment of rank 2 of 3 processes that `mpiexec -n 3 seam-life a.rle --size 9x9` starts.
variables const of_open_mpi = {{"OMPI_COMM_WORLD_RANK", "2"},
                               {"OMPI_COMM_WORLD_SIZE", "3"},
                               {"OMPI_NUM_APP_CTX", "1"},
                               {"OMPI_COMMAND", "seam-life"},
                               {"OMPI_ARGV", "a.rle --size 9x9"},
                               {"PMIX_RANK", "2"},
                               {"SLURM_PROCID", "0"},
                               {"SLURM_NTASKS", "1"}};

variables changed(variables given, char const* name, std::optional<std::string> const& value) {
  given[name] = value;
  return given;
}

} // namespace

TEST_CASE("a process that no launcher has started, or that has no others, has rank 0") {
  CHECK(rank_of({"seam-life", "--help"}, {}) == 0);
  CHECK(rank_of({"seam-life"}, {{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}}) == 0);
  CHECK(rank_of({"seam-life"}, {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}}) == 0);
  CHECK(rank_of({"other"}, {{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}}) == 0);
}

TEST_CASE("a process whose command line is its job's has the launcher's rank") {
  CHECK(rank_of({"bin/seam-life", "a.rle", "--size", "9x9"}, of_open_mpi) == 2);
  CHECK(rank_of({"seam-life"}, changed(of_open_mpi, "OMPI_ARGV", std::nullopt)) == 2);
}

TEST_CASE("where other processes may have other arguments, no rank is known") {
  std::vector<char const*> const words = {"seam-life", "a.rle", "--size", "9x9"};
  CHECK_FALSE(rank_of(words, changed(of_open_mpi, "OMPI_NUM_APP_CTX", "2")));
  CHECK_FALSE(rank_of(words, changed(of_open_mpi, "OMPI_COMMAND", "script.sh")));
  CHECK_FALSE(rank_of({"seam-life", "b.rle"}, of_open_mpi));
  CHECK_FALSE(rank_of({"seam-life"}, of_open_mpi));
  CHECK_FALSE(rank_of({}, of_open_mpi));
  CHECK_FALSE(rank_of(words, {{"PMI_RANK", "0"}, {"PMI_SIZE", "3"}}));
  CHECK_FALSE(rank_of(words, {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "3"}}));
  CHECK_FALSE(rank_of(words, {{"PMIX_RANK", "0"}}));
  CHECK_FALSE(rank_of(words, {{"MPI_LOCALRANKID", "0"}}));
}

TEST_CASE("a process of MPICH knows that all have its command line if its launcher has no other") {
  std::vector<std::string> const words = {"./seam-life", "a.rle", "--help"};
  CHECK(hydra_starts_only(words, {"mpiexec", "-n", "3", "bin/seam-life", "a.rle", "--help"}));
  CHECK(hydra_starts_only(words, {"mpiexec", "-bind-to", "none", "-genv", "A", "-n", "-np", "3",
                                  "seam-life", "a.rle", "--help"}));
  CHECK_FALSE(hydra_starts_only(words, {"mpiexec", "-n", "3", "seam-life", "b.rle", "--help"}));
  CHECK_FALSE(hydra_starts_only(words,
                                {"mpiexec", "-n", "3", "nice", "seam-life", "a.rle", "--help"}));
  CHECK_FALSE(hydra_starts_only(words, {"mpiexec", "-n", "1", "seam-life", "a.rle", "--help", ":",
                                        "-n", "2", "seam-heat"}));
  CHECK_FALSE(hydra_starts_only({"seam-life", ":", "-n", "2", "seam-life"},
                                {"mpiexec", "-n", "1", "seam-life", ":", "-n", "2", "seam-life"}));
  CHECK_FALSE(hydra_starts_only(words, {"mpiexec", "-strange", "seam-life", "a.rle", "--help"}));
  CHECK_FALSE(hydra_starts_only(words, {"mpiexec", "-configfile", "jobs"}));
  CHECK_FALSE(hydra_starts_only(words, {"hydra_pmi_proxy", "--control-port", "node:1"}));
  CHECK_FALSE(hydra_starts_only(words, {}));
  CHECK_FALSE(hydra_starts_only({}, {"mpiexec", "-n", "3"}));
}
