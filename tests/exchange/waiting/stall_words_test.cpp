// The words of reports: which ranks are named, and what each is said to do.
#include <seam/exchange/waiting/stall_words.hpp>

#include <support/catch.hpp>

#include <string>
#include <vector>

using namespace seam::detail;

namespace {

/// A process that has made `count` calls.
asked_rank asked(int rank, std::int64_t count, process_state state, std::string const& call) {
  watch_answer answer{
      .number = 1, .count = count, .since = 12, .state = state, .waits_there = 0, .call = {}};
  call.copy(answer.call.data(), answer.call.size() - 1);
  return {rank, answer};
}

asked_rank silent(int rank) { return {rank, {}}; }

} // namespace

TEST_CASE("ranks that have made the fewest calls are named, with what they do instead") {
  using enum process_state;
  std::vector const others{asked(0, 5, waits, "barrier"), asked(2, 3, computes, "allreduce"),
                           asked(3, 4, waits, "barrier"), asked(4, 3, has_left, ""),
                           asked(5, 3, waits, "receive"), asked(6, 3, computes, "")};
  CHECK(fewest_calls(others, 5) == 3);
  CHECK(words_of_missing(others, "barrier", 5) ==
        "rank 2 has not made it, it computes and called allreduce last, 12 s ago; "
        "rank 4 has not made it, it has left; rank 5 has not made it, it waits in receive; "
        "rank 6 has not made it, it computes and has made no call so far");
}

TEST_CASE("a rank that is in the same call has not come as far in it") {
  using enum process_state;
  CHECK(words_of_missing(std::vector{asked(1, 0, waits, "make_halo")}, "make_halo", 2) ==
        "rank 1 has not come as far in it, where it waits");
  CHECK(words_of_missing(std::vector{asked(1, 0, is_in_call, "make_halo")}, "make_halo", 2) ==
        "rank 1 has not come as far in it, where it computes");
  CHECK(words_of_missing(std::vector{asked(1, 0, is_in_call, "write")}, "make_halo", 2) ==
        "rank 1 has not made it, it is in write");
}

TEST_CASE("ranks that do not answer are named, whatever others have done") {
  std::vector const others{asked(0, 0, process_state::has_left, ""), silent(1)};
  CHECK(words_of_missing(others, "barrier", 1) ==
        "rank 0 has not made it, it has left; "
        "rank 1 does not answer, it computes or is in a call of the MPI library");
}

TEST_CASE("no rank is named if all have made the call") {
  std::vector const others{asked(0, 7, process_state::waits, "barrier")};
  CHECK(fewest_calls(others, 7) == 7);
  CHECK(words_of_missing(others, "barrier", 7) == "all have made it");
}

TEST_CASE("a rank that has made another call in the place of the awaited one is named") {
  using enum process_state;
  std::vector const others{asked(1, 7, waits, "sum"),        asked(2, 7, waits, "run"),
                           asked(3, 8, is_in_call, "write"), asked(4, 9, computes, "sum"),
                           asked(5, 7, is_in_call, "run"),   asked(6, 7, has_left, "run")};
  CHECK(words_of_missing(others, "run", 7) ==
        "all have made as many calls, it or another: rank 1 waits in sum; rank 3 is in write; "
        "rank 4 computes and called sum last, 12 s ago; rank 6 has left");
}

TEST_CASE("of many ranks eight are named, and the others counted") {
  std::vector<asked_rank> others;
  for (int rank = 0; rank < 20; ++rank)
    others.push_back(silent(rank));
  auto const words = words_of_missing(others, "barrier", 1);
  CHECK(words.find("rank 7 ") != std::string::npos);
  CHECK(words.find("rank 8 ") == std::string::npos);
  CHECK_THAT(words, Catch::EndsWith("; and 12 other ranks"));
}

TEST_CASE("the ranks at the other end of a message are named") {
  using enum process_state;
  CHECK(words_of_peers(std::vector{asked(3, 0, waits, "barrier")}) ==
        ", which needs rank 3: it waits in barrier");
  CHECK(words_of_peers(std::vector{asked(1, 0, has_left, ""), silent(2)}) ==
        ", which needs one of 2 ranks: rank 1 has left; "
        "rank 2 does not answer, it computes or is in a call of the MPI library");
}
