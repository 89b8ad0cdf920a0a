#include <seam/framework/files/steps_file.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/files/hdf5_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <system_error>
#include <utility>

namespace seam::detail {
namespace {

/// Throws, on all ranks, what `act` throws on all, with the file's name.
template <class Act>
void with_path(std::string const& path, Act const& act) {
  try {
    act();
  } catch (std::exception const& problem) {
    throw usage_error(
        fmt::format("vtkhdf: cannot write '{}': {} [{}]", path, problem.what(), where()), true);
  }
}

/// The group of a name such as "PointDataOffsets/u"; empty if it has none.
std::string group_of(std::string const& name) {
  auto const slash = name.find('/');
  return slash == name.npos ? "" : name.substr(0, slash);
}

/// The members of "Steps" that stay as they are when steps are added: arrays and groups of them.
std::vector<std::string> constant_members(std::span<step_numbers const> numbers) {
  std::vector<std::string> names;
  for (step_numbers const& array : numbers) {
    auto const group = group_of(array.name);
    auto const& name = group.empty() ? array.name : group;
    if (std::ranges::find(names, name) == names.end())
      names.push_back(name);
  }
  return names;
}

/// Creates the group "Steps" with all that stays as it is.
void create_steps(hdf5_id top, std::span<step_numbers const> numbers, std::int64_t num_places) {
  hdf5_object const steps = create_group(top, "Steps");
  for (std::string const& name : constant_members(numbers))
    if (std::ranges::find(numbers, name, &step_numbers::name) == numbers.end())
      create_group(steps, name.c_str());
  for (step_numbers const& array : numbers) {
    std::vector<std::int64_t> values;
    for (std::int64_t step = 0; step < num_places; ++step)
      values.insert(values.end(), std::max<std::int64_t>(1, array.width),
                    array.first + step * array.stride);
    put_list(steps, array.name, values, array.width);
  }
}

/// Copies `bytes` bytes between places of two files.
void copy_bytes(std::ifstream& from, std::int64_t place, std::fstream& to, std::int64_t new_place,
                std::int64_t bytes) {
  constexpr std::int64_t most = 1 << 20;
  std::vector<char> part(std::min(most, bytes));
  from.seekg(place);
  to.seekp(new_place);
  for (std::int64_t done = 0; done < bytes; done += std::ssize(part)) {
    part.resize(std::min(most, bytes - done));
    from.read(part.data(), std::ssize(part));
    to.write(part.data(), std::ssize(part));
  }
}

} // namespace

std::vector<std::int64_t> series_array::extents_of(std::int64_t num_steps) const {
  auto all = extents;
  if (has_axis)
    all.insert(all.begin(), num_steps);
  else
    all.front() *= num_steps;
  return all;
}

std::int64_t series_array::bytes_of_step() const {
  std::int64_t bytes = format.bytes;
  for (std::int64_t const length : extents)
    bytes *= length;
  return bytes;
}

steps_file::steps_file(mpi::comm_view over, std::string path, steps_layout layout,
                       std::int64_t num_places, std::optional<double> continue_at)
    : over_(over), path_(std::move(path)), layout_(std::move(layout)), num_places_(num_places) {
  if (!continue_at || !continue_before(*continue_at))
    unplaced_ = begin(num_places);
}

std::int64_t steps_file::bytes_for(std::int64_t num_places) const {
  std::int64_t of_step = 8 * (1 + std::ssize(layout_.numbers));
  for (series_array const& array : layout_.arrays)
    of_step += array.bytes_of_step();
  std::int64_t const most = std::numeric_limits<std::int64_t>::max() / 2 / of_step;
  if (num_places > most)
    throw usage_error(fmt::format("vtkhdf: '{}': {} steps of {} bytes (expected at most {} steps)",
                                  path_, num_places, of_step, most),
                      true);
  return layout_.constant_bytes + num_places * of_step;
}

std::unique_ptr<output_file> steps_file::begin(std::int64_t num_places) const {
  std::int64_t const bytes = bytes_for(num_places);
  auto made = std::make_unique<output_file>(over_, path_);
  made->reserve(bytes);
  with_path(path_, [&] {
    collectively(over_, [&] {
      if (over_.rank() == 0)
        lay_out(made->temporary(), num_places);
    });
    made->reserve(bytes);
    layout_.write_constants(made->temporary());
  });
  return made;
}

void steps_file::lay_out(std::string const& path, std::int64_t num_places) const {
  hdf5_turn const turn;
  hdf5_object file = create_file(path);
  {
    hdf5_object const top = create_compact_group(file, "VTKHDF");
    layout_.describe(top);
    for (series_array const& array : layout_.arrays)
      create_dataset(top, array.name, array.format, array.extents_of(num_places));
    create_steps(top, layout_.numbers, num_places);
  }
  file.close("H5Fclose");
}

// Nothing leads to the new group until it is on the disk.
void steps_file::publish(std::string const& path) const {
  hdf5_turn const turn;
  hdf5_object file = open_alone(path);
  {
    hdf5_object const top = open_group(file, "VTKHDF"), old = open_group(top, "Steps");
    hdf5_object const steps = create_unlinked_group(file);
    put_number(steps, "NSteps", num_steps());
    put_list(steps, "Values", times_);
    for (std::string const& name : constant_members(layout_.numbers))
      link_member(old, steps, name);
    flush_file(file);
    flush_to_disk(path);
    replace_link(top, "Steps", steps);
  }
  file.close("H5Fclose");
  flush_to_disk(path);
}

void steps_file::append(double time, writer const& write) {
  require_same(over_, "vtkhdf: time of a step", fmt::format("{}", time));
  if (!std::isfinite(time) || (!times_.empty() && !(time > times_.back())))
    throw usage_error(fmt::format("vtkhdf: time {} of a step of '{}' (expected a finite number{})",
                                  time, path_,
                                  times_.empty() ? ""
                                                 : fmt::format(" above {}, the time of the step "
                                                               "before",
                                                               times_.back())),
                      true);
  if (num_steps() == num_places_)
    move_to(2 * num_places_);
  with_path(path_, [&] { write_step(time, write); });
  if (unplaced_) {
    unplaced_->commit();
    unplaced_.reset();
  }
}

void steps_file::write_step(double time, writer const& write) {
  std::string const path = unplaced_ ? unplaced_->temporary() : path_;
  write(path, num_places_, num_steps());
  flush_to_disk(over_, path);
  times_.push_back(time);
  try {
    collectively(over_, [&] {
      if (over_.rank() == 0)
        publish(path);
    });
  } catch (...) {
    times_.pop_back();
    throw;
  }
}

void steps_file::finish() {
  if (!unplaced_ && num_steps() < num_places_)
    move_to(num_steps());
}

void steps_file::move_to(std::int64_t num_places) {
  auto const next = begin(num_places);
  with_path(path_, [&] {
    collectively(over_, [&] {
      if (over_.rank() == 0) {
        copy_steps(path_, next->temporary());
        publish(next->temporary());
      }
    });
  });
  next->commit();
  num_places_ = num_places;
}

void steps_file::copy_steps(std::string const& from, std::string const& to) const {
  hdf5_turn const turn;
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  {
    hdf5_object const old_file = open_alone(from), new_file = open_alone(to);
    for (series_array const& array : layout_.arrays)
      places.emplace_back(place_in_file(open_dataset(old_file, "/VTKHDF/" + array.name)),
                          place_in_file(open_dataset(new_file, "/VTKHDF/" + array.name)));
  }
  std::ifstream old_bytes(from, std::ios::binary);
  std::fstream new_bytes(to, std::ios::binary | std::ios::in | std::ios::out);
  for (std::size_t k = 0; k < places.size(); ++k)
    copy_bytes(old_bytes, places[k].first, new_bytes, places[k].second,
               num_steps() * layout_.arrays[k].bytes_of_step());
  if (!old_bytes || !new_bytes.flush())
    refuse("the steps before cannot be copied");
}

/// For how many steps the arrays of a file have space.
std::int64_t steps_file::places_in(hdf5_id group) const {
  std::int64_t places = 0;
  for (series_array const& array : layout_.arrays) {
    auto const found = has_member(group, array.name) ? extents_of(open_dataset(group, array.name))
                                                     : std::vector<std::int64_t>{};
    if (places == 0 && !found.empty())
      places = found.front();
    if (found != array.extents_of(places) ||
        !has_format(open_dataset(group, array.name), array.format))
      refuse(fmt::format("it has no steps of {} with {} numbers of {} bytes (expected them, to go "
                         "on with the file)",
                         array.name, fmt::join(array.extents, " x "), array.format.bytes));
  }
  return places;
}

/// Reads the times below `time` of the file that is there.
/// @return  for how many steps it has space; 0 if there is no file
std::int64_t steps_file::read_steps_before(double time) {
  hdf5_turn const turn;
  std::error_code trouble;
  if (!std::filesystem::exists(path_, trouble))
    return 0;
  hdf5_object const file = open_alone(path_), top = open_group(file, "VTKHDF");
  std::int64_t const found = places_in(top);
  for (double const other : read_list(open_dataset(top, "Steps/Values")))
    if (other < time)
      times_.push_back(other);
  return found;
}

/// True if there are steps to go on from.
/// Collective: over the file's ranks.
bool steps_file::continue_before(double time) {
  std::array<std::int64_t, 2> found{};
  with_path(path_, [&] {
    collectively(over_, [&] {
      if (over_.rank() == 0)
        found = {read_steps_before(time), std::ssize(times_)};
    });
    mpi::bcast(over_, std::span<std::int64_t>(found), 0);
    if (found[1] == 0)
      return;
    num_places_ = found[0];
    times_.resize(found[1]);
    mpi::bcast(over_, std::span<double>(times_), 0);
    collectively(over_, [&] {
      if (over_.rank() == 0)
        publish(path_);
    });
  });
  return found[1] > 0;
}

} // namespace seam::detail
