/// Step recorders: note what a kernel reads and writes, and compare it with what it declares.
///
/// A kernel is called on a recorder when steps are planned, with made-up values, and in checked
/// mode for each cell that it computes.
#pragma once

#include <seam/exchange/steps/program/step_kernel.hpp>

#include <string>
#include <utility>
#include <vector>

namespace seam::detail {

struct step_program;

class step_recorder {
public:
  /// @param names        of the fields of the kernel's arguments
  /// @param overwritten  for each argument the one whose writes change what it reads, or -1
  /// @param num_axes     of their grids
  step_recorder(std::string kernel, std::vector<step_access> accesses,
                std::vector<std::string> names, std::vector<int> overwritten, int num_axes);
  step_recorder(step_recorder const&);
  step_recorder& operator=(step_recorder const&) = delete;
  ~step_recorder();

  /// Notes a read at an offset.
  /// @throws usage_error  it has not been declared, or its value is no more the old one: the line names
  ///                      kernel, field and offset
  void note_read(int access, int component, index3 const& offset);

  /// Notes a write of a component, at an offset if the role is adds.
  /// @throws usage_error  it has not been declared
  void note_write(int access, int component, index3 const& offset);

  /// True if the kernel has written all components of an argument since begin_cell().
  void begin_cell();
  void require_written(index3 const& place) const;

  /// The declared offsets that have never been read, in words; empty if there are none.
  std::string unread() const;

  /// The value that reads give instead of a field's; 0: the field's.
  int sample = 0;
  bool is_probe = false;

private:
  std::string in_words(index3 const& at) const;
  std::string in_words(std::vector<index3> const& offsets) const;

  std::string kernel_;
  std::vector<step_access> accesses_;
  std::vector<std::string> names_;
  std::vector<int> overwritten_;
  int num_axes_;
  std::vector<std::vector<std::pair<int, index3>>> read_; ///< once each
  std::vector<std::vector<int>> written_;
};

/// Calls each kernel on a recorder, and gives kernels one for each worker in checked mode.
/// @return  the declared offsets that kernels have not read, in words
/// @throws usage_error  a kernel reads or writes what it does not declare
/// Local.
std::string probe_kernels(step_program& program, int num_workers);

} // namespace seam::detail
