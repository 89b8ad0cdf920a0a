/// Catch2's macros for tests whose ranks are endpoints: each case runs once for each endpoint, in a
/// thread of its own. Catch2's own assertions may not be made by several threads, so these end the
/// whole run with a line if they fail. Matchers are Catch2's.
#pragma once

#define CATCH_CONFIG_PREFIX_ALL
#include <support/catch2.hpp>

#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/checks.hpp>

#include <mpi.h>

#include <array>
#include <barrier>
#include <exception>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace seam::testing {

/// A case: its source, its name, and its body, which all endpoints run.
struct endpoint_case {
  std::string_view file, name;
  void (*body)();
};

/// All cases of the program, in the order of their definitions.
inline std::vector<endpoint_case>& all_endpoint_cases() {
  static std::vector<endpoint_case> all;
  return all;
}

struct listed_case {
  template <class... Tags>
  listed_case(char const* file, void (*body)(), std::string_view name, Tags... /*tags*/) {
    all_endpoint_cases().push_back({file, name, body});
  }
};

/// The endpoint that the calling thread runs cases for.
struct tested_endpoint {
  MPI_Comm comm = MPI_COMM_NULL; ///< of all endpoints of the run
  bool is_first = false;         ///< of its process
};
inline thread_local tested_endpoint endpoint_of_test;

/// What the case has said last about what it does.
inline thread_local std::string info_of_case;

/// The choices of a case's GENERATEs: the case is run for each combination of them.
class generated_choices {
public:
  /// Begins a run of the case.
  void begin() noexcept { position_ = 0; }

  /// The choice of the next GENERATE among `count`.
  std::size_t next(std::size_t count) {
    if (position_ == choices_.size())
      choices_.push_back({0, count});
    return choices_[position_++].now;
  }

  /// Goes to the next combination; false if there is none.
  bool advance() {
    for (; !choices_.empty(); choices_.pop_back())
      if (++choices_.back().now < choices_.back().count)
        return true;
    return false;
  }

private:
  struct choice {
    std::size_t now, count;
  };
  std::vector<choice> choices_;
  std::size_t position_ = 0;
};
inline thread_local generated_choices choices_of_case;

template <class First, class... Rest>
First generate(First first, Rest... rest) {
  std::array<First, 1 + sizeof...(Rest)> const all{std::move(first), First(std::move(rest))...};
  return all[choices_of_case.next(all.size())];
}

/// Where the threads of this process meet.
inline std::optional<std::barrier<>>& meeting_point() {
  static std::optional<std::barrier<>> point;
  return point;
}

/// Ends the run with a line that tells the place and what does not hold.
[[noreturn]] void fail_case(char const* file, int line, std::string const& reason);

/// A setting of the process, which the first endpoint sets for all while none goes on.
template <class Scope>
class scope_of_all {
public:
  explicit scope_of_all(bool on) {
    meeting_point()->arrive_and_wait();
    if (endpoint_of_test.is_first)
      scope_ = std::make_unique<Scope>(on);
    meeting_point()->arrive_and_wait();
  }
  scope_of_all(scope_of_all const&) = delete;
  scope_of_all& operator=(scope_of_all const&) = delete;
  ~scope_of_all() {
    if (std::uncaught_exceptions() > 0)
      return;
    meeting_point()->arrive_and_wait();
    scope_.reset();
    meeting_point()->arrive_and_wait();
  }

private:
  std::unique_ptr<Scope> scope_;
};

using checks_of_all = scope_of_all<seam::checks_in_scope>;
using shared_memory_of_all = scope_of_all<seam::shared_memory_in_scope>;

/// True if an error's line is as a text or a matcher says.
inline bool line_matches(std::string const& line, std::string const& expected) {
  return line == expected;
}
template <class Matcher>
  requires requires(Matcher const& matcher) { matcher.match(std::string()); }
bool line_matches(std::string const& line, Matcher const& matcher) {
  return matcher.match(line);
}

} // namespace seam::testing

#define checks_in_scope seam::testing::checks_of_all
#define shared_memory_in_scope seam::testing::shared_memory_of_all

#define SEAM_JOINED_AGAIN(a, b) a##b
#define SEAM_JOINED(a, b) SEAM_JOINED_AGAIN(a, b)
#define SEAM_CASE(name, ...)                                                                       \
  static void name();                                                                              \
  static seam::testing::listed_case const SEAM_JOINED(listed_, name)(__FILE__, name, __VA_ARGS__); \
  static void name()
#define TEST_CASE(...) SEAM_CASE(SEAM_JOINED(case_, __LINE__), __VA_ARGS__)

#define SEAM_FAIL_CASE(reason) seam::testing::fail_case(__FILE__, __LINE__, reason)
#define CHECK(...)                                                                                 \
  do {                                                                                             \
    if (!(__VA_ARGS__))                                                                            \
      SEAM_FAIL_CASE(#__VA_ARGS__);                                                                \
  } while (false)
#define REQUIRE(...) CHECK(__VA_ARGS__)
#define REQUIRE_IN_LOOP(...) CHECK(__VA_ARGS__)
#define CHECK_FALSE(...) CHECK(!(__VA_ARGS__))
#define FAIL(...) SEAM_FAIL_CASE(#__VA_ARGS__)
#define STATIC_REQUIRE(...) static_assert(__VA_ARGS__)
#define SUCCEED(...) void(0)
#define INFO(...)                                                                                  \
  seam::testing::info_of_case = (std::ostringstream() << __VA_ARGS__).str() // NOLINT
#define WARN(...) void(0)
#define CAPTURE(...) void(0)
#undef GENERATE
#define GENERATE(...) seam::testing::generate(__VA_ARGS__)
#define CHECK_THAT(value, ...)                                                                     \
  do {                                                                                             \
    if (!(__VA_ARGS__).match(value))                                                               \
      SEAM_FAIL_CASE(#value " does not match " #__VA_ARGS__);                                      \
  } while (false)
#define CHECK_NOTHROW(...) static_cast<void>(__VA_ARGS__)
#define CHECK_THROWS_AS(expression, kind)                                                          \
  do {                                                                                             \
    try {                                                                                          \
      static_cast<void>(expression);                                                               \
    } catch (kind const&) {                                                                        \
      break;                                                                                       \
    }                                                                                              \
    SEAM_FAIL_CASE(#expression " does not throw " #kind);                                          \
  } while (false)
#define CHECK_THROWS_WITH(expression, ...)                                                         \
  do {                                                                                             \
    std::string line_of_error;                                                                     \
    try {                                                                                          \
      static_cast<void>(expression);                                                               \
    } catch (std::exception const& problem) {                                                      \
      line_of_error = problem.what();                                                              \
    }                                                                                              \
    if (!seam::testing::line_matches(line_of_error, __VA_ARGS__))                                  \
      SEAM_FAIL_CASE("'" + line_of_error + "' is not the line of " #expression);                   \
  } while (false)
