#include <seam/exchange/mpi/message.hpp>
#include <seam/exchange/partitioned/arrivals.hpp>
#include <seam/exchange/partitioned/lane.hpp>

namespace seam {
namespace {

class shared_arrivals final : public arrivals {
public:
  explicit shared_arrivals(met_channel const& of)
      : context_(of.context),
        lane_(of.met.other()->lane, of.met.other()->partitions, of.wire, of.arrived) {}

  void start() override { lane_.start(); }
  void take(int partition) override { lane_.take(partition); }

  bool take_all() override {
    bool const complete = lane_.take_all();
    if (!complete && ++looks_ % looks_between_progress == 0)
      mpi::make_progress(context_);
    return complete;
  }

  void prepare() override { lane_.prepare(); }

private:
  mpi::comm_view context_;
  receiving_lane lane_;
  int looks_ = 0; ///< that did not find everything
};

} // namespace

std::unique_ptr<arrivals> make_shared_arrivals(met_channel const& of) {
  return std::make_unique<shared_arrivals>(of);
}

} // namespace seam
