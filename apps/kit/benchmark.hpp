/// What benchmarks share: options of the same names, and the check of all variants before anything is
/// timed. seam::time_in_turn() times them.
///
///     void add_options(CLI::App& cli, options& wanted) {
///       bench::add_list(cli, "--sizes", wanted.sizes, {1, 640, "N"}, "cells along each edge");
///       bench::add_output(cli, wanted.repetitions, wanted.csv);
///     }
#pragma once

#include <seam/exchange.hpp>
#include <seam/program.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

/// Libraries whose rivals this build has: their sources are compiled only then.
inline constexpr bool has_petsc = BENCH_HAS_PETSC, has_zoltan = BENCH_HAS_ZOLTAN;

/// The numbers that an option takes, and their name in the help.
template <class Number>
struct range {
  Number least, most;
  std::string name;
};

/// Adds an option with a number, which has a default.
/// Local.
template <class Number>
void add_number(CLI::App& cli, char const* option, Number& number,
                range<std::type_identity_t<Number>> const& each, std::string const& help) {
  cli.add_option(option, number, help)
      ->check(CLI::Range(each.least, each.most, each.name))
      ->type_name(each.name)
      ->capture_default_str();
}

/// Adds an option with a list of numbers, which has a default.
/// Local.
template <class Number>
void add_list(CLI::App& cli, char const* option, std::vector<Number>& list,
              range<std::type_identity_t<Number>> const& each, std::string const& help) {
  cli.add_option(option, list, help)
      ->delimiter(',')
      ->check(CLI::Range(each.least, each.most, each.name))
      ->type_name(each.name + ",...")
      ->capture_default_str();
}

/// Adds an option with a list of names, each one of `known`, which has a default.
/// Local.
template <class Names>
void add_names(CLI::App& cli, char const* option, std::vector<std::string>& list,
               Names const& known, std::string const& help) {
  cli.add_option(option, list, help)
      ->delimiter(',')
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(known), std::end(known))))
      ->type_name("NAME,...")
      ->capture_default_str();
}

/// Adds --repetitions.
/// Local.
inline void add_repetitions(CLI::App& cli, int& repetitions) {
  cli.add_option("--repetitions", repetitions, "of each variant for each question")
      ->check(CLI::Range(1, 1'000'000, "COUNT"))
      ->capture_default_str();
}

/// Adds --csv, the file of a seam::benchmark_output.
/// Local.
inline void add_csv(CLI::App& cli, std::string& csv) {
  cli.add_option("--csv", csv, "write the table there too")->type_name("FILE.csv");
}

/// Adds --repetitions and --csv.
/// Local.
inline void add_output(CLI::App& cli, int& repetitions, std::string& csv) {
  add_repetitions(cli, repetitions);
  add_csv(cli, csv);
}

/// Refuses the result of a variant on all ranks if it is wrong on one.
/// @param first_error  returns a description of the first error on this rank; empty if there is none
/// @throws usage_error  there is one; the line begins with the name
/// Collective: over `over`.
template <std::invocable FirstError>
void require_right(seam::mpi::comm_view over, std::string const& name,
                   FirstError const& first_error) {
  seam::collectively(over, [&] {
    if (std::string const wrong = first_error(); !wrong.empty())
      seam::refuse(name + ": " + wrong);
  });
}

/// Calls answer(question) for each of `all`, with a progress bar. After the first, says how long the
/// others will take if each takes as long.
/// @param plural  "questions"
/// Collective: over the runtime.
template <class Questions, class Answer>
void for_each_question(seam::Runtime& runtime, std::string const& plural, Questions const& all,
                       Answer const& answer) {
  seam::progress bar(runtime, plural, std::ssize(all));
  double const begin = MPI_Wtime();
  for (auto const& question : all) {
    answer(question);
    bar.advance();
    if (std::ptrdiff_t const others = std::ssize(all) - 1; &question == &*std::begin(all))
      seam::announce_time(runtime, fmt::format("{} other {}", others, plural),
                          static_cast<double>(others) * (MPI_Wtime() - begin));
  }
}

} // namespace bench
