/// The command-line options of seam-bench-scale.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace scale_bench {

/// A network, for predictions.
struct network {
  double latency = 2e-6;     ///< of a message from process to process [s]
  double gap = 0.5e-6;       ///< by which each further message at a time takes longer [s]
  double bandwidth = 12.5e9; ///< of a process [bytes/s]
  int arity = 2;             ///< processes that one process reaches in a step of a collective call
};

struct options {
  std::int64_t cells = 4096; ///< of each rank's block
  int edges = 6;             ///< of each rank in graphs and sparse exchanges
  int repetitions = 5;       ///< of each timing
  int node_size = 16;        ///< ranks that share memory
  std::vector<std::string> transports{"messages", "shared"};
  std::vector<std::string> operations; ///< that are measured; none: all
  std::string csv;
  std::vector<std::string> read; ///< tables to compare; none: measure
  bool predict = false;
  std::vector<std::string> verify; ///< tables whose times are predicted from those read
  double tolerance = 0.2;          ///< relative, of these predictions
  int cores = 0;                   ///< that all ranks of these tables share; 0: each has its own
  std::string plot;                ///< picture of the predictions; empty: none
  network over{};
};

/// Adds the options to `cli`, which stores their values in `wanted` and keeps a reference to it.
/// Local.
void add_options(CLI::App& cli, options& wanted);

} // namespace scale_bench
