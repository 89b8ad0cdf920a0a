#include <seam/exchange/partitioned/reduction_pieces.hpp>

#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/engine/engine.hpp>
#include <seam/exchange/partitioned/marks.hpp>
#include <seam/exchange/transport/choice.hpp>
#include <seam/exchange/transport/message/message.hpp>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace seam::detail {
namespace {

/// Makes the round in which a process adds its own values end after these are ready.
void hold_first_round(schedule& plan) {
  plan.num_gates = 1;
  plan.gates.push_back(0);
  int const last = static_cast<int>(plan.gates.size());
  plan.copies.insert(
      plan.copies.begin(),
      copy_step{.round = 0, .gates = {last - 1, last}, .sources = {}, .targets = {}});
}

/// Makes the transport of a piece by messages. It keeps the context of the messages alive.
transport_maker carried_by_messages(reduction_tags const& tags) {
  return [tags](schedule const& steps, std::byte* staging) {
    return make_message_transport(*tags.context, tags.first, steps, staging);
  };
}

class pipelines final : public part {
public:
  /// @param carriers  [pieces]
  pipelines(pipeline_plan plan, std::span<transport_choice const> carriers)
      : partitions2pieces_(std::move(plan.partitions2pieces)),
        has_result_(plan.has_result),
        has_values_(plan.has_values),
        ready_(static_cast<int>(partitions2pieces_.size()) - 1) {
    for (int k = 0; k < std::ssize(plan.pieces); ++k)
      pieces_.push_back(std::make_unique<engine>(std::move(plan.pieces[k]), carriers[k].make));
  }

  int num_leaving() const override { return has_values_ ? ready_.size() : 0; }
  int num_arriving() const override { return has_result_ ? ready_.size() : 0; }

  void start() override {
    ready_.clear();
    for (auto const& piece : pieces_)
      if (has_values_)
        piece->start_gated();
      else
        piece->start();
  }

  int ready(int first, int last) override {
    if (int const repeated = ready_.set(first, last); repeated >= 0)
      return repeated;
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

  bool make_progress() override { return !has_arrived_all(); }

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
      visit(*pieces_[k]);
  }

  int begin_of(int partition) const { return partitions2pieces_[partition]; }

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
};

/// Tells the processes that send here that this process has started, and waits for those that it
/// sends to.
class readiness final : public part {
public:
  readiness(Communicator const& over, schedule steps, reduction_tags const& tags) {
    steps.keeps.push_back(over.keep_alive());
    steps.keeps.push_back(tags.context);
    tokens_ = std::make_unique<engine>(std::move(steps), carried_by_messages(tags));
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

/// Explains the messages of all pieces as one exchange.
void explain_pieces(Communicator const& over, std::span<schedule const> pieces,
                    std::span<transport_choice const> chosen) {
  schedule all;
  std::vector<std::string_view> carriers; // [all.sends]
  for (int k = 0; k < std::ssize(pieces); ++k) {
    all.sends.insert(all.sends.end(), pieces[k].sends.begin(), pieces[k].sends.end());
    carriers.insert(carriers.end(), chosen[k].carriers.begin(), chosen[k].carriers.end());
  }
  if (!all.sends.empty())
    explain_schedule(over.context(), "partitioned reduction", all, carriers);
}

} // namespace

std::unique_ptr<part> make_readiness(Communicator const& over, schedule tokens,
                                     reduction_tags const& tags) {
  return std::make_unique<readiness>(over, std::move(tokens), tags);
}

std::vector<std::unique_ptr<part>> make_pipelines(Communicator const& over,
                                                  std::vector<pipeline_plan> plans) {
  std::vector<schedule> all;
  std::vector<transport_maker> by_messages;
  for (pipeline_plan& plan : plans)
    for (int k = 0; k < std::ssize(plan.pieces); ++k) {
      schedule& piece = all.emplace_back(std::move(plan.pieces[k]));
      hold_first_round(piece);
      piece.keeps.push_back(over.keep_alive());
      piece.keeps.push_back(plan.tags[k].context);
      by_messages.push_back(carried_by_messages(plan.tags[k]));
    }
  auto const carriers = choose_transports(over, all, by_messages);
  if (explanations_are_on())
    explain_pieces(over, all, carriers);
  std::vector<std::unique_ptr<part>> made;
  for (std::ptrdiff_t first = 0; pipeline_plan & plan : plans) {
    std::ranges::move(std::span(all).subspan(first, plan.pieces.size()), plan.pieces.begin());
    std::span const own = std::span(carriers).subspan(first, plan.pieces.size());
    first += std::ssize(own);
    made.push_back(std::make_unique<pipelines>(std::move(plan), own));
  }
  return made;
}

} // namespace seam::detail
