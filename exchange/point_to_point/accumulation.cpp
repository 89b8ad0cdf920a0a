#include <seam/exchange/point_to_point/accumulation.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/names.hpp>
#include <seam/exchange/planning/detail/arguments.hpp>
#include <seam/exchange/schedule/reduction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace seam::detail {
namespace {

/// In an order that is the same in all processes.
std::vector<MPI_Op> const& operations() {
  static std::vector<MPI_Op> const all{MPI_SUM,  MPI_PROD, MPI_MIN,    MPI_MAX,
                                       MPI_LAND, MPI_LOR,  MPI_LXOR,   MPI_BAND,
                                       MPI_BOR,  MPI_BXOR, MPI_MINLOC, MPI_MAXLOC};
  return all;
}

/// MPI's types of C and C++ without gaps.
std::vector<MPI_Datatype> const& types() {
  static std::vector<MPI_Datatype> const all{MPI_DOUBLE,
                                             MPI_FLOAT,
                                             MPI_LONG_DOUBLE,
                                             MPI_INT,
                                             MPI_LONG,
                                             MPI_LONG_LONG,
                                             MPI_SHORT,
                                             MPI_SIGNED_CHAR,
                                             MPI_UNSIGNED,
                                             MPI_UNSIGNED_LONG,
                                             MPI_UNSIGNED_LONG_LONG,
                                             MPI_UNSIGNED_SHORT,
                                             MPI_UNSIGNED_CHAR,
                                             MPI_BYTE,
                                             MPI_INT8_T,
                                             MPI_INT16_T,
                                             MPI_INT32_T,
                                             MPI_INT64_T,
                                             MPI_UINT8_T,
                                             MPI_UINT16_T,
                                             MPI_UINT32_T,
                                             MPI_UINT64_T,
                                             MPI_AINT,
                                             MPI_OFFSET,
                                             MPI_COUNT,
                                             MPI_C_BOOL,
                                             MPI_CXX_BOOL,
                                             MPI_C_FLOAT_COMPLEX,
                                             MPI_C_DOUBLE_COMPLEX,
                                             MPI_C_LONG_DOUBLE_COMPLEX,
                                             MPI_CXX_FLOAT_COMPLEX,
                                             MPI_CXX_DOUBLE_COMPLEX,
                                             MPI_CXX_LONG_DOUBLE_COMPLEX,
                                             MPI_2INT,
                                             MPI_FLOAT_INT};
  return all;
}

/// The place of `wanted` in `all`; their number if it is not there.
template <class T>
int place_in(std::vector<T> const& all, T wanted) {
  return static_cast<int>(std::ranges::find(all, wanted) - all.begin());
}

} // namespace

accumulation accumulation_of(MPI_Op op, elements const& values) {
  if (op == MPI_REPLACE)
    return {};
  check_op("accumulate", op, values);
  accumulation const found{place_in(operations(), op), place_in(types(), values.type)};
  if (found.type == std::ssize(types()))
    refuse(
        MPI_ERR_TYPE,
        fmt::format("accumulate: {} between endpoints (expected a type of MPI's own without gaps)",
                    mpi::name_of_type(values.type)));
  return found;
}

combiner combiner_of(accumulation const& how) {
  if (how.op < 0)
    return nullptr;
  return combiner_of(operations()[how.op], types()[how.type]);
}

} // namespace seam::detail
