/// Step machines: plan and run step programs, whatever their kernels.
#pragma once

#include <seam/exchange/steps/program/step_kernel.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace seam::detail {

class fusion_choice;
class planned_runs;
class step_conditions;
class step_dataflow;
class step_observer;
struct needed_buffers;
struct step_program;
class step_storage;

/// The steps that are fused where the program leaves it to measurement.
inline constexpr int fused_by_measurement = 0;

/// How steps are run. The same on all ranks.
struct step_settings {
  char const* name = "steps";   ///< in reports of stalls; lives as long as the program
  int fused_steps = 1;          ///< between messages; 1: none, or fused_by_measurement
  std::int64_t tile_extent = 0; ///< of tiles of fused steps across all but the last axis; 0: chosen
  int parts_in_order = 0;       ///< of blocks, for kernels in order along a divided axis; 0: chosen
};

class step_machine {
public:
  explicit step_machine(shared_step_space space);
  step_machine(step_machine const&) = delete;
  step_machine& operator=(step_machine const&) = delete;
  ~step_machine();

  /// The number of a field, or of a value, in the program, to which it is added if it is new.
  int number_of(std::shared_ptr<step_field> const& field);
  int number_of(std::shared_ptr<step_value> const& value);

  /// Adds a kernel, without a plan. Its address stays.
  step_kernel& add(step_kernel kernel);

  /// Adds the exchange of two fields, given by their numbers.
  void add_swap(int first, int second);

  /// The value that conditions on borders get as the time.
  void use_time(std::shared_ptr<step_value> time);

  /// The conditions that a kernel has for a field's values beyond the ends of the space, in place of the
  /// field's: a null pointer that becomes the caller's, if it has had none.
  /// @throws usage_error  the kernel does not read the field
  std::shared_ptr<step_conditions>& conditions_of(step_kernel& kernel,
                                                  std::shared_ptr<step_field> const& field);

  step_program& program() noexcept { return *program_; }
  step_settings& settings() noexcept { return settings_; }

  /// Sets how many steps are fused, or fused_by_measurement; a plan that differs is made anew.
  void fuse(int steps);

  /// Checks the program, calls its kernels on recorders, and widens fields.
  /// @throws usage_error  of the checks, on all ranks
  /// Collective: over the space.
  void plan();

  /// Runs `count` steps.
  /// Collective: over the space, if a plan is missing; else local to the neighborhood.
  void run(std::int64_t count);

  /// Runs steps until a value fulfills a condition, or `most` of all steps are done. Looks at the value
  /// where the number of these is a multiple of `every`.
  /// @return  true if it has ended by the condition
  /// Collective: as run().
  bool run_until(step_value const& value, std::function<bool()> const& holds, std::int64_t every,
                 std::int64_t most);

  std::int64_t num_steps() const noexcept { return done_; }
  /// @throws usage_error  a negative number of steps
  void continue_at(std::int64_t num_steps);

  /// The plan in words.
  /// Collective: over the space.
  std::string explain();

private:
  std::string in_words() const;
  void explain_plan();
  step_dataflow planned_flow() const;
  void check_inputs();
  void choose_depths(needed_buffers const& buffers);
  void decide_fusion();
  void run_chain(std::int64_t count, std::exception_ptr& failure);

  shared_step_space space_;
  std::unique_ptr<step_program> program_;
  step_settings settings_;
  bool is_planned_ = false;
  bool inputs_are_checked_ = false; ///< of the present plan
  bool is_watched_ = false;         ///< some kernel has watches
  std::int64_t done_ = 0;
  std::int64_t series_ = 0; ///< calls of run()
  std::string unread_;
  std::unique_ptr<fusion_choice> fusion_;
  std::string refused_depths_; ///< and why

  std::unique_ptr<step_storage> storage_;
  std::unique_ptr<planned_runs> runs_;
  std::unique_ptr<step_observer> observer_; ///< or null
};

} // namespace seam::detail
