/// Halos: fields whose ghosts are brought up to date together, in the same messages. The library of
/// a grid or mesh hands over plans, which say what leaves and arrives, and its fields' arrays.
///
///     auto halo = make_halo(u, v);        // owner -> ghost
///     halo.run();                         // or: auto flying = halo.start(); ... flying.wait();
///     auto back = make_reverse_halo(reduction::sum, f);   // ghost -> owner, adding up
#pragma once

#include <seam/exchange/halo/exchange.hpp>

#include <functional>
#include <span>
#include <vector>

namespace seam {

/// A persistent exchange of the ghosts of some fields. Made by make_halo and make_reverse_halo of
/// grids and meshes; keeps the fields' memory alive. It leaves ghosts beyond the domain's borders
/// as they are (see Field::fill_borders). Threads: one thread per halo at a time.
class Halo {
public:
  /// A halo that runs `exchange`. Local.
  /// @param fields  whose addresses each start checks
  explicit Halo(operation exchange, std::vector<exchanged_array> fields = {})
      : exchange_(std::move(exchange)), fields_(std::move(fields)) {}

  /// Starts the exchange; the fields may be read but not written until it is waited for.
  /// @throws usage_error  a field has got other storage since the halo was made: an Iterate loop
  ///         swaps the storage of its two fields, a mesh has migrated
  /// Local; complete when the neighbors have started theirs. No allocation.
  in_flight start();

  /// Starts and waits.
  void run() { start().wait(); }

  /// Messages and bytes that one run sends from this rank.
  int num_messages() const noexcept { return exchange_.num_messages(); }
  std::int64_t num_bytes() const noexcept { return exchange_.num_bytes(); }

protected:
  void check_fields() const;

  operation exchange_;
  std::vector<exchanged_array> fields_;
};

/// Describes the fields of a halo, at least one, or throws a usage_error; sends nothing.
using halo_fields = std::function<std::vector<exchanged_array>()>;

/// Makes the halo of some fields along plans that are carried out one after another.
///
/// @param call    the name of the call of the user
/// @param over    the processes that the plans' ranks belong to
/// @param rounds  at least one plan; as many on all ranks
/// @throws usage_error  of `fields`, on all ranks; as make_exchange()
/// Collective: over `over`.
Halo make_halo(char const* call, Communicator const& over, std::span<plan const> rounds,
               halo_fields const& fields, gating gates = gating::together);

} // namespace seam
