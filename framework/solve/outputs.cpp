#include <seam/framework/solve/outputs.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/file_series.hpp>
#include <seam/framework/program/value_checks.hpp>
#include <seam/framework/solve/run_plot.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace seam {
namespace {

value_check is_vtkhdf() { return name_ends_with({".vtkhdf", ".hdf"}); }
value_check is_picture() { return name_ends_with({".png"}); }

/// Refuses a name that a program has set itself, which no option has checked.
void require_name(char const* option, std::string const& path, value_check const& check) {
  if (auto const problem = path.empty() ? path : check(path); !problem.empty())
    refuse(fmt::format("{} {}", option, problem));
}

} // namespace

void output_options::add_options(option_list cli, std::string const& shown, shown_on where) {
  cli.add("--picture", picture, "write a picture of " + shown).must(is_picture()).named("FILE.png");
  cli.add("--output", output, "write " + shown + " for ParaView")
      .must(is_vtkhdf())
      .named("FILE.vtkhdf");
  cli.add("--plot", plot, "plot the seconds per step, and residuals if there are any")
      .must(name_ends_with({".svg", ".png"}))
      .named("FILE.svg|FILE.png");
  if (where == shown_on::grid)
    watched.add_options(cli);
  cli.add("--every", every,
          "steps from one state of a series to the next, in numbered pictures or in the output")
      .between(1, 1 << 30);
  cli.add_flag("--numbered", is_numbered,
               "with --every: a numbered file for each state and a list, FILE.vtkhdf.series, as "
               "ParaView before 5.12 needs them");
  cli.add("--animation", animation, "with --every: write an animation of " + shown)
      .must(name_ends_with({".webp"}))
      .named("FILE.webp");
}

void output_options::check(mpi::comm_view over, std::int64_t last, std::string const& input) const {
  collectively(over, [&] {
    require_name("--output", output, is_vtkhdf());
    require_name("--picture", picture, is_picture());
    if (every > 0 && output.empty() && picture.empty() && animation.empty())
      refuse("--every: no file for a series (expected --picture, --output or --animation)");
    if (every == 0 && !animation.empty())
      refuse("--animation: no steps between its frames (expected --every)");
    if (is_numbered && (every == 0 || output.empty()))
      refuse("--numbered: no files with numbers (expected --every and --output)");
  });
  require_outputs(over, input,
                  {{"--output", is_numbered ? output + ".series" : output, ""},
                   {"--picture", picture, ""},
                   {"--animation", animation, ".webp"},
                   {"--plot", plot, ""}});
  if (!plot.empty())
    require_plot(over, plot, "--plot");
  if (every > 0 && !picture.empty())
    require_writable_series(over, picture, std::max(last, every), every);
  if (is_numbered)
    require_writable_series(over, output, std::max(last, every), every);
}

void output_options::print_names(mpi::comm_view over) const {
  bool const has_series = every > 0 && !picture.empty();
  print_written(over, {picture, has_series ? numbered_path(picture, every) + " ..." : "", output,
                       animation, plot});
}

/// What shows the run from its begin on.
struct run_outputs::files_begun {
  files_begun(mpi::comm_view over, output_options const& wanted)
      : watched(over, wanted.watched), plot(over, wanted.plot, "steps") {}

  watch watched;
  run_plot plot;
  std::optional<vtkhdf_series> series{};
  std::optional<file_series> list{};
  std::optional<animation> frames{};
};

run_outputs::run_outputs(output_options const& wanted, detail::shown_field shown, std::int64_t last)
    : wanted_(wanted), shown_(std::move(shown)), last_(last) {}
run_outputs::run_outputs(run_outputs&&) noexcept = default;
run_outputs& run_outputs::operator=(run_outputs&&) noexcept = default;
run_outputs::~run_outputs() = default;

std::string detail::words_of_value(std::string const& field, double value,
                                   std::span<std::int64_t const> place) {
  return fmt::format("'{}' is {} at ({})", field, value, fmt::join(place, ", "));
}

void run_outputs::require_finite(std::int64_t step) const {
  collectively(shown_.over, [&] {
    if (auto const found = shown_.not_finite(); !found.empty())
      refuse(fmt::format("{} after step {} (expected finite numbers)", found, step));
  });
}

/// The states that will be written from `step` on; a guess if the end is not known.
std::int64_t run_outputs::expected_states(std::int64_t step) const {
  constexpr std::int64_t guess = 16;
  return last_ > step ? (last_ - 1) / wanted_.every + 2 : guess;
}

void run_outputs::begin(std::int64_t step) {
  if (files_)
    return;
  files_ = std::make_unique<files_begun>(shown_.over, wanted_);
  files_->watched.draw(shown_.gather);
  if (wanted_.every > 0 && !wanted_.output.empty())
    begin_series(step);
  if (!wanted_.animation.empty())
    files_->frames.emplace(shown_.over, wanted_.animation);
  if (files_->frames && step % wanted_.every == 0)
    add_frame(step);
  files_->plot.begin(step);
}

void run_outputs::begin_series(std::int64_t step) {
  if (wanted_.is_numbered) {
    files_->list.emplace(shown_.over, wanted_.output);
    for (std::int64_t older = 0; older < step; older += wanted_.every)
      files_->list->add_older(numbered_path(wanted_.output, older), static_cast<double>(older));
  } else {
    series_options options{.expected_steps = expected_states(step)};
    if (step > 0 && !shown_.gather)
      throw usage_error(
          "--output: one file for the steps of a mesh, which another run has begun and "
          "may have divided otherwise (expected --numbered, too)",
          true);
    if (step > 0)
      options.continue_at = static_cast<double>(step);
    files_->series = shown_.make_series(wanted_.output, options);
  }
  if (step % wanted_.every == 0)
    write_state(step);
}

std::int64_t run_outputs::until_look(std::int64_t step, std::int64_t most) const noexcept {
  if (wanted_.every > 0)
    most = std::min(most, wanted_.every - step % wanted_.every);
  return files_ ? files_->plot.until_look(files_->watched.until_look(step, most), last_) : most;
}

void run_outputs::look(std::int64_t step) {
  files_->plot.look(step);
  show(step);
  files_->plot.resume();
}

void run_outputs::show(std::int64_t step) {
  files_->watched.look(step, shown_.gather);
  if (wanted_.every == 0 || step % wanted_.every != 0)
    return;
  require_finite(step);
  if (!wanted_.picture.empty())
    shown_.draw(numbered_path(wanted_.picture, step));
  write_state(step);
  add_frame(step);
}

void run_outputs::add_frame(std::int64_t step) {
  if (files_->frames && std::exchange(last_frame_, step) != step)
    shown_.add_frame(*files_->frames);
}

void run_outputs::write_state(std::int64_t step) {
  if (std::exchange(last_written_, step) == step)
    return;
  if (files_->series)
    files_->series->append(static_cast<double>(step));
  if (files_->list) {
    auto const path = numbered_path(wanted_.output, step);
    shown_.write(path);
    files_->list->add(path, static_cast<double>(step));
  }
}

void run_outputs::note(std::string_view quantity, std::int64_t step, double value) {
  if (files_)
    files_->plot.note(quantity, step, value);
}

void run_outputs::finish(std::int64_t step) {
  require_finite(step);
  if (files_) {
    files_->watched.draw(shown_.gather);
    write_state(step);
    add_frame(step);
    if (files_->series)
      files_->series->finish();
    if (files_->frames)
      files_->frames->finish();
    files_->plot.finish();
  }
  if (wanted_.every == 0 && !wanted_.output.empty())
    shown_.write(wanted_.output);
}

} // namespace seam
