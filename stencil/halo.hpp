/// Halos: fields whose ghosts are brought up to date together, in the same messages.
///
///     auto halo = make_halo(u, v);        // owner -> ghost
///     halo.run();                         // or: auto flying = halo.start(); ... flying.wait();
///     auto back = make_reverse_halo(reduction::sum, f);   // ghost -> owner, adding up
#pragma once

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/engine/operation.hpp>
#include <seam/stencil/field.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace seam {

namespace detail {

/// The arrays of fields that take part in one exchange.
/// @throws usage_error  as Field::exchanged(), on all ranks
/// Collective: over the first field's grid.
template <class Field, class... More>
std::vector<exchanged_array> exchanged_together(reduction how, Field const& first,
                                                More const&... more) {
  return collectively(first.grid().base().context(), [&] {
    return std::vector<exchanged_array>{first.exchanged(how), more.exchanged(how)...};
  });
}

} // namespace detail

/// A persistent exchange of the ghosts of some fields of one grid. Made by make_halo and
/// make_reverse_halo; keeps the fields' memory alive. It leaves ghosts beyond the domain's borders
/// as they are (see Field::fill_borders).
/// Threads: one thread per halo at a time.
class Halo {
public:
  /// Starts the exchange; the fields may be read but not written until it is waited for.
  /// @throws usage_error  a field has got other storage since the halo was made (an Iterate loop
  ///         swaps the storage of its two fields)
  /// Local; complete when the neighbors have started theirs.
  in_flight start() {
    require_running("halo", "run");
    check_storage();
    return exchange_.start();
  }

  /// Starts and waits.
  void run() { start().wait(); }

  /// Messages and bytes that one run sends from this rank.
  int num_messages() const noexcept { return exchange_.num_messages(); }
  std::int64_t num_bytes() const noexcept { return exchange_.num_bytes(); }

private:
  /// A field of the halo: its name, the address of its data when the halo was made, and the present
  /// address.
  struct member {
    std::string name;
    std::byte const* data;
    std::function<std::byte const*()> data_now;
  };

  Halo(operation exchange, std::vector<member> members)
      : exchange_(std::move(exchange)), members_(std::move(members)) {}

  void check_storage() const;

  template <int D, class... Fields>
  static Halo make(char const* call, Grid<D> const& grid, std::span<plan const> rounds,
                   reduction how, Fields&... fields) {
    call_scope const here(call, *grid.graph().calls());
    check_one_grid((true && ... && (fields.grid() == grid)));
    auto const arrays = detail::exchanged_together(how, fields...);
    std::vector<member> members{remember(fields)...};
    operation exchange = make_exchange(grid.graph(), rounds, arrays);
    exchange.rename(name_of_halo({fields.name()...}));
    return Halo(std::move(exchange), std::move(members));
  }

  static void check_one_grid(bool one_grid);
  static char const* name_of_halo(std::vector<std::string> const& fields);

  template <class T, int D>
  static member remember(Field<T, D> const& field) {
    auto const data_now = [state = field.shared()] {
      return reinterpret_cast<std::byte const*>(state->storage.data());
    };
    return {field.name(), data_now(), data_now};
  }

  template <class T, int D, class... More>
  friend Halo make_halo(Field<T, D>& first, More&... more);
  template <class T, int D, class... More>
  friend Halo make_reverse_halo(reduction how, Field<T, D>& first, More&... more);

  operation exchange_;
  std::vector<member> members_;
};

/// The exchange that gives every ghost of the fields its owner's value.
/// @param first, more  fields of one grid, of any types
/// @throws usage_error  the fields belong to different grids
/// Collective: over the grid.
/// Cost of a run: at most two messages for each axis, no allocation.
template <class T, int D, class... More>
Halo make_halo(Field<T, D>& first, More&... more) {
  return Halo::make<D>("make_halo", first.grid(), first.grid().halo_rounds(), reduction::replace,
                       first, more...);
}

/// The exchange that combines every ghost into its owner; the ghosts keep their values.
/// Contributions are combined in a fixed order.
/// @throws usage_error  the fields belong to different grids, or the type of one has no + for a
///         sum, no < for a minimum or maximum (on all ranks)
/// Collective: over the grid.
/// Cost of a run: at most one message for each side of the block, no allocation.
template <class T, int D, class... More>
Halo make_reverse_halo(reduction how, Field<T, D>& first, More&... more) {
  plan const back = first.grid().halo_plan().inverse();
  return Halo::make<D>("make_reverse_halo", first.grid(), std::span(&back, 1), how, first, more...);
}

} // namespace seam
