#include <seam/exchange/partitioned/arrivals.hpp>
#include <seam/exchange/partitioned/lane.hpp>
#include <seam/exchange/transport/node/looks.hpp>

namespace seam::detail {
namespace {

class shared_arrivals final : public arrivals {
public:
  explicit shared_arrivals(met_channel const& channel)
      : context_(channel.context),
        lane_(channel.met.other()->lane, channel.met.other()->partitions, channel.wire,
              channel.arrived) {}

  void start() override { lane_.start(); }
  void take(int partition) override { lane_.take(partition); }

  bool take_all() override {
    bool const complete = lane_.take_all();
    if (!complete)
      looks_.add(context_);
    return complete;
  }

  void prepare() override { lane_.prepare(); }

private:
  mpi::comm_view context_;
  receiving_lane lane_;
  vain_looks looks_;
};

} // namespace

std::unique_ptr<arrivals> make_shared_arrivals(met_channel const& channel) {
  return std::make_unique<shared_arrivals>(channel);
}

} // namespace seam::detail
