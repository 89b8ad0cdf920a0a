#include <seam/exchange/partitioned/pipelines.hpp>

#include <seam/exchange/engine.hpp>
#include <seam/exchange/explanations.hpp>
#include <seam/exchange/partitioned/marks.hpp>
#include <seam/exchange/transport/choice.hpp>
#include <seam/exchange/transport/message/message.hpp>

#include <array>
#include <mutex>

namespace seam {
namespace {

/// The round in which a process adds its own values ends after these are ready.
void hold_first_round(schedule& plan) {
  plan.num_gates = 1;
  plan.gates.push_back(0);
  int const last = static_cast<int>(plan.gates.size());
  plan.copies.insert(
      plan.copies.begin(),
      copy_step{.round = 0, .gates = {last - 1, last}, .sources = {}, .targets = {}});
}

class pipelines final : public part {
public:
  pipelines(Communicator const& over, pipeline_plan plan, int first_tag, int num_tags)
      : partitions2pieces_(std::move(plan.partitions2pieces)),
        has_result_(plan.has_result),
        has_values_(plan.has_values),
        ready_(static_cast<int>(partitions2pieces_.size()) - 1) {
    std::array<schedule, 2> sent; // in messages, and by the memory of the node where that reaches
    for (schedule& piece : plan.pieces) {
      hold_first_round(piece);
      piece.keeps.push_back(over.keep_alive());
      auto const by_messages = [context = over.context(), first_tag](schedule const& steps,
                                                                     std::byte* staging) {
        return make_message_transport(context, first_tag, steps, staging);
      };
      auto const carrier = choose_transport(over, piece, by_messages);
      auto& like_it = sent[carrier.has_memory ? 1 : 0].sends;
      if (explanations_are_on())
        like_it.insert(like_it.end(), piece.sends.begin(), piece.sends.end());
      pieces_.push_back(std::make_unique<engine>(std::move(piece), carrier.make));
      first_tag += num_tags;
    }
    for (int const has_memory : {0, 1})
      if (!sent[has_memory].sends.empty())
        explain_schedule(over, "partitioned reduction", sent[has_memory], has_memory != 0);
  }

  int num_leaving() const override { return has_values_ ? ready_.size() : 0; }
  int num_arriving() const override { return has_result_ ? ready_.size() : 0; }

  void start() override {
    std::scoped_lock const alone(starting_);
    ready_.clear();
    for (auto const& piece : pieces_)
      if (has_values_)
        piece->start_gated();
      else
        piece->start();
  }

  int ready(int first, int last) override {
    if (int const twice = ready_.set(first, last); twice >= 0)
      return twice;
    for_each_piece(first, last, [](engine& piece) { piece.open(0); });
    return -1;
  }

  bool has_arrived(int partition) override {
    bool complete = true;
    for_each_piece(partition, partition + 1,
                   [&](engine& piece) { complete = piece.test() && complete; });
    return complete;
  }

  bool test() override { return has_arrived_all(); }

  bool attend() override {
    std::unique_lock const alone(starting_, std::try_to_lock);
    return !alone.owns_lock() || !has_arrived_all();
  }

  std::vector<int> not_ready() const override {
    return has_values_ ? ready_.unset() : std::vector<int>();
  }

  std::vector<int> not_arrived() const override {
    std::vector<int> partitions;
    for (int p = 0; has_result_ && p < ready_.size(); ++p) {
      bool active = false;
      for_each_piece(p, p + 1, [&](engine const& piece) { active = piece.is_active() || active; });
      if (active)
        partitions.push_back(p);
    }
    return partitions;
  }

private:
  template <class Visit>
  void for_each_piece(int first, int last, Visit visit) const {
    for (int k = begin_of(first); k < begin_of(last); ++k)
      visit(*pieces_[static_cast<std::size_t>(k)]);
  }

  int begin_of(int partition) const {
    return partitions2pieces_[static_cast<std::size_t>(partition)];
  }

  bool has_arrived_all() {
    bool complete = true;
    for (auto const& piece : pieces_)
      complete = piece->test() && complete;
    return complete;
  }

  std::vector<std::unique_ptr<engine>> pieces_;
  std::vector<int> partitions2pieces_;
  bool has_result_, has_values_;
  marks ready_;
  std::mutex starting_; ///< nobody attends to pieces that are being started
};

/// Tells those that send here that this process has started, and waits for those that it sends to.
class readiness final : public part {
public:
  readiness(Communicator const& over, schedule steps, int first_tag) {
    steps.keeps.push_back(over.keep_alive());
    tokens_ =
        std::make_unique<engine>(std::move(steps), [&](schedule const& plan, std::byte* staging) {
          return make_message_transport(over.context(), first_tag, plan, staging);
        });
  }

  void start() override {}
  bool test() override { return true; }

  bool prepare() override {
    if (!std::exchange(has_told_, true))
      tokens_->start();
    bool const done = tokens_->test();
    has_told_ = !done;
    return done;
  }

private:
  std::unique_ptr<engine> tokens_;
  bool has_told_ = false;
};

} // namespace

std::unique_ptr<part> make_readiness(Communicator const& over, schedule tokens, int first_tag) {
  return std::make_unique<readiness>(over, std::move(tokens), first_tag);
}

std::unique_ptr<part> make_pipelines(Communicator const& over, pipeline_plan plan, int first_tag,
                                     int num_tags) {
  return std::make_unique<pipelines>(over, std::move(plan), first_tag, num_tags);
}

} // namespace seam
