/// Step dataflow: which version of which array each kernel of some steps reads and writes, where it
/// computes, and which values have to come from other ranks.
///
///     kernel, step     instance        reads versions, writes a new version of an array
///     version, readers supply          the values that instances read of one version: those that
///                                      this rank computes, or, if exchanged, ghosts of a message
///     supply           fill            the ghosts beyond borders among them, by some conditions
///     pass             one instance of several of a kernel in a step: of a color, or of the blocks
///                      whose turn it is (see step_space.hpp)
///     moment           supplies that travel together, in one message for each neighbor
///     copies           those that are still current: a supply brings only what owners have changed
///                      since readers of the same have got it
///
/// Segments: a kernel reads values of other ranks from a message, or, within a segment of several
/// steps, computes them itself: the regions of its kernels are then larger than its block, and only
/// the first of them need messages. Everything here is a function of the program and of a rank, so
/// that both ends of a message know what it holds.
#pragma once

#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/exchange/steps/program/step_space.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace seam::detail {

/// The buffers of a program's fields, numbered: for each field its levels, the newest first, and
/// spare ones.
using buffer_order = std::vector<std::vector<int>>;

/// Memory of an array, and the field that describes its layout.
struct step_array {
  int field;
  std::shared_ptr<std::byte> memory;
};

/// One call of a kernel for the whole grid, or of one of its passes.
struct step_instance {
  int kernel;
  std::int64_t step;
  int pass;
  int segment;
  std::vector<int> reads, writes; ///< [accesses] arrays, -1: none
};

/// Which of an argument's values a read is about.
enum class values_read {
  all,
  at_place,   ///< those that the kernel leaves as they are
  inside,     ///< those in the domain along the axis of the kernel's order
  beyond,     ///< those beyond its borders
  for_borders ///< of another field: those that conditions read to fill the argument's ghosts
};

/// A read of one version.
struct supply_reader {
  int instance, access;
  values_read part;
  int field; ///< as which the array is read
};

/// What has happened to the copies of an array, the same on all ranks.
struct copy_event {
  std::string brought{};     ///< key of the supply whose readers have got theirs; empty: a change
  int kernel = -1, pass = 0; ///< that has changed some values
};

/// The copies of arrays since their owners have changed all values. [arrays]
using copy_histories = std::map<int, std::vector<copy_event>>;

/// A supply that may travel, or a change of values, of all unless a pass of a kernel is named.
struct array_event {
  int array, supply = -1, kernel = -1, pass = 0;
};

/// Values of one version of an array that instances read.
struct step_supply {
  int array;
  int writer; ///< instance; -1: before the first
  bool is_exchanged;
  std::vector<supply_reader> readers;
  std::string key{};               ///< of what its readers need, as far as ranks differ in it
  bool was_there = false;          ///< its readers once had all that they need,
  std::vector<copy_event> since{}; ///< and this has happened since, or else; empty without changes
  int first_reader() const { return readers.front().instance; }
  bool is_current() const { return was_there && since.empty(); }
};

/// The version of a field that conditions on another one's borders read.
struct read_beside {
  int field, array;
};

/// Ghosts beyond borders that are filled at one time for some of a supply's readers, by the same
/// conditions: of the field as which they read the array, or of their kernel's own.
struct step_fill {
  int supply;
  int field, borders;              ///< borders: of the kernel's own, or -1
  std::vector<read_beside> beside; ///< what the conditions read,
  std::vector<int> values;         ///< and values, by their numbers in the program
  std::vector<supply_reader> readers;
  int first_reader() const { return readers.front().instance; }
};

/// Supplies whose values travel together, before an instance.
struct step_moment {
  int before; ///< instance
  std::vector<int> supplies;
  std::string key; ///< equal keys stand for equal messages, on all ranks
};

/// Which steps a dataflow describes.
struct step_range {
  std::int64_t first = 0, count = 1;
  int steps_of_segment = 0;    ///< 0: messages for each kernel that needs them
  std::int64_t end_of_run = 0; ///< the step before which the caller looks at values; 0: after each
};

class step_dataflow {
public:
  /// @param order  buffers before the first step; replaced by those after the last
  /// @param layouts [arrays] number of a field of each array's layout
  /// @param copies  before the first step, as copies() of the steps before
  step_dataflow(step_program const& program, std::vector<int> const& layouts, buffer_order& order,
                step_range const& steps, copy_histories copies = {});

  step_range const& steps() const noexcept { return steps_; }
  std::vector<step_instance> const& instances() const noexcept { return instances_; }
  std::vector<step_supply> const& supplies() const noexcept { return supplies_; }
  std::vector<step_fill> const& fills() const noexcept { return fills_; }
  std::vector<step_moment> const& moments() const noexcept { return moments_; }

  /// What is known of copies after the last step. Arrays that are changed as a whole are left out.
  copy_histories const& copies() const noexcept { return copies_; }
  step_kernel const& kernel_of(int instance) const {
    return program_.kernels[instances_[instance].kernel];
  }

  /// The regions that `rank` computes. [instances] Empty for kernels on values alone.
  computed_regions regions(int rank) const;

  /// What a rank reads of a component of an array, of which supplies and fills list the readers.
  step_needs needed(int rank, computed_regions const& regions, int array,
                    std::vector<supply_reader> const& readers, int component) const {
    return layout(array).needed(*this, rank, regions, readers, component);
  }

  /// Refuses values beyond the ends of a space that a rank needs, and for which there is no condition.
  /// @throws usage_error  on this rank
  void check_fills(int rank) const;

  /// True if readers need all components of an array alike.
  bool is_uniform(int array, std::vector<supply_reader> const& readers) const;

  step_field const& layout(int array) const { return *program_.fields[layouts_[array]]; }
  step_program const& program() const noexcept { return program_; }

private:
  void add_kernel(int kernel, std::int64_t step, int segment, buffer_order& order);
  std::map<int, int> moved_by(step_kernel const& kernel) const;
  void add_instance(int instance, buffer_order& order);
  void add_swap(step_statement const& statement, buffer_order& order);
  void read_beyond_borders(int first, buffer_order const& order);
  void read(int array, int instance, int access, values_read part, buffer_order const& order);
  int note_read(int array, supply_reader const& reader);
  void note_fill(int supply, supply_reader const& reader, buffer_order const& order);
  std::vector<int> fields_beside(int field, int borders) const;
  std::vector<int> values_beside(int field, int borders) const;
  void forget_fills_beside(int field);
  void forget_fills_by(int value);
  void note_written(int instance);

  step_program const& program_;
  std::vector<int> const& layouts_;
  step_range steps_;
  std::vector<step_instance> instances_;
  std::vector<step_supply> supplies_;
  std::vector<step_fill> fills_;
  std::vector<step_moment> moments_;
  std::vector<int> writers_;         ///< [arrays] instance that wrote the present version, or -1
  std::vector<int> own_, exchanged_; ///< [arrays] supplies of the present version, or -1
  std::vector<int> last_fill_;       ///< [supplies] that others may share, or -1
  std::vector<array_event> events_;
  copy_histories copies_;
};

/// Finds for each supply of a flow what is current of it, and what is known of copies after the last
/// step. The same on all ranks.
/// @param past  what is known before the first step
copy_histories find_copies(step_dataflow const& flow, std::vector<array_event> const& events,
                           std::vector<step_supply>& supplies, copy_histories past);

/// Groups the supplies of a flow that may travel: before the first instance that needs one of them, all
/// that are there. The same on all ranks.
std::vector<step_moment> moments_of(step_dataflow const& flow);

} // namespace seam::detail
