/// The loop of Jacobi's iteration.
#pragma once

#include "options.hpp"
#include "relaxation.hpp"

#include <seam/simulation.hpp>

#include <algorithm>
#include <chrono>

namespace jacobi {

/// Sweeps over `u` until the residual is at most the tolerance in every cell. Returns the time. [s]
template <int D>
double iterate(seam::Iterate<double, D>& loop, seam::Field<double, D> const& u,
               seam::Field<double, D> const& f, relaxation<D> const& method, options const& wanted,
               seam::checkpoints& kept) {
  seam::progress bar(f.grid().base(), "iterations");
  seam::watch seen(f.grid().base(), wanted.watched);
  auto const gather = [&] { return seam::gather_numbers(u); };
  seen.draw(gather);
  seam::run_plot plot(f.grid().base(), wanted.plot, "iterations");
  plot.begin(loop.num_sweeps());
  auto const begin = std::chrono::steady_clock::now();
  while (loop.num_sweeps() < wanted.max_iterations &&
         !loop.converged(wanted.tolerance * method.step(), wanted.check_every)) {
    auto const until_check = wanted.check_every - loop.num_sweeps() % wanted.check_every;
    auto const most = std::min(until_check, wanted.max_iterations - loop.num_sweeps());
    auto const count = kept.until_look(loop.num_sweeps(), seen.until_look(loop.num_sweeps(), most));
    loop.sweeps(count, [=, f = f.view()](auto u, auto... i) {
      return method(u, f, seam::cell_index<D>{i...});
    });
    bar.advance(count);
    plot.look(loop.num_sweeps());
    if (!wanted.plot.empty() && loop.num_sweeps() % wanted.check_every == 0)
      plot.note("residual", loop.num_sweeps(), loop.change() / method.step());
    seen.look(loop.num_sweeps(), gather);
    kept.look(loop.num_sweeps());
    plot.resume();
  }
  seen.draw(gather);
  std::chrono::duration<double> const lasted = std::chrono::steady_clock::now() - begin;
  plot.finish();
  return lasted.count();
}

} // namespace jacobi
