/// Steps in time in one VTKHDF file, to which a step is added so that the file can be read at any
/// moment.
///
/// The file has space for some steps. A step's values are first written after those of earlier
/// steps, where no reader looks, and are on the disk before rank 0 writes a new group "Steps" at
/// the end of the file, which counts one step more. Then one link, which HDF5 writes at once, leads
/// to it in place of the old group. A run that is killed leaves all steps but the last one, or all.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/framework/files/detail/number_format.hpp>
#include <seam/framework/files/hdf5_object.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/files/vtkhdf_series.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace seam::detail {

/// An array with the values of all steps.
struct series_array {
  std::string name; ///< with its group: "PointData/u"
  number_format format;
  std::vector<std::int64_t> extents; ///< of one step
  bool has_axis; ///< steps have an axis of their own, the first; else their rows follow each other

  std::vector<std::int64_t> extents_of(std::int64_t num_steps) const;
  std::int64_t bytes_of_step() const;
};

/// An array of the group "Steps", which for each step says where its part of another array begins,
/// or how many parts it has.
struct step_numbers {
  std::string name;       ///< "PointDataOffsets/u"
  std::int64_t first = 0; ///< of step 0
  std::int64_t stride = 0;
  std::int64_t width = 0; ///< numbers of a step; 0: the array is a list
};

/// The content of a file. The functions also write the parts that are the same in all steps.
struct steps_layout {
  std::vector<series_array> arrays;
  std::vector<step_numbers> numbers;
  std::int64_t constant_bytes = 0;                          ///< of what is the same in all steps
  std::function<void(hdf5_object::id_type group)> describe; ///< creates it in VTKHDF, on rank 0
  std::function<void(std::string const& path)> write_constants; ///< collective
};

/// One file. Threads: one at a time.
class steps_file {
public:
  /// Writes the values of a step into the arrays of the file at `path`, which have space for
  /// `num_places` steps. Collective.
  using writer =
      std::function<void(std::string const& path, std::int64_t num_places, std::int64_t step)>;

  /// Lays the file out beside `path`, where append() puts it.
  /// @param num_places   steps that the file has space for at first, at least 1
  /// @param continue_at  the file at `path` is continued after its steps with times below this, if
  ///                     there are any
  /// @throws usage_error  as output_file, the disk has less space, or the file that is to be
  ///         continued has other arrays (on all ranks)
  /// Collective: over `over`, which outlives this object.
  steps_file(mpi::comm_view over, std::string path, steps_layout layout, std::int64_t num_places,
             std::optional<double> continue_at);

  /// Adds a step. If there is no space, the file is copied to one of twice the size.
  /// @param time  larger than that of the step before
  /// @throws usage_error  `time` is not, or the step cannot be written (on all ranks); the file has
  ///         the steps before then
  /// Collective: over the file's ranks.
  void append(double time, writer const& write);

  /// Copies the file to one without space for more steps.
  /// Collective: over the file's ranks.
  void finish();

  std::int64_t num_steps() const noexcept { return std::ssize(times_); }

private:
  std::unique_ptr<output_file> begin(std::int64_t num_places) const;
  std::int64_t bytes_for(std::int64_t num_places) const;
  bool continue_before(double time);
  std::int64_t read_steps_before(double time);
  void lay_out(std::string const& path, std::int64_t num_places) const;
  void write_step(double time, writer const& write);
  void publish(std::string const& path) const;
  void move_to(std::int64_t num_places);
  void copy_steps(std::string const& from, std::string const& to) const;
  std::int64_t places_in(hdf5_object::id_type group) const;

  mpi::comm_view over_;
  std::string path_;
  steps_layout layout_;
  std::int64_t num_places_;
  std::vector<double> times_;
  std::unique_ptr<output_file> unplaced_; ///< until the first step is in it
};

/// The file of a vtkhdf_series, and how the present values of its fields are written as a step.
struct series_file {
  steps_file steps;
  steps_file::writer write;
};

/// @throws usage_error  options differ between ranks, or there are no steps to expect (on all ranks)
/// Collective: over `over`.
void check_series_options(mpi::comm_view over, series_options const& options);

} // namespace seam::detail
