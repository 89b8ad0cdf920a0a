/// Campaign files: what a campaign measures, and by which guidelines it is judged.
///
///     campaign     quick                      a name, for files
///     deployments  1x2 2x16                   nodes x processes on each
///     runs         10                         calls of the kernel, for each deployment
///     repetitions  50                         of each experiment in a run
///     minutes      30                         after which a run is ended
///     seed         1                          of orders of experiments and of neighbors
///     setting      OMPI_MCA_btl=self,vader    an environment variable; any number of such lines
///     p            0.001                      thresholds of a violation
///     v            1.03
///     varied       bytes                      the column along which groups are drawn
///
///     experiments                             all combinations of the levels of the columns below
///       setup      Neighbor_allgather Neighbor_alltoall
///       bytes      256 to 32768 by sqrt2      or by a number; without "by" in steps of 1
///       topology   Cartesian
///       dimensions 1 to 4
///       finite     0 dimensions               also sums such as dimensions-1
///
///     guideline    GL4 setup=Neighbor_allgather <= setup=Neighbor_alltoall
///
/// A file has any number of lists of experiments; an experiment that several of them have is made
/// once. Columns that a list does not name: datatype MPI_BYTE, work 0, partitions 1 of partitioned
/// setups; others do not apply. Lines may end with # and a comment.
#pragma once

#include "analysis/guideline.hpp"

#include <cstdint>
#include <utility>

namespace guidelines {

/// Nodes, and processes on each of them.
struct deployment {
  int nodes, per_node;

  int num_processes() const noexcept { return nodes * per_node; }
  std::string name() const; ///< "10x16"
};

/// The thresholds beyond which a guideline is violated.
struct thresholds {
  double p = 0.001; ///< largest probability that the medians are of one distribution
  double v = 1.03;  ///< least ratio of the medians
};

/// A campaign.
struct campaign {
  std::string name;
  std::vector<deployment> deployments;
  int runs = 0, repetitions = 0, minutes = 0;
  std::uint64_t seed = 1;
  std::vector<std::string> settings; ///< "NAME=value"
  thresholds beyond;
  column varied = bytes_column;
  std::vector<levels> experiments; ///< each once
  std::vector<guideline> judged_by;
};

/// Reads a campaign file.
/// @throws usage_error  it is malformed; an experiment cannot be; so few runs cannot reach the
///         threshold of p; the line names file, line and column
/// Local.
campaign parse_campaign(std::string_view text, std::string const& name);

/// Reads "10x16".
deployment parse_deployment(placed_word const& word);

/// The text with the value of one of the entries above "experiments" replaced.
std::string with_entry(std::string_view text, std::string_view key, std::string const& value);

} // namespace guidelines
