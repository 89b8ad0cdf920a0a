/// The output of a benchmark: a line about the run, and the table of its times.
///
///     benchmark_output output(runtime, "times.csv");   // before the long computation
///     output.table.add(time_in_turn(...));
///     output.finish();
#pragma once

#include <seam/framework/measure/benchmark.hpp>
#include <seam/framework/program/runtime.hpp>

#include <string>

namespace seam {

/// The table of a benchmark, which is printed and may be written to a file.
class benchmark_output {
public:
  /// Checks that the file can be written, and prints what Runtime::describe() says of the run.
  /// @param csv  path of the file; empty: the table is only printed
  /// @throws usage_error  as require_writable() (on all ranks)
  /// Collective: over the runtime, which outlives this object.
  benchmark_output(Runtime& runtime, std::string csv);

  benchmark_table table;

  /// Prints the table, then `remarks`, and writes the table into the file.
  /// @throws usage_error  as write_text() (on all ranks)
  /// Collective: over the runtime.
  void finish(std::string const& remarks = {}) const;

private:
  Runtime& runtime_;
  std::string csv_;
};

} // namespace seam
