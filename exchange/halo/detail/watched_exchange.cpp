#include <seam/exchange/halo/detail/watched_exchange.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/activity.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace seam::detail {
namespace {

#if defined(SEAM_CHECKED) && SEAM_CHECKED
constexpr bool is_checked_build = true;
#else
constexpr bool is_checked_build = false;
#endif

/// The starts that SEAM_SKIP_EXCHANGE leaves out.
struct skipped_starts {
  static constexpr std::int64_t none = -1, all = -2;
  std::int64_t exchange = none, start = none;

  bool holds(std::int64_t its_exchange, std::int64_t its_start) const {
    return its_exchange == exchange && (start == all || start == its_start);
  }
};

bool read_number(std::string_view text, std::int64_t& number) {
  auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size() && number >= 0;
}

skipped_starts read_skipped_starts() {
  char const* const text = std::getenv("SEAM_SKIP_EXCHANGE");
  skipped_starts skipped;
  if (!is_checked_build || text == nullptr || *text == '\0')
    return skipped;
  std::string_view const all = text;
  auto const colon = std::min(all.find(':'), all.size());
  std::string_view const start = all.substr(std::min(colon + 1, all.size()));
  bool const is_read = read_number(all.substr(0, colon), skipped.exchange) &&
                       (start == "*" || read_number(start, skipped.start));
  if (!is_read)
    refuse("SEAM_SKIP_EXCHANGE '" + std::string(all) +
           "' (expected an exchange and a start, as 2:5, or all of its starts, as 2:*)");
  if (start == "*")
    skipped.start = skipped_starts::all;
  return skipped;
}

/// Carries out another activity, and tells watches what arrives.
class watched_activity final : public activity {
public:
  watched_activity(std::shared_ptr<activity> carried,
                   std::vector<std::vector<watched_elements>> edges2elements)
      : carried_(std::move(carried)),
        edges2elements_(std::move(edges2elements)),
        has_arrived_(edges2elements_.size()),
        skipped_(read_skipped_starts()),
        number_(num_made_.fetch_add(1)) {
    count_on(carried_->record(), carried_->name_of_call());
    for (auto const& edge : edges2elements_)
      for (watched_elements const& elements : edge)
        if (std::ranges::find(watches_, elements.watch) == watches_.end())
          watches_.push_back(elements.watch);
  }

  void start() override {
    if (begin())
      carried_->start();
  }
  void start_gated() override {
    if (begin())
      carried_->start_gated();
  }
  void open(int gate) override {
    if (!is_skipped_)
      carried_->open(gate);
  }

  bool test() override {
    if (is_skipped_)
      return true;
    if (!carried_->test())
      return false;
    if (is_flying_.exchange(false))
      end();
    return true;
  }

  bool arrived(int source) override {
    if (is_skipped_)
      return true;
    if (!carried_->arrived(source))
      return false;
    land(source);
    return true;
  }

  bool needs_progress() const noexcept override { return carried_->needs_progress(); }
  std::string missing() const override { return carried_->missing(); }

private:
  /// Returns false if the start is left out.
  bool begin() {
    if (is_flying_.load() && !test())
      return true; // carried_ refuses the start
    is_skipped_ = skipped_.holds(number_, num_starts_++);
    if (is_skipped_)
      return false;
    for (auto& has : has_arrived_)
      has.store(false);
    for (auto const& watch : watches_)
      watch->begin();
    for (auto const& edge : edges2elements_)
      for (watched_elements const& elements : edge)
        if (!elements.are_combined)
          elements.watch->expect(elements.where);
    is_flying_ = true;
    return true;
  }

  void land(int source) {
    if (source >= std::ssize(has_arrived_) || has_arrived_[source].exchange(true))
      return;
    for (watched_elements const& elements : edges2elements_[source])
      if (!elements.are_combined)
        elements.watch->arrive(elements.where);
  }

  void end() {
    for (int e = 0; e < std::ssize(edges2elements_); ++e)
      land(e);
    for (auto const& edge : edges2elements_)
      for (watched_elements const& elements : edge)
        if (elements.are_combined)
          elements.watch->arrive(elements.where);
    for (auto const& watch : watches_)
      watch->end();
  }

  static inline std::atomic<std::int64_t> num_made_{0};

  std::shared_ptr<activity> carried_;
  std::vector<std::vector<watched_elements>> edges2elements_;
  std::vector<std::shared_ptr<array_watch>> watches_; ///< each once
  std::vector<std::atomic<bool>> has_arrived_;        ///< [edges] since the start
  skipped_starts skipped_;
  std::int64_t number_, num_starts_ = 0;
  std::atomic<bool> is_flying_{false};
  bool is_skipped_ = false;
};

} // namespace

void watch_exchange(operation& exchange,
                    std::vector<std::vector<watched_elements>> edges2elements) {
  exchange.carry_by([&](std::shared_ptr<activity> carried) {
    return std::make_shared<watched_activity>(std::move(carried), std::move(edges2elements));
  });
}

bool skips_exchanges() { return read_skipped_starts().exchange != skipped_starts::none; }

} // namespace seam::detail
