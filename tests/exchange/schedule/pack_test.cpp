// Packing and copying against element-by-element loops.
#include <seam/exchange/schedule/pack.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

template <class T>
std::vector<T> numbered(std::size_t count) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), T{1});
  return values;
}

template <class T>
block block_of(std::vector<T>& array, region const& where) {
  return make_block(reinterpret_cast<std::byte*>(array.data()), sizeof(T), where);
}

/// The elements of `where`, one by one.
template <class T>
std::vector<T*> elements(std::vector<T>& array, region const& where) {
  std::vector<T*> all;
  for (std::int64_t i = 0; i < where.extent[0]; ++i)
    for (std::int64_t j = 0; j < where.extent[1]; ++j)
      for (std::int64_t k = 0; k < where.extent[2]; ++k)
        all.push_back(&array[where.offset + i * where.stride[0] + j * where.stride[1] + k]);
  return all;
}

/// Boxes in an array of 4 x 5 x 6: inner, faces of every orientation, whole rows, planes and all.
std::vector<region> const boxes{{37, {2, 3, 4}, {30, 6}}, {0, {4, 5, 1}, {30, 6}},
                                {5, {4, 1, 1}, {30, 6}},  {6, {1, 3, 6}, {30, 6}},
                                {30, {2, 5, 6}, {30, 6}}, {0, {4, 5, 6}, {30, 6}},
                                {1, {4, 5, 2}, {30, 6}},  {2, {4, 5, 3}, {30, 6}},
                                {7, {1, 1, 1}, {0, 0}},   {3, {2, 0, 2}, {30, 6}}};

} // namespace

TEMPLATE_TEST_CASE("packing and unpacking moves each element once, in order", "", char, short,
                   float, double, std::int64_t) {
  for (region const& where : boxes) {
    auto source = numbered<TestType>(120);
    std::vector<TestType> wire(where.num_elements()), target(120);
    auto* const raw = reinterpret_cast<std::byte*>(wire.data());
    auto const end = pack(block_of(source, where), raw);
    CHECK(end == raw + where.num_elements() * std::int64_t{sizeof(TestType)});
    unpack(raw, block_of(target, where));
    auto const from = elements(source, where), to = elements(target, where);
    for (std::size_t e = 0; e < from.size(); ++e) {
      CHECK(wire[e] == *from[e]);
      CHECK(*to[e] == *from[e]);
    }
    CHECK(std::ranges::count(target, TestType{}) == std::ssize(target) - where.num_elements());
  }
}

TEST_CASE("two faces are copied together as one after the other, if their rows are alike") {
  region const low{0, {4, 5, 1}, {30, 6}}, first{1, {4, 5, 1}, {30, 6}},
      last{4, {4, 5, 1}, {30, 6}}, high{5, {4, 5, 1}, {30, 6}}, other{2, {4, 4, 1}, {30, 6}};
  auto together = numbered<double>(120), apart = together;
  CHECK(copy_together(block_of(together, last), block_of(together, low), block_of(together, first),
                      block_of(together, high)));
  copy(block_of(apart, last), block_of(apart, low));
  copy(block_of(apart, first), block_of(apart, high));
  CHECK(together == apart);
  CHECK_FALSE(copy_together(block_of(together, last), block_of(together, low),
                            block_of(together, other), block_of(together, other)));
  CHECK(together == apart);
}

TEST_CASE("long rows are copied whole, also to places shortly behind those of the source") {
  constexpr std::int64_t pages = 3 * 4096; // the target lies so much further on, and `behind` more
  for (std::int64_t length : {2047, 2048, 2049, 4096, 4097, 10000})
    for (std::int64_t behind = 0; behind < 40; ++behind) {
      auto memory = numbered<unsigned short>(2 * pages);
      auto expected = memory;
      std::int64_t const target = pages + behind;
      std::copy_n(expected.begin(), length, expected.begin() + target);
      auto* const bytes = reinterpret_cast<std::byte*>(memory.data());
      copy(make_block(bytes, 2, {0, {1, 1, length}, {0, 0}}),
           make_block(bytes, 2, {target, {1, 1, length}, {0, 0}}));
      INFO(length << " elements to a place " << 2 * behind << " bytes behind");
      REQUIRE((memory == expected));
    }
}

TEST_CASE("copying between boxes of different shapes keeps the order of elements") {
  region const flat{0, {1, 6, 4}, {0, 12}}, deep{50, {3, 4, 2}, {20, 5}},
      row{90, {1, 1, 24}, {0, 0}};
  for (region const& from : {flat, deep, row})
    for (region const& into : {flat, deep, row}) {
      auto source = numbered<double>(120);
      std::vector<double> target(120);
      copy(block_of(source, from), block_of(target, into));
      auto const expected = elements(source, from), found = elements(target, into);
      for (std::size_t e = 0; e < expected.size(); ++e)
        CHECK(*found[e] == *expected[e]);
    }
}

TEST_CASE(
    "combining adds, or keeps the smaller or the larger, also where the wire is not aligned") {
  region const where{1, {2, 3, 2}, {12, 4}};
  std::vector<std::byte> bytes(1 + 12 * sizeof(double));
  for (auto how : {reduction::sum, reduction::min, reduction::max}) {
    std::vector<double> target(24, 5.0);
    for (std::size_t e = 0; e < 12; ++e) {
      double const value = static_cast<double>(e);
      std::memcpy(bytes.data() + 1 + e * sizeof(double), &value, sizeof value);
    }
    unpack(bytes.data() + 1, block_of(target, where), combiner_of<double>(how));
    auto const found = elements(target, where);
    for (std::size_t e = 0; e < 12; ++e) {
      double const v = static_cast<double>(e);
      CHECK(*found[e] == (how == reduction::sum   ? 5 + v
                          : how == reduction::min ? std::min(5.0, v)
                                                  : std::max(5.0, v)));
    }
  }
  CHECK(combiner_of<double>(reduction::replace) == nullptr);
}
