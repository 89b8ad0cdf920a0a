/// The command line: the options of seam that every program takes, and the end of programs that print
/// --help or refuse their options. It is read before MPI starts, so that these end in no time.
#pragma once

#include <seam/exchange/mpi/comm.hpp>

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace seam::detail {

/// What --explain asks for: nothing, words, or graphs in Graphviz' language (--explain=dot).
enum class wish_to_explain { none, words, graphs };

/// Removes --explain and --explain=dot from main's arguments, unless they follow a "--". Local.
/// @return  the last one
wish_to_explain take_wish_to_explain(int& argc, char** argv);

/// The exit code and the text of a program that ends after its command line.
struct early_end {
  int exit_code;
  std::string text;
};

/// Main's arguments as a program's options have read them.
class command_line {
public:
  /// Reads main's arguments, without those that Runtime takes, with `cli`, which outlives this.
  /// Before that it adds main's name, --version and the options of seam, unless `cli` has them.
  /// Local.
  command_line(CLI::App& cli, int argc, char** argv);

  /// Ends the program before MPI starts if its arguments ask for that, by --help or by an error, and
  /// all processes are known to have the same ones: rank 0 prints the reason.
  /// @return  nothing if the program goes on, else the exit code. After an error it is 0 on ranks
  ///          other than 0: a launcher ends all processes, rank 0 among them, when one has failed.
  /// Local.
  std::optional<int> end_before_mpi() const;

  /// Ends the program if the arguments of any rank ask for it: the lowest such rank prints the
  /// reason. Otherwise applies the options of seam.
  /// @return  nothing if the program goes on, else the exit code, the same on all ranks
  /// @throws usage_error  --checks differs between ranks, on all ranks
  /// Collective: over `over`, all ranks of the program.
  std::optional<int> end_or_apply(mpi::comm_view over) const;

private:
  CLI::App& cli_;
  std::optional<int> rank_in_uniform_job_;
  std::optional<early_end> end_;
};

/// Reads main's arguments in a process that does not start MPI, without the options of seam.
/// @return  nothing if the program goes on, else the exit code
/// Local.
std::optional<int> read_command_line_alone(CLI::App& cli, int argc, char** argv);

} // namespace seam::detail
