/// Option lists: what a program takes on its command line. CLI11 reads it; its header, which costs
/// seconds of compilation, stays out of programs.
///
///     void add_options(seam::option_list cli, options& wanted) {
///       cli.describe("Lets two substances react.");
///       cli.add("--feed", wanted.feed, "rate at which u is fed").between(0.0, 0.2);
///       cli.add("--picture", wanted.picture, "draw v").must(name_ends_with({".png"})).named("FILE.png");
///       cli.end_help("Examples:\n  mpiexec -n 2 seam-gray-scott --feed 0.04");
///     }
///
/// First values are the defaults, which the help shows, but for zeros and empty ones. Variables are set
/// when run_program() reads the command line, and outlive that.
/// Local. Threads: one at a time.
#pragma once

#include <seam/framework/program/value_checks.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace seam {

/// One option; each call refines it.
class option {
public:
  option(CLI::App& cli, CLI::Option& made) : cli_(&cli), made_(&made) {}

  /// Accepts numbers from `least` to `most`.
  /// @param name  of these in the help; empty: the range itself
  option& between(int least, int most, std::string const& name = {});
  option& between(std::int64_t least, std::int64_t most, std::string const& name = {});
  option& between(double least, double most, std::string const& name = {});

  /// Accepts some words, or numbers.
  option& one_of(std::vector<std::string> const& words);

  /// Accepts what `check` does.
  option& must(value_check const& check);

  /// Replaces the value before it is checked.
  option& changed_by(value_change const& change);

  /// What stands for the value in the help: "FILE".
  option& named(std::string const& value);

  /// The headline above the option in the help.
  option& within(std::string const& group);

  /// Refuses a command line without the option, or one with it that lacks another.
  option& required();
  option& needs(std::string const& other);

private:
  CLI::App* cli_;
  CLI::Option* made_;
};

/// The options of a program: a handle of its CLI::App, which does what is missing here.
class option_list {
public:
  option_list(CLI::App& cli) : cli_(&cli) {} // NOLINT: either is taken where the other is asked for

  CLI::App& cli() const noexcept { return *cli_; }

  /// What the program does, at the beginning of its help; examples and more, at its end.
  void describe(std::string const& sentence) const;
  void end_help(std::string const& text) const;

  /// Adds an option "--name VALUE", or a value without a name, "name", by its place.
  option add(std::string const& name, int& value, std::string const& help) const;
  option add(std::string const& name, std::int64_t& value, std::string const& help) const;
  option add(std::string const& name, std::uint64_t& value, std::string const& help) const;
  option add(std::string const& name, double& value, std::string const& help) const;
  option add(std::string const& name, std::string& value, std::string const& help) const;

  /// Adds an option of numbers or words with commas between them.
  option add(std::string const& name, std::vector<int>& values, std::string const& help) const;
  option add(std::string const& name, std::vector<double>& values, std::string const& help) const;
  option add(std::string const& name, std::vector<std::string>& values,
             std::string const& help) const;

  /// Adds an option whose value `read` takes, and refuses by a usage_error.
  option add(std::string const& name, std::function<void(std::string const& value)> const& read,
             std::string const& help) const;

  /// Adds an option without a value.
  option add_flag(std::string const& name, bool& is_given, std::string const& help) const;

private:
  CLI::App* cli_;
};

} // namespace seam
