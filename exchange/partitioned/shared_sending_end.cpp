#include <seam/exchange/partitioned/channel.hpp>
#include <seam/exchange/partitioned/lane.hpp>
#include <seam/exchange/partitioned/meeting.hpp>
#include <seam/exchange/transport/node/looks.hpp>

#include <mutex>

namespace seam::detail {
namespace {

/// The sender's end of a channel inside a node.
class shared_sending_end final : public part {
public:
  shared_sending_end(Communicator const& over, channel_end const& end)
      : name_(end.name),
        alike_(end.alike),
        context_(over.context()),
        lane_(over, end),
        channel_(draw_channel(over, end.name.c_str(), end.peer, 0)),
        meeting_(over, end.peer, end.tag, channel_.tags,
                 {.bytes = lane_.wire().bytes(),
                  .partitions = lane_.wire().partitions(),
                  .lane = lane_.shown()}) {}

  ~shared_sending_end() override {
    if (!has_met_)
      keep_for_ever(context_, std::move(channel_));
  }

  int num_leaving() const override { return lane_.wire().partitions(); }

  void start() override {
    std::scoped_lock const alone(progress_.mutex());
    lane_.start();
    progress_.begin();
  }

  int ready(int first, int last) override { return lane_.mark(first, last); }

  bool test() override {
    return progress_.test([this] {
      bool const done = meet() && lane_.have_left();
      if (!done)
        looks_.add(context_);
      return done;
    });
  }

  bool make_progress() override { return !test(); }

  bool have_met() override {
    std::scoped_lock const alone(progress_.mutex());
    return meet();
  }

  bool prepare() override {
    std::scoped_lock const alone(progress_.mutex());
    return meet() && lane_.is_prepared();
  }

  std::vector<int> not_ready() const override { return lane_.not_marked(); }

private:
  bool meet() {
    if (has_met_)
      return true;
    if (!meeting_.test())
      return false;
    meeting_.check_match(name_, alike_);
    has_met_ = true;
    return true;
  }

  std::string name_;
  bool alike_;
  mpi::comm_view context_;
  sending_lane lane_;
  drawn_channel channel_;
  meeting meeting_;
  bool has_met_ = false; ///< and both ends fit together
  vain_looks looks_;
  epoch_progress progress_;
};

} // namespace

std::unique_ptr<part> make_shared_sending_end(Communicator const& over, channel_end const& end) {
  return std::make_unique<shared_sending_end>(over, end);
}

} // namespace seam::detail
