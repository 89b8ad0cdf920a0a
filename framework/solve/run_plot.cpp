#include <seam/framework/solve/run_plot.hpp>

#include <utility>

namespace seam {

run_plot::run_plot(mpi::comm_view over, std::string const& path, std::string along) {
  if (!path.empty())
    plot_.emplace(over, path, std::move(along));
}

void run_plot::begin(std::int64_t step) {
  first_ = step_ = step;
  since_ = clock::now();
}

void run_plot::look(std::int64_t step) {
  if (!plot_ || step <= step_)
    return;
  std::chrono::duration<double> const lasted = clock::now() - since_;
  plot_->add("seconds per step", static_cast<double>(step),
             lasted.count() / static_cast<double>(step - step_));
  step_ = step;
  since_ = clock::now();
}

void run_plot::resume() {
  if (plot_)
    since_ = clock::now();
}

void run_plot::note(std::string_view quantity, std::int64_t step, double value) {
  if (plot_)
    plot_->add(quantity, static_cast<double>(step), value);
}

void run_plot::finish() {
  if (plot_ && step_ > first_)
    plot_->finish();
}

} // namespace seam
