/// Cartesian names for processes: the map between ranks and coordinates of a d-dimensional grid.
///
///     CartesianNaming const naming(6, {2, 3}, {false, true});     // 6 processes, 2 x 3, row-major
///     naming.coordinates(4);                                      // {1, 1}
///     naming.relative_rank(4, std::array{0, 2});                  // 3: periodic along dimension 1
///     naming.relative_rank(4, std::array{1, 0});                  // MPI_PROC_NULL: no neighbor
///
/// A value of pure, local functions; named_communicator.hpp attaches it to a communicator.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace seam {

/// The order in which the dimensions of a grid change as ranks increase. An immutable value.
class dimension_order {
public:
  /// The last dimension changes fastest, as in C.
  static dimension_order row_major() { return {kind::row_major, {}}; }

  /// The first dimension changes fastest, as in Fortran.
  static dimension_order column_major() { return {kind::column_major, {}}; }

  /// `slowest_first` lists the dimensions; {0, 1, ..., d-1} is row-major.
  /// @throws usage_error  it is not a permutation of 0, 1, ..., d-1
  static dimension_order permutation(std::vector<int> slowest_first);

  bool is_row_major() const noexcept { return kind_ == kind::row_major; }
  bool is_column_major() const noexcept { return kind_ == kind::column_major; }

  /// The dimensions of a grid from the slowest to the fastest. [num_dimensions]
  /// @throws usage_error  this is a permutation of another length
  std::vector<int> slowest_first(int num_dimensions) const;

  friend bool operator==(dimension_order const&, dimension_order const&) = default;

private:
  enum class kind { row_major, column_major, permutation };
  dimension_order(kind which, std::vector<int> slowest_first)
      : kind_(which), permutation_(std::move(slowest_first)) {}

  kind kind_;
  std::vector<int> permutation_;
};

/// The ranks at the two ends of a shift.
struct shift_ranks {
  int in;  ///< the rank whose shift along the vector ends at the process
  int out; ///< the rank at which the shift of the process ends

  friend bool operator==(shift_ranks const&, shift_ranks const&) = default;
};

/// Names the processes of a communicator by the points of a grid. An immutable value.
///
/// The numbers of points and of processes may differ. Ranks from size() on have no name; points
/// whose rank would be num_processes() or more have no process. MPI_PROC_NULL stands for "no
/// process" throughout: as the rank of a point beyond a non-periodic border or without a process,
/// and as every coordinate of a process without a name. Given as a rank it is answered like an
/// unnamed process. Since a coordinate may be any number, only is_named() tells names for certain.
///
/// Coordinates wrap along periodic dimensions, any number of times and to both sides. A grid of no
/// dimensions has the one point {}.
///
/// All functions are local and safe from any thread. They throw usage_error for a rank outside the
/// communicator and for a vector of the wrong length.
/// Source: [Traeff2021] sec. 3, listings 3 to 5.
class CartesianNaming {
public:
  /// @param num_processes  size of the communicator to be named
  /// @param order          [num_dimensions], points along each dimension, at least 1
  /// @param periodic       [num_dimensions], whether a dimension closes to a ring
  /// @param dimorder       how ranks run through the grid
  /// @throws usage_error   a size is not positive, lengths differ, or there are 2^63 points or more
  CartesianNaming(int num_processes, std::vector<int> order, std::vector<bool> periodic,
                  dimension_order dimorder = dimension_order::row_major());

  int num_dimensions() const noexcept { return std::ssize(order_); }
  int num_processes() const noexcept { return num_processes_; }

  /// Number of points of the grid.
  std::int64_t size() const noexcept { return size_; }

  std::span<int const> order() const noexcept { return order_; }
  std::vector<bool> const& periodic() const noexcept { return periodic_; }
  dimension_order const& dimorder() const noexcept { return dimorder_; }

  /// True if the process has a name.
  bool is_named(int rank) const;

  /// The process at a point.
  int rank(std::span<int const> coordinates) const;

  /// The name of a process. [num_dimensions]
  std::vector<int> coordinates(int rank) const;

  /// The process at the coordinates of `source` plus the vector `relative`.
  int relative_rank(int source, std::span<int const> relative) const;

  /// The normalized vector that leads from `source` to `dest`; MPI_PROC_NULL if either has no name.
  std::vector<int> relative_coordinates(int source, int dest) const;

  /// The shortest of the vectors that lead to the same point as `relative`: along periodic
  /// dimensions of n points the entry is in -(n-1)/2, ..., n/2; along the others it is unchanged.
  std::vector<int> normalized(std::span<int const> relative) const;

  /// The processes from which, and to which, a shift along `relative` connects `rank`.
  shift_ranks relative_shift(int rank, std::span<int const> relative) const;

  /// The processes at a list of points. [n] from the flat list [n][num_dimensions]
  std::vector<int> allranks(std::span<int const> coordinates) const;

  /// The processes at a list of vectors from `source`. [n] from the flat list [n][num_dimensions]
  std::vector<int> allranks_relative(int source, std::span<int const> relatives) const;

  /// The lowest rank among the processes that differ from `rank` only in dimensions that are not
  /// excluded, one for each sub-communicator. MPI_PROC_NULL if `rank` has no name.
  ///
  /// @param excluded  [num_dimensions], dimensions that the sub-grid lacks
  int lowest_in_sub(int rank, std::vector<bool> const& excluded) const;

  /// The naming of a sub-communicator of `num_processes` by the dimensions that are not excluded,
  /// in the same order: there every process keeps its remaining coordinates.
  CartesianNaming sub_naming(std::vector<bool> const& excluded, int num_processes) const;

  /// True if both give every process the same name and agree beyond the borders.
  friend bool operator==(CartesianNaming const& a, CartesianNaming const& b) {
    return a.num_processes_ == b.num_processes_ && a.order_ == b.order_ &&
           a.periodic_ == b.periodic_ && a.slowest_first_ == b.slowest_first_;
  }

private:
  void check_rank(int rank) const;
  void check_length(std::ptrdiff_t found, char const* what) const;
  void check_list(std::span<int const> list) const;
  std::int64_t coordinate(int rank, int dimension) const;

  /// The rank at the point whose coordinate along dimension i is at(i).
  template <class F>
  int rank_at(F&& at) const;

  int num_processes_;
  std::vector<int> order_;
  std::vector<bool> periodic_;
  dimension_order dimorder_;
  std::vector<int> slowest_first_;
  std::vector<std::int64_t> strides_; ///< difference of neighboring ranks along each dimension
  std::int64_t size_ = 1;
};

/// A naming in words: "2 x 3 points for 6 processes, slowest first [0, 1], periodic [0, 1]".
std::string to_string(CartesianNaming const& naming);

} // namespace seam
