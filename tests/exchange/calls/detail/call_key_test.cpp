// Keys of calls are equal if and only if the arguments of the calls are.
#include <seam/exchange/calls/detail/call_key.hpp>
#include <seam/exchange/calls/last_calls.hpp>

#include <support/catch.hpp>

#include <array>
#include <random>
#include <span>
#include <utility>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

call_key key_of_lists(std::vector<elements> const& sends, std::vector<elements> const& receives,
                      int root) {
  call_key made;
  made.add_lists(sends, receives, root);
  return made;
}

/// The arguments of a call with lists of blocks.
struct arguments {
  std::vector<elements> sends, receives;
  int root;

  call_key key() const { return key_of_lists(sends, receives, root); }
};

std::array<std::byte, 64> memory{};

elements random_block(std::mt19937& random) {
  std::array const types{MPI_INT, MPI_DOUBLE, MPI_BYTE};
  return {memory.data() + random() % 8, static_cast<std::int64_t>(random() % 4),
          types[random() % types.size()]};
}

std::vector<elements> random_blocks(std::mt19937& random) {
  std::vector<elements> blocks(random() % 30);
  for (elements& block : blocks)
    block = random_block(random);
  return blocks;
}

arguments random_arguments(std::mt19937& random) {
  return {random_blocks(random), random_blocks(random), static_cast<int>(random() % 3)};
}

/// Changes one of the arguments.
void change(arguments& of, std::mt19937& random) {
  auto& blocks = random() % 2 == 0 ? of.sends : of.receives;
  if (blocks.empty()) {
    of.root += 1;
    return;
  }
  elements& block = blocks[random() % blocks.size()];
  switch (random() % 4) {
  case 0: block.data = static_cast<std::byte const*>(block.data) + 8; return;
  case 1: block.count += 1; return;
  case 2: block.type = block.type == MPI_INT ? MPI_FLOAT : MPI_INT; return;
  default: blocks.pop_back(); return;
  }
}

} // namespace

TEST_CASE("keys of equal arguments are equal, and those of others differ") {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed), again(seed);
    auto first = random_arguments(random);
    auto const second = random_arguments(again);
    CHECK(first.key() == second.key());
    change(first, random);
    CHECK_FALSE(first.key() == second.key());
  }
}

TEST_CASE("a block that leaves and one that arrives are not the same") {
  elements const block{memory.data(), 3, MPI_INT};
  std::vector<elements> const none, one{block}, two{block, block};
  constexpr int root = 0;
  CHECK_FALSE(key_of_lists(two, none, root) == key_of_lists(one, one, root));
  CHECK_FALSE(key_of_lists(none, two, root) == key_of_lists(one, one, root));
}

TEST_CASE("copies and moved keys keep what they hold, whether short or long") {
  for (int const num_blocks : {0, 1, 40}) {
    arguments const of{std::vector<elements>(num_blocks, {memory.data(), 2, MPI_INT}), {}, 1};
    call_key const original = of.key();
    call_key copy = original;
    CHECK(copy == original);
    call_key const moved = std::move(copy);
    CHECK(moved == original);
    call_key assigned;
    CHECK(assigned.is_empty());
    assigned = original;
    CHECK(assigned == original);
    CHECK_FALSE(assigned.is_empty());
  }
}

TEST_CASE("counts belong to a key") {
  elements const values{memory.data(), 1, MPI_INT};
  call_key with_counts;
  with_counts.add(values, values);
  call_key others = with_counts;
  std::vector<int> counts(50, 1);
  with_counts.add_counts(counts);
  CHECK_FALSE(with_counts == others);
  others.add_counts(counts);
  CHECK(with_counts == others);
  counts.back() = 2;
  call_key last;
  last.add(values, values);
  last.add_counts(counts);
  CHECK_FALSE(with_counts == last);
}

TEST_CASE("the values of the last eight calls are kept, by name and key") {
  auto const key_of = [](int number) {
    call_key made;
    made.add({memory.data(), number, MPI_INT}, {memory.data(), 1, MPI_INT});
    return made;
  };
  auto const any = [](int) { return true; };
  last_calls<int> kept;
  for (int call = 0; call < 20; ++call) {
    kept.keep("alltoall", key_of(call), call);
    for (int known = 0; known <= call; ++known) {
      int const* const found = kept.find("alltoall", key_of(known), any);
      CHECK((found != nullptr) == (known > call - 8));
      CHECK((found == nullptr || *found == known));
    }
  }
  CHECK(kept.find("allgather", key_of(19), any) == nullptr);
  CHECK(kept.find("alltoall", key_of(19), [](int value) { return value != 19; }) == nullptr);
}
