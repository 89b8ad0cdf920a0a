/// Calls: what the kernel measures, made ready for one experiment.
#pragma once

#include "kernel/buffers.hpp"

#include <seam/exchange.hpp>

#include <functional>
#include <optional>

namespace guidelines {

/// A call that is ready to be repeated.
struct measured_call {
  /// Makes the call, with a loop of this many steps as work: behind a blocking call, between the
  /// start and the completion of others, and before each partition in shares.
  /// Collective: over the processes of the experiment.
  std::function<void(std::uint64_t)> run;

  /// Ends what each run leaves behind, outside of the measured time; may be empty.
  std::function<void()> after{};

  /// True if the last run has left the right result on this process.
  std::function<bool()> is_right = [] { return true; };
};

/// Makes an experiment's call, with its communicator and its buffers.
/// @param world  all processes
/// @return       nothing if the MPI library does not have the call
/// Collective: over `world`.
std::optional<measured_call> make_call(experiment const& described,
                                       seam::Communicator const& world);

/// The communicator, the buffers and the expected result of a call of the MPI library. Calls keep
/// references to it.
struct native_scene {
  seam::mpi::comm comm;
  buffers moved;
  std::vector<arrival> arrivals;
};

/// The calls of the MPI library, blocking and nonblocking.
std::function<void(std::uint64_t)> native_call(experiment const& described, native_scene& scene);

/// The persistent calls of the MPI library; nothing if it does not have them.
std::optional<std::function<void(std::uint64_t)>> persistent_call(experiment const& described,
                                                                  native_scene& scene);

/// The calls of seam in all forms, and the making of their communicators.
measured_call make_seam_call(experiment const& described, seam::Communicator const& world);
measured_call make_seam_creation(experiment const& described, seam::Communicator const& world);

} // namespace guidelines
