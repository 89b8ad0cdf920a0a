// The words of reports: which ranks are named, and what each is said to do.
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/stall_words.hpp>

#include <support/catch.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using namespace seam::detail;

namespace {

/// A process that has made `count` calls.
asked_rank asked(int rank, std::int64_t count, process_state state, char const* call) {
  watch_answer answer{.count = count, .since = 12, .state = state};
  answer.set_call(call);
  return {rank, answer};
}

asked_rank silent(int rank) { return {rank, {}}; }

/// Rank 0 waits in call `number` of a record.
long_wait wait_in(char const* call, std::int64_t number, std::vector<asked_rank> others) {
  return {.rank = 0, .call = call, .id = 1, .number = number, .others = std::move(others)};
}

} // namespace

TEST_CASE("ranks that have made the fewest calls are named, with what they do instead") {
  using enum process_state;
  std::vector const others{asked(0, 5, waits, "barrier"), asked(2, 3, computes, "allreduce"),
                           asked(3, 4, waits, "barrier"), asked(4, 3, has_left, ""),
                           asked(5, 3, waits, "receive"), asked(6, 3, computes, "")};
  CHECK(wait_in("barrier", 5, others).missing_ranks() ==
        "rank 2 has not made it, it computes and called allreduce last, 12 s ago; "
        "rank 4 has not made it, it has left; rank 5 has not made it, it waits in receive; "
        "rank 6 has not made it, it computes and has made no call so far");
}

TEST_CASE("a rank that is in the same call has not come as far in it") {
  using enum process_state;
  CHECK(wait_in("make_halo", 2, {asked(1, 0, waits, "make_halo")}).missing_ranks() ==
        "rank 1 has not come as far in it, where it waits");
  CHECK(wait_in("make_halo", 2, {asked(1, 0, is_in_call, "make_halo")}).missing_ranks() ==
        "rank 1 has not come as far in it, where it computes");
  CHECK(wait_in("make_halo", 2, {asked(1, 0, is_in_call, "write")}).missing_ranks() ==
        "rank 1 has not made it, it is in write");
}

TEST_CASE("ranks that do not answer are named, whatever others have done") {
  std::vector const others{asked(0, 0, process_state::has_left, ""), silent(1)};
  CHECK(wait_in("barrier", 1, others).missing_ranks() == "rank 0 has not made it, it has left; "
                                                         "rank 1 does not answer");
}

TEST_CASE("no rank is named if all have made the call") {
  std::vector const others{asked(0, 7, process_state::waits, "barrier")};
  CHECK(wait_in("barrier", 7, others).missing_ranks() == "all have made it");
}

TEST_CASE("a rank that has made another call in the place of the awaited one is named") {
  using enum process_state;
  std::vector const others{asked(1, 7, waits, "sum"),        asked(2, 7, waits, "run"),
                           asked(3, 8, is_in_call, "write"), asked(4, 9, computes, "sum"),
                           asked(5, 7, is_in_call, "run"),   asked(6, 7, has_left, "run")};
  CHECK(wait_in("run", 7, others).missing_ranks() ==
        "all have made as many calls, it or another: rank 1 waits in sum; rank 3 is in write; "
        "rank 4 computes and called sum last, 12 s ago; rank 6 has left");
}

TEST_CASE("of many ranks eight are named, and the others counted") {
  std::vector<asked_rank> others;
  for (int rank = 0; rank < 20; ++rank)
    others.push_back(silent(rank));
  auto const words = wait_in("barrier", 1, others).missing_ranks();
  CHECK(words.find("rank 7 ") != std::string::npos);
  CHECK(words.find("rank 8 ") == std::string::npos);
  CHECK_THAT(words, Catch::EndsWith("; and 12 other ranks"));
}

TEST_CASE("the ranks at the other end of a message are named") {
  using enum process_state;
  CHECK(wait_in("receive", 1, {asked(3, 0, waits, "barrier")}).needed_ranks() ==
        "which needs rank 3: it waits in barrier");
  CHECK(wait_in("receive", 1, {asked(1, 0, has_left, ""), silent(2)}).needed_ranks() ==
        "which needs one of 2 ranks: rank 1 has left; "
        "rank 2 does not answer");
}

TEST_CASE("a wait is hopeless once a rank that has not made the call has left") {
  using enum process_state;
  CHECK(wait_in("barrier", 2, {asked(1, 1, has_left, "")}).is_hopeless());
  CHECK_FALSE(wait_in("barrier", 2, {asked(1, 2, has_left, "")}).is_hopeless());
  CHECK_FALSE(wait_in("barrier", 2, {asked(1, 1, computes, ""), silent(2)}).is_hopeless());
  long_wait message = wait_in("receive", 2, {asked(1, 1, has_left, "")});
  message.id |= mark_of_peers;
  CHECK_FALSE(message.is_hopeless());
}

TEST_CASE("the lowest of the ranks that wait in a call reports") {
  long_wait wait{.rank = 2, .id = 1, .number = 1, .others = {silent(0), silent(1), silent(3)}};
  watch_answer waits_there{.waits_there = 1};
  wait.take(7, waits_there);
  wait.take(3, waits_there);
  CHECK_FALSE(wait.has_lower_reporter());
  wait.take(1, waits_there);
  CHECK(wait.has_lower_reporter());
}

TEST_CASE("a wait is shared by all while each waits in the same call") {
  using enum process_state;
  CHECK(wait_in("sum", 7, {asked(1, 7, waits, "sum"), asked(2, 8, is_in_call, "sum")})
            .is_shared_by_all());
  for (auto const& other : {silent(2), asked(2, 6, waits, "sum"), asked(2, 7, waits, "run"),
                            asked(2, 7, computes, "sum"), asked(2, 7, has_left, "sum")})
    CHECK_FALSE(wait_in("sum", 7, {asked(1, 7, waits, "sum"), other}).is_shared_by_all());
  CHECK_FALSE(wait_in("sum", 7, {}).is_shared_by_all());
}

TEST_CASE("a line has what the process itself knows is missing, too") {
  long_wait wait{
      .rank = 3, .waited = std::chrono::seconds(60), .call = "sum", .id = 1, .number = 1};
  CHECK(wait.line() == "seam: rank 3 has waited for 60 s in sum");
  wait.missing = "nothing has come from rank 0";
  CHECK(wait.line() == "seam: rank 3 has waited for 60 s in sum: nothing has come from rank 0");
  wait.others = {silent(0)};
  CHECK(wait.line() ==
        "seam: rank 3 has waited for 60 s in sum, a call of 2 ranks: rank 0 does not "
        "answer; nothing has come from rank 0");
}
