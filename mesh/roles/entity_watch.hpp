/// Entity watches: they compare what a kernel on a mesh reads and writes with what it declares. A kernel
/// is called with them when steps are planned, and in checked mode at each place that it computes.
#pragma once

#include <seam/exchange/steps/program/not_finite.hpp>
#include <seam/exchange/steps/program/step_space.hpp>
#include <seam/mesh/entities/mesh.hpp>

#include <cmath>
#include <concepts>
#include <memory>
#include <string>
#include <vector>

namespace seam::detail {

using step_fields = std::vector<std::shared_ptr<step_field>>;

/// The first number of a value that is not finite; 0 if there is none, or if it has other numbers.
template <class T>
double not_finite_in(T const& value) {
  if constexpr (std::floating_point<T>)
    return std::isfinite(value) ? 0 : static_cast<double>(value);
  else if constexpr (requires {
                       T::size();
                       value.values;
                     })
    for (double const number : value.values)
      if (!std::isfinite(number))
        return number;
  return 0;
}

/// Notes the accesses of one kernel.
class entity_watch {
public:
  /// @param fields  [accesses of the kernel] outlive this, as the others do
  /// @param call    of a tile; null: a trial, in which nothing is written
  entity_watch(Mesh const& mesh, step_kernel const& kernel, step_fields const& fields,
               step_call const* call);

  /// Begins a call at a place.
  void begin(int dimension, local_id place);

  /// A read or an addition at the k-th of `count` entities around the place; at the place itself.
  /// @throws usage_error  there is no such entity or component, or the field does not lie there
  void note_around(int access, int component, int num_components, int k, int count);
  void note_own(int access, int component, int num_components);

  /// A read of a number that is the place's own; of the k-th of `count` entries of its list.
  /// @throws usage_error  there is none
  void note_own_number(bool is_there) const;
  void note_number(int k, int count) const;

  /// A write at the place. True if the value is to be written.
  bool note_write(int access, int component, int num_components);
  bool is_probe() const noexcept { return call_ == nullptr; }

  /// What has been read, and what is written: of each the first number that is not finite, or 0.
  void note_read_value(double not_finite) { reads_finite_ = reads_finite_ && not_finite == 0; }
  void note_made_value(int access, int component, double not_finite);

  /// Checks at the end of a call that all values have been written, and notes those that are not
  /// finite though all that the kernel has read was.
  /// @throws usage_error  one has not been written
  void end() const;

private:
  void check_component(char const* does, int access, int component, int num_components) const;
  std::string place_in_words() const;

  Mesh const& mesh_;
  step_kernel const& kernel_;
  step_fields const& fields_;
  step_call const* call_;
  int dimension_ = 0;
  local_id place_ = 0;
  bool reads_finite_ = true;
  not_finite_value made_;                   ///< by this call of the kernel
  std::vector<std::vector<bool>>& written_; ///< [accesses][components] once some are; the thread's
};

/// What views of kernels know of a watch: nothing, or which argument of which kernel they are.
struct unwatched_entity {
  static constexpr bool is_on = false;
};
struct watched_entity {
  static constexpr bool is_on = true;
  entity_watch* watch = nullptr;
  int access = 0, num_components = 1, component = 0;
};

} // namespace seam::detail
