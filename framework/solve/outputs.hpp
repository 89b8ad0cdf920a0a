/// Outputs: what a user gets to see of a program that computes a field in many steps, on a grid or,
/// with <seam/mesh_files.hpp>, on a mesh.
///
///     output_options wanted;                        // wanted.add_options(cli, "the pressure", ...)
///     wanted.check(runtime);                        // before the long computation
///     run_outputs seen(wanted, p, num_steps);
///     seen.begin(0);
///     for (std::int64_t step = 0; step < num_steps; seen.look(step)) {
///       auto const count = seen.until_look(step, num_steps - step);
///       ...                                         // computes `count` steps
///       step += count;
///     }
///     seen.finish(num_steps);
#pragma once

#include <seam/framework/files/animation.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/files/picture.hpp>
#include <seam/framework/files/vtkhdf.hpp>
#include <seam/framework/files/vtkhdf_series.hpp>
#include <seam/framework/program/option_list.hpp>
#include <seam/framework/solve/live_picture.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace seam {

/// The kind of domain that a field lies on.
enum class shown_on { grid, mesh };

/// The options of a user on the command line. The same on all ranks.
struct output_options {
  std::string picture = {};   ///< of the last state; empty: none
  std::string output = {};    ///< the VTKHDF file; empty: none
  std::string animation = {}; ///< the WebP file, with `every`; empty: none
  std::string plot = {};      ///< of times and residuals, .svg or .png; empty: none
  std::int64_t every = 0;     ///< steps between two states of a series; 0: only the last state
  bool is_numbered = false; ///< a VTKHDF file for each state, and their list, in place of one file
  watch_options watched = {};

  /// Adds --picture, --output, --plot, --every, --numbered, --animation and, on a grid, --watch.
  /// `cli` keeps a reference to this.
  /// @param shown  what is written: "the pressure"
  /// Local.
  void add_options(option_list cli, std::string const& shown, shown_on where = shown_on::grid);

  /// Checks that the files can be written.
  /// @param last   the largest number of a file of a series; below `every` if it is not known
  /// @param input  the file that the program reads; may be empty
  /// @throws usage_error  a file cannot be written or has another suffix than the help says, or
  ///         there is no file for a series (on all ranks)
  /// Collective: over `over`.
  void check(mpi::comm_view over, std::int64_t last, std::string const& input = "") const;

  /// Prints the names of the files that a run has written; nothing if it has written none.
  /// Local.
  void print_names(mpi::comm_view over) const;
};

namespace detail {

/// The operations on a field that outputs need, without its type.
struct shown_field {
  mpi::comm_view over;
  std::function<void(std::string const& path)> draw;
  std::function<void(std::string const& path)> write;
  std::function<void(animation& to)> add_frame;
  std::function<vtkhdf_series(std::string const& path, series_options const& options)> make_series;
  watch::gatherer gather; ///< of a grid

  /// Describes the first own value that is no finite number: "'u' is nan at (3, 4)"; empty if there
  /// is none.
  std::function<std::string()> not_finite;
};

/// "'u' is nan at (3, 4)"
std::string words_of_value(std::string const& field, double value,
                           std::span<std::int64_t const> place);

template <class FieldOfAnyKind>
struct field_to_show {
  FieldOfAnyKind const& field;
};

template <class T, int D>
std::string first_not_finite(Field<T, D> const& field) {
  std::string found;
  if constexpr (std::is_floating_point_v<T>)
    for (int component = 0; component < field.num_components(); ++component)
      for_each_cell(field.owned(), [&, values = field.template view<no_watch<T const>>(component)](
                                       cell_index<D> at) {
        if (std::isfinite(values[at]) || !found.empty())
          return;
        double const value = values[at];
        for (int axis = 0; axis < D; ++axis)
          at[axis] += field.grid().owned().lo[axis];
        found = words_of_value(field.name(), value, at);
      });
  return found;
}

/// Copies of a field are the same field, which the functions keep.
template <class T, int D>
shown_field make_shown(field_to_show<Field<T, D>> const& shown) {
  Field<T, D> const& field = shown.field;
  return {field.grid().base().context(),
          [field](std::string const& path) { write_png(field, path); },
          [field](std::string const& path) { write(field.grid(), field, path); },
          [field](animation& to) { to.add(field); },
          [field](std::string const& path, series_options const& options) {
            return vtkhdf_series(field.grid(), std::tie(field), path, options);
          },
          [field] { return gather_numbers(field); },
          [field] { return first_not_finite(field); }};
}

} // namespace detail

/// The outputs of one run. Without options it does nothing.
/// Threads: one at a time.
class run_outputs {
public:
  /// @param shown  the Field, or the MeshField, that is written and drawn; this object keeps it. The
  ///               halo of a MeshField is up to date at each look.
  /// @param last   the step after which the run ends; 0 if that is not known
  /// Local.
  template <class FieldOfAnyKind>
  run_outputs(output_options const& wanted, FieldOfAnyKind const& shown, std::int64_t last)
      : run_outputs(wanted, make_shown(detail::field_to_show<FieldOfAnyKind>{shown}), last) {}
  run_outputs(run_outputs&&) noexcept;
  run_outputs& operator=(run_outputs&&) noexcept;
  ~run_outputs();

  /// Begins the series, or continues it where a checkpoint was made, and writes the present state.
  /// Calls after the first have no effect.
  /// @param step  that is done: 0, or that of the checkpoint
  /// @throws usage_error  as write(), or one file of a mesh's steps is to be continued, whose
  ///         numbering may be another one (on all ranks)
  /// Collective: over the field's ranks.
  void begin(std::int64_t step);

  /// How many steps to do until the next look, at most `most`.
  /// @param step  that is done
  /// Local. The same on all ranks.
  std::int64_t until_look(std::int64_t step, std::int64_t most) const noexcept;

  /// Writes what is due after `step`.
  /// @throws usage_error  as write(); or the field has a value that is not finite (on all ranks)
  /// Collective: over the field's ranks.
  void look(std::int64_t step);

  /// Notes a number for the plot, such as a residual. Local.
  void note(std::string_view quantity, std::int64_t step, double value);

  /// Writes the last state, but for the picture, and the plot.
  /// @throws usage_error  as look()
  /// Collective: over the field's ranks.
  void finish(std::int64_t step);

  /// The ranks of the field.
  mpi::comm_view over() const noexcept { return shown_.over; }

private:
  struct files_begun;

  /// Collective: over the field's ranks.
  void require_finite(std::int64_t step) const;
  run_outputs(output_options const& wanted, detail::shown_field shown, std::int64_t last);

  void show(std::int64_t step);
  void begin_series(std::int64_t step);
  void write_state(std::int64_t step);
  void add_frame(std::int64_t step);
  std::int64_t expected_states(std::int64_t step) const;

  output_options wanted_;
  detail::shown_field shown_;
  std::int64_t last_, last_written_ = -1, last_frame_ = -1;
  std::unique_ptr<files_begun> files_; ///< from begin() on
};

} // namespace seam
