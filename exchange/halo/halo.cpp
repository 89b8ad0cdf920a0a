#include <seam/exchange/halo/halo.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>

namespace seam {
using namespace detail;

in_flight Halo::start() {
  check_fields();
  return exchange_.start();
}

void Halo::check_fields() const {
  require_running("halo", "run");
  for (exchanged_array const& field : fields_)
    if (field.data_now() != field.data)
      refuse("halo: " + field.moved);
}

Halo make_halo(char const* call, Communicator const& over, std::span<plan const> rounds,
               halo_fields const& fields, gating gates) {
  call_scope const here(call, *over.calls());
  auto arrays = collectively(over.context(), fields);
  operation exchange = make_exchange(over, rounds, arrays, gates);
  std::string name = "the halo of ";
  for (exchanged_array const& array : arrays)
    name += (&array == arrays.data() ? "" : ", ") + array.name;
  exchange.rename(lasting_name(name));
  return Halo(std::move(exchange), std::move(arrays));
}

} // namespace seam
