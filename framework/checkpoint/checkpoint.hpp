/// Checkpoints: the state of a computation in one file, from which it goes on with any number of
/// ranks.
///
///     save(runtime, "run.h5", u, v, time, value("step", step));      // writes run-0001.h5
///     ...
///     load(runtime, "run.h5", u, v, time, value("step", step));      // reads the newest that is whole
///
/// The state may be
///   - Fields of grids: owned values of all components and levels, at any centering
///   - MeshFields: values of owned entities, by the ids of these; a Mesh, which load_mesh() reads
///     (both with <seam/mesh_files.hpp>)
///   - Values of steps, and value(name, variable) of any trivially copyable variable that is the same
///     on all ranks: numbers, structs, generators of random numbers
///
/// A file holds arrays in an order that does not depend on ranks, and is the same, bit by bit, on
/// any number of them. It is HDF5: h5dump and h5py read it. Files are numbered; a new one is written
/// beside its place, flushed to the disk and renamed, and then all but the last two are removed.
/// Each MiB has a checksum, which load() verifies. All files "run-0001.h5", "run-0002.h5", ... are one
/// run: save() refuses to add to one that this program has neither begun nor loaded.
#pragma once

#include <seam/framework/checkpoint/detail/stored_array.hpp>
#include <seam/stencil/fields/field.hpp>
#include <seam/stencil/roles/step_roles.hpp>

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace seam {

/// A variable with the name that it has in checkpoints.
template <class T>
struct named_value {
  std::string name;
  T* variable;
};

/// A variable as state of a checkpoint. The same on all ranks.
/// @param variable  outlives the result
template <class T>
named_value<T> value(std::string name, T& variable) {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>,
                "checkpoints hold trivially copyable values");
  return {std::move(name), &variable};
}

/// Where checkpoints are written.
struct checkpoint_place {
  checkpoint_place(std::string its_path, int its_keep = 2)
      : path(std::move(its_path)), keep(its_keep) {}
  checkpoint_place(char const* its_path) : path(its_path) {}
  /// A std::filesystem::path, whose header not all programs need.
  template <class Path>
    requires requires(Path const& path) { path.lexically_normal().string(); }
  checkpoint_place(Path const& its_path) : path(its_path.string()) {}

  std::string path; ///< "out/run.h5" for out/run-0001.h5, out/run-0002.h5, ...
  int keep = 2;     ///< files that are kept, at least 1
};

namespace detail {

template <class T, int D>
stored_array stored(Field<T, D> const& field) {
  check_touch(field.name());
  return stored_field(field.shared(), element_format_of<T>());
}
template <class T>
stored_array stored(Value<T> const& value) {
  auto const& state = value.shared();
  stored_array made =
      stored_value(state->name, reinterpret_cast<std::byte*>(&state->now), element_format_of<T>());
  made.loaded = [state] { state->is_set = true; };
  return made;
}
template <class T>
stored_array stored(named_value<T> const& named) {
  return stored_value(named.name, reinterpret_cast<std::byte*>(named.variable),
                      element_format_of<T>());
}

template <class State>
concept one_stored_array = requires(State const& state) { stored(state); };

/// <seam/mesh_files.hpp> has overloads for meshes and their fields.
template <class State>
void append_stored(std::vector<stored_array>& to, State const& state) {
  static_assert(one_stored_array<State>,
                "checkpoints hold Field, Value, value(name, variable) and types with a function "
                "stored(); Mesh and MeshField if <seam/mesh_files.hpp> is included");
  if constexpr (one_stored_array<State>)
    to.push_back(stored(state));
}

template <class... State>
std::vector<stored_array> all_stored(State const&... state) {
  std::vector<stored_array> all;
  (append_stored(all, state), ...);
  return all;
}

/// Writes the next file of a series.
/// @param program  that has to have written a file that is read; empty: any
/// @return  the file
std::string save_checkpoint(Communicator const& over, checkpoint_place const& place,
                            std::span<stored_array const> state);
void load_checkpoint(Communicator const& over, std::string const& path, std::string const& program,
                     std::span<stored_array const> state);

/// Refuses to write into a run whose files this process has neither saved nor loaded.
/// @throws usage_error  there are such files (on all ranks)
/// Collective: over `over`.
void require_own_run(Communicator const& over, std::string const& path);

/// Locks a series on rank 0, until the result is destroyed.
/// Collective: over `over`.
std::shared_ptr<void> lock_checkpoints(Communicator const& over, std::string const& path);

} // namespace detail

/// Writes a checkpoint, and removes older ones once it is on the disk.
///
/// @param state  fields and values with distinct names. Ghosts are not written.
/// @return       the file: "run-0001.h5"
/// @throws usage_error  the file cannot be written, two states have one name, a value differs between
///         ranks, another job writes checkpoints of this name, or there are files of an earlier run,
///         which this program has not loaded; older files stay (on all ranks)
/// Collective: over `over`, all ranks of the fields.
/// Cost: each rank writes about as many bytes as it owns, through 16 MiB of memory, and waits for
/// the disk.
template <class... State>
std::string save(Communicator const& over, checkpoint_place const& place, State const&... state) {
  detail::call_scope const here("save");
  auto const all = detail::all_stored(state...);
  auto const lock = detail::lock_checkpoints(over, place.path);
  detail::require_own_run(over, place.path);
  return detail::save_checkpoint(over, place, all);
}

/// Reads the newest checkpoint whose checksums are right, and passes over damaged ones with a line
/// on stderr.
///
/// @param place  a run, "run.h5", or one file of it, "run-0001.h5"
/// @param state  of the names, types and grids of those that were saved, or some of them. Ghosts keep
///               their values, but for copies of mesh fields.
/// @throws usage_error  there is no file, or none that is whole; the newest has no such state: other
///         cells, another periodicity, type or mesh; its format is newer. Fields may hold any values
///         after a damaged file (on all ranks).
/// Collective: over `over`, all ranks of the fields.
template <class... State>
void load(Communicator const& over, checkpoint_place const& place, State&&... state) {
  detail::call_scope const here("load");
  auto const all = detail::all_stored(state...);
  detail::load_checkpoint(over, place.path, "", all);
}

} // namespace seam
