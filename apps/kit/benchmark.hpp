/// What benchmarks share: --repetitions and --csv, rivals by their names, and the check of all variants
/// before anything is timed. seam::time_in_turn() times them.
///
///     using rival = bench::rival_of<way, block const&>;   // way: a class that rivals are derived from
///     for (rival const& listed : {rival::by<packed>("packed"), rival::by<sweep>("sweep")})
///       ways.push_back(listed.make(cells));
#pragma once

#include <seam/exchange.hpp>
#include <seam/program.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>

namespace bench {

/// Libraries whose rivals this build has: their sources are compiled only then.
inline constexpr bool has_petsc = BENCH_HAS_PETSC, has_zoltan = BENCH_HAS_ZOLTAN;

/// An implementation, which is not copied: calls of MPI keep addresses of its members.
class method {
public:
  method() = default;
  method(method const&) = delete;
  method& operator=(method const&) = delete;
  virtual ~method() = default;
};

/// A class of methods by its name in the table.
template <std::derived_from<method> Base, class... Asked>
struct rival_of {
  char const* name;
  std::unique_ptr<Base> (*make)(Asked...);
  seam::role is = seam::role::rival;

  /// @tparam Method  made of what is asked
  template <std::derived_from<Base> Method>
  static constexpr rival_of by(char const* name, seam::role is = seam::role::rival) {
    return {
        name,
        [](Asked... asked) -> std::unique_ptr<Base> { return std::make_unique<Method>(asked...); },
        is};
  }
};

/// Adds --repetitions.
/// Local.
inline void add_repetitions(seam::option_list cli, int& repetitions) {
  cli.add("--repetitions", repetitions, "of each variant for each question")
      .between(1, 1'000'000, "COUNT");
}

/// Adds --repetitions, and --csv, the file of a seam::benchmark_output.
/// Local.
inline void add_output(seam::option_list cli, int& repetitions, std::string& csv) {
  add_repetitions(cli, repetitions);
  cli.add("--csv", csv, "write the table there too").named("FILE.csv");
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
