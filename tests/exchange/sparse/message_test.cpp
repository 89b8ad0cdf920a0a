// Messages of a sparse exchange: packed values are unpacked, and no more than were packed.
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sparse/message.hpp>

#include <support/catch.hpp>

#include <deque>
#include <list>
#include <map>
#include <set>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

struct plain_struct {
  int number;
  double weight;
  friend bool operator==(plain_struct const&, plain_struct const&) = default;
};

} // namespace

/// Types of a user, in a namespace of their own.
namespace zoo {

struct animal {
  std::string name;
  std::vector<animal> young;
  friend bool operator==(animal const&, animal const&) = default;
};
void pack(seam::outgoing_message& out, animal const& packed) {
  out.pack(packed.name, packed.young);
}
void unpack(seam::incoming_message& in, animal& unpacked) {
  in.unpack(unpacked.name, unpacked.young);
}

/// Its bytes could travel, but its own functions leave out the cage.
struct guest {
  int id;
  int cage;
};
void pack(seam::outgoing_message& out, guest const& packed) { out.pack(packed.id); }
void unpack(seam::incoming_message& in, guest& unpacked) {
  in.unpack(unpacked.id);
  unpacked.cage = -1;
}

} // namespace zoo

namespace {

incoming_message sent(outgoing_message out) { return {3, std::move(out).release()}; }

/// Unpacks the only value of a message, into which `value` has been packed.
template <class T>
T through_message(T const& value) {
  outgoing_message out(0);
  out.pack(value);
  auto in = sent(std::move(out));
  T back = in.unpack<T>();
  CHECK(in.bytes_left() == 0);
  return back;
}

template <class T>
void check_survives(T const& value) {
  CHECK(through_message(value) == value);
}

} // namespace

TEST_CASE("values of all kinds survive the journey") {
  check_survives(42);
  check_survives(plain_struct{1, 2.5});
  check_survives(std::string("a name"));
  check_survives(std::string());
  check_survives(std::vector<double>{1, 2, 3});
  check_survives(std::vector<bool>{true, false, true});
  check_survives(std::vector<std::vector<std::string>>{{"a", "bc"}, {}, {"def"}});
  check_survives(std::array<int, 3>{4, 5, 6});
  check_survives(std::array<std::string, 2>{"x", "yz"});
  check_survives(std::pair(1, std::string("one")));
  check_survives(std::tuple(1, 2.0, std::vector<plain_struct>{{3, 4}}));
  check_survives(std::optional<int>());
  check_survives(std::optional<std::string>("there"));
  check_survives(std::deque<int>{1, 2});
  check_survives(std::list<std::string>{"p", "q"});
  check_survives(std::set<int>{5, 3});
  check_survives(std::map<std::string, std::vector<int>>{{"a", {1}}, {"b", {}}});
  check_survives(std::vector<std::optional<std::pair<int, std::string>>>{std::nullopt, {{1, "x"}}});
}

TEST_CASE("a type's own functions decide which members travel, at any depth") {
  zoo::animal const bear{"bear", {{"cub", {}}, {"other cub", {}}}};
  check_survives(bear);
  check_survives(std::map<int, zoo::animal>{{7, bear}});
  zoo::guest const back = through_message(zoo::guest{5, 9});
  CHECK(back.id == 5);
  CHECK(back.cage == -1);
  std::vector<zoo::guest> const several = through_message(std::vector<zoo::guest>{{1, 8}, {2, 8}});
  CHECK(several[1].id == 2);
  CHECK(several[1].cage == -1);
}

TEST_CASE("text and spans are packed as strings and vectors are") {
  std::vector<int> const numbers{1, 2, 3};
  outgoing_message out(0);
  out.pack("literal", std::string_view("view"), std::span(numbers), std::span(numbers).first(2));
  auto in = sent(std::move(out));
  CHECK(in.unpack<std::string>() == "literal");
  CHECK(in.unpack<std::string>() == "view");
  CHECK(in.unpack<std::vector<int>>() == numbers);
  std::array<int, 2> two{};
  std::span<int> place(two);
  in.unpack(place);
  CHECK(two == std::array{1, 2});
}

TEST_CASE("more than there is cannot be unpacked") {
  outgoing_message out(0);
  out.pack(std::int32_t{7});
  auto in = sent(std::move(out));
  CHECK_THROWS_WITH(in.unpack<double>(), Catch::StartsWith("unpack: 8 bytes of the message from "
                                                           "rank 3 (expected at most the 4 left of "
                                                           "its 4)"));
  CHECK(in.unpack<std::int32_t>() == 7);
  CHECK_THROWS_WITH(in.unpack<char>(), Catch::Contains("(expected at most the 0 left of its 4)"));
}

TEST_CASE("a length that the message cannot hold takes no memory") {
  outgoing_message out(0);
  out.pack(std::uint64_t{1} << 60);
  auto in = sent(std::move(out));
  CHECK_THROWS_WITH(in.unpack<std::vector<double>>(),
                    Catch::StartsWith("unpack: 1152921504606846976 elements of 8 bytes of the "
                                      "message from rank 3 (expected at most the 0 bytes left of "
                                      "its 8)"));
}

TEST_CASE("a span must be as long as the one that was packed") {
  outgoing_message out(0);
  out.pack(std::vector<int>{1, 2, 3});
  auto in = sent(std::move(out));
  std::array<int, 2> two{};
  std::span<int> place(two);
  CHECK_THROWS_WITH(in.unpack(place), Catch::StartsWith("unpack: a span of 2 elements for 3 of the "
                                                        "message from rank 3"));
}
