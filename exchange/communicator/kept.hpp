/// Values that the floors above keep with a communicator: one of each type.
///
///     recent_plans& plans = kept<recent_plans>(over);
///
/// They end before the communicator does.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <memory>

namespace seam::detail {

/// The number of one more type of kept values. Local.
/// @throws std::logic_error  there are more than kept_values has slots for
int next_slot();

template <class Value>
inline int const slot_of = next_slot();

/// The value of type Value that is kept with `over`, made by `make` when first asked for. The
/// pointer keeps it longer than the communicator, if need be.
/// Threads: one at a time for each communicator and type. Local, if `make` is.
template <class Value, class Make>
std::shared_ptr<Value> kept_pointer(Communicator const& over, Make const& make) {
  auto& slot = over.kept_in(slot_of<Value>);
  if (slot == nullptr)
    slot = make();
  return std::static_pointer_cast<Value>(slot);
}

/// As above, by reference.
template <class Value, class Make>
Value& kept(Communicator const& over, Make const& make) {
  auto& slot = over.kept_in(slot_of<Value>);
  if (slot == nullptr)
    slot = std::make_shared<Value>(make());
  return *static_cast<Value*>(slot.get());
}

/// As above, made by its default constructor.
template <class Value>
Value& kept(Communicator const& over) {
  auto& slot = over.kept_in(slot_of<Value>);
  if (slot == nullptr)
    slot = std::make_shared<Value>();
  return *static_cast<Value*>(slot.get());
}

} // namespace seam::detail
