/// Step recorders: note what a kernel reads and writes, and compare it with what it declares.
///
/// A kernel is called on a recorder when steps are planned, with made-up values, and in checked
/// mode for each cell that it computes.
#pragma once

#include <seam/stencil/detail/step_program.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace seam::detail {

template <int D>
class step_recorder {
public:
  /// @param names  of the fields of the kernel's arguments
  step_recorder(std::string kernel, std::vector<step_access<D>> accesses,
                std::vector<std::string> names)
      : kernel_(std::move(kernel)), accesses_(std::move(accesses)), names_(std::move(names)) {
    read_.resize(accesses_.size());
    written_.resize(accesses_.size());
  }

  /// Notes a read at an offset.
  /// @throws usage_error  it has not been declared: the line names kernel, field and offset
  void note_read(int access, int component, cell_index<D> const& offset);

  /// Notes a write of a component, at an offset if the role is adds.
  /// @throws usage_error  it has not been declared
  void note_write(int access, int component, cell_index<D> const& offset);

  /// True if the kernel has written all components of an argument since begin_cell().
  void begin_cell();
  void require_written(cell_index<D> const& place) const;

  /// The declared offsets that have never been read, in words; empty if there are none.
  std::string unread() const;

  /// The value that reads give instead of a field's; 0: the field's.
  int sample = 0;
  bool is_probe = false;

private:
  std::string kernel_;
  std::vector<step_access<D>> accesses_;
  std::vector<std::string> names_;
  std::vector<std::set<std::pair<int, cell_index<D>>>> read_;
  std::vector<std::set<int>> written_;
};

} // namespace seam::detail
