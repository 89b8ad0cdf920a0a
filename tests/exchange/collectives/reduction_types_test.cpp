// Reductions of every type that MPI names: neutral elements, and the operation of MPI that a
// function object stands for.
#include <seam/exchange/collectives/reduce.hpp>
#include <seam/exchange/planning/neutral_element.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <concepts>
#include <cstring>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

using operations = std::vector<MPI_Op>;

operations const sums{MPI_SUM, MPI_PROD}, order{MPI_MAX, MPI_MIN};
operations const logic{MPI_LAND, MPI_LOR, MPI_LXOR}, bits{MPI_BAND, MPI_BOR, MPI_BXOR};

/// `op` of two values, as MPI combines them; except minima and maxima of MPI_UNSIGNED_LONG and
/// MPI_OFFSET, which Open MPI 4.1 has wrong.
template <class T>
T combined_locally(T const& first, T second, MPI_Datatype type, MPI_Op op) {
  if constexpr (std::totally_ordered<T>) {
    if (op == MPI_MIN)
      return std::min(first, second);
    if (op == MPI_MAX)
      return std::max(first, second);
  }
  CHECK(MPI_Reduce_local(&first, &second, 1, type, op) == MPI_SUCCESS);
  return second;
}

/// Neutral elements change nothing. Types that the MPI library lacks have no length.
template <class T>
void check_neutral_elements(MPI_Datatype type, T value, std::initializer_list<operations> defined) {
  int size = 0;
  MPI_Type_size(type, &size);
  if (size == 0)
    return;
  REQUIRE(size == static_cast<int>(sizeof(T)));
  for (operations const& some : defined)
    for (MPI_Op const op : some) {
      auto const neutral = neutral_element_of(op, type);
      REQUIRE(neutral.size() == sizeof(T));
      T neutral_value;
      std::memcpy(&neutral_value, neutral.data(), sizeof(T));
      CHECK(combined_locally(value, neutral_value, type, op) == value);
    }
}

template <class T>
void check_integers(std::initializer_list<MPI_Datatype> types) {
  for (MPI_Datatype const type : types) {
    check_neutral_elements(type, T(3), {sums, order, bits});
    check_neutral_elements(type, T(1), {logic});
    check_neutral_elements(type, T(0), {logic});
  }
}

template <class T>
void check_reals(std::initializer_list<MPI_Datatype> types) {
  for (MPI_Datatype const type : types)
    check_neutral_elements(type, T(-2.5), {sums, order});
}

template <class T>
void check_complex(std::initializer_list<MPI_Datatype> types) {
  for (MPI_Datatype const type : types)
    check_neutral_elements(type, std::complex<T>(1.5, -2), {sums});
}

/// The result on all ranks if they give the two values in turn.
template <class T, class F>
T combined(Communicator const& over, std::array<T, 2> const& values, F how) {
  std::array<T, 1> const own{values[over.rank() % 2]};
  std::array<T, 1> found{};
  run(over, allreduce(own, found, how));
  return found[0];
}

} // namespace

TEST_CASE("every operation has its neutral element for every type for which MPI defines it") {
  check_integers<signed char>({MPI_SIGNED_CHAR, MPI_INT8_T});
  check_integers<unsigned char>({MPI_UNSIGNED_CHAR, MPI_UINT8_T});
  check_integers<short>({MPI_SHORT, MPI_INT16_T});
  check_integers<unsigned short>({MPI_UNSIGNED_SHORT, MPI_UINT16_T});
  check_integers<int>({MPI_INT, MPI_INT32_T});
  check_integers<unsigned>({MPI_UNSIGNED, MPI_UINT32_T});
  check_integers<long>({MPI_LONG, MPI_INT64_T});
  check_integers<unsigned long>({MPI_UNSIGNED_LONG, MPI_UINT64_T});
  check_integers<long long>({MPI_LONG_LONG});
  check_integers<unsigned long long>({MPI_UNSIGNED_LONG_LONG});
  for (MPI_Datatype const type : {MPI_AINT, MPI_OFFSET, MPI_COUNT})
    check_neutral_elements(type, std::int64_t{-3}, {sums, order});
  check_neutral_elements(MPI_BYTE, std::uint8_t{9}, {bits});
  for (MPI_Datatype const type : {MPI_C_BOOL, MPI_CXX_BOOL})
    for (bool const value : {false, true})
      check_neutral_elements(type, value, {logic});
  check_reals<float>({MPI_FLOAT});
  check_reals<double>({MPI_DOUBLE});
  check_reals<long double>({MPI_LONG_DOUBLE});
  check_complex<float>({MPI_C_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_CXX_FLOAT_COMPLEX});
  check_complex<double>({MPI_C_DOUBLE_COMPLEX, MPI_CXX_DOUBLE_COMPLEX});
  check_complex<long double>({MPI_C_LONG_DOUBLE_COMPLEX, MPI_CXX_LONG_DOUBLE_COMPLEX});
}

TEST_CASE("Fortran's types have neutral elements, too, where the MPI library has the types") {
  for (MPI_Datatype const type : {MPI_INTEGER, MPI_INTEGER4})
    check_neutral_elements(type, std::int32_t{-3}, {sums, order, bits});
  check_neutral_elements(MPI_INTEGER1, std::int8_t{-3}, {sums, order, bits});
  check_neutral_elements(MPI_INTEGER2, std::int16_t{-3}, {sums, order, bits});
  check_neutral_elements(MPI_INTEGER8, std::int64_t{-3}, {sums, order, bits});
  check_neutral_elements(MPI_LOGICAL, std::int32_t{1}, {logic});
  check_neutral_elements(MPI_LOGICAL, std::int32_t{0}, {logic});
  check_reals<float>({MPI_REAL, MPI_REAL4});
  check_reals<double>({MPI_DOUBLE_PRECISION, MPI_REAL8});
  check_complex<float>({MPI_COMPLEX, MPI_COMPLEX8});
  check_complex<double>({MPI_DOUBLE_COMPLEX, MPI_COMPLEX16});
}

TEST_CASE("function objects combine types for which MPI has no operation") {
  auto const world = testing::world();
  bool const alone = world.size() == 1;
  CHECK(combined<double>(world, {1.5, 0.0}, std::logical_and<>()) == (alone ? 1.5 : 0.0));
  CHECK(combined<double>(world, {1.0, 0.0}, std::logical_or<>()) == 1.0);
  CHECK(combined<bool>(world, {true, false}, std::plus<>()));
  CHECK(combined<bool>(world, {true, false}, std::bit_and<>()) == alone);
  CHECK(combined<bool>(world, {true, true}, std::logical_and<>()));
  CHECK(combined<char>(world, {'b', 'c'}, larger()) == (alone ? 'b' : 'c'));
  CHECK(combined<std::byte>(world, {std::byte{1}, std::byte{2}}, std::bit_or<>()) ==
        std::byte{alone ? std::uint8_t{1} : std::uint8_t{3}});
  CHECK(mpi::op_of<int>(std::plus<>()) == MPI_SUM);
  CHECK(mpi::op_of<std::complex<double>>(std::multiplies<>()) == MPI_PROD);
}
