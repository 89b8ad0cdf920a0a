#include <seam/exchange/steps/run/step_profile.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/setting.hpp>
#include <seam/exchange/steps/run/parallel.hpp>
#include <seam/exchange/steps/run/step_observer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <sstream>
#include <vector>

namespace seam {
using namespace detail;

namespace {

constinit on_off_setting profiling("SEAM_PROFILE", false);

/// What a rank has done, as text: a line for each name.
std::string work_as_text() {
  std::string text;
  for (auto const& [name, work] : profiled_work().all())
    text +=
        fmt::format("{} {} {} {:a} {}\n", work.calls, work.cells, work.bytes, work.seconds, name);
  return text;
}

work_by_name work_of_text(std::string const& text) {
  work_by_name all;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    long long calls = 0, cells = 0, bytes = 0;
    double seconds = 0;
    int name = 0;
    if (std::sscanf(line.c_str(), "%lld %lld %lld %la %n", &calls, &cells, &bytes, &seconds,
                    &name) == 4) // NOLINT(cert-err34-c)
      all[line.substr(name)] = {calls, cells, bytes, seconds};
  }
  return all;
}

/// The texts of all ranks on rank 0.
/// Collective: over `over`.
std::vector<std::string> gather_texts(mpi::comm_view over, std::string const& own) {
  auto const lengths = mpi::gather(over, static_cast<int>(own.size()), 0);
  std::vector<int> firsts(lengths.size() + 1);
  std::partial_sum(lengths.begin(), lengths.end(), firsts.begin() + 1);
  auto const all = mpi::gather(over, std::vector<char>(own.begin(), own.end()), firsts, 0);
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < lengths.size(); ++rank)
    texts.emplace_back(all.begin() + firsts[rank], all.begin() + firsts[rank + 1]);
  return texts;
}

/// Bytes per second that the threads of this rank read and write when they copy arrays.
double copied_bytes_per_second() {
  constexpr std::int64_t bytes = std::int64_t{32} << 20U;
  constexpr int repetitions = 4;
  std::vector<char> from(bytes, 'x'), to(bytes);
  parts_of<1> const parts(box<1>{{0}, {bytes}});
  double least = 0;
  for (int n = 0; n < repetitions; ++n) {
    auto const begin = std::chrono::steady_clock::now();
    parallel_for_parts("seam::copy", parts.size(), [&](int part) {
      std::memcpy(to.data() + parts[part].lo[0], from.data() + parts[part].lo[0],
                  parts[part].extent(0));
    });
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;
    least = n == 0 ? taken.count() : std::min(least, taken.count());
  }
  return 2.0 * bytes / least;
}

std::string line_of(std::string const& rank, std::string const& name, std::size_t width,
                    observed_work const& work, double copied) {
  auto const rate = [&](std::int64_t amount, char const* form, double unit) {
    return amount == 0 || work.seconds <= 0
               ? std::string()
               : fmt::format(fmt::runtime(form), static_cast<double>(amount) / work.seconds / unit);
  };
  std::string const share =
      work.cells == 0 ? "" : rate(work.bytes, "{:.2f}", copied > 0 ? copied : 1.0);
  return fmt::format("{:<5} {:<{}} {:>9} {:>10.4g} {:>9} {:>7} {:>10}\n", rank, name, width,
                     work.calls == 0 ? "" : std::to_string(work.calls), work.seconds,
                     rate(work.cells, "{:.2e}", 1.0), rate(work.bytes, "{:.3g}", 1e9), share);
}

/// The work of all ranks.
work_by_name sum_of(std::vector<work_by_name> const& ranks) {
  work_by_name all;
  for (work_by_name const& own : ranks)
    for (auto const& [name, work] : own.all()) {
      observed_work& sum = all[name];
      sum.calls += work.calls;
      sum.cells += work.cells;
      sum.bytes += work.bytes;
      sum.seconds += work.seconds / static_cast<double>(ranks.size());
    }
  return all;
}

/// The table of the texts of all ranks.
std::string table_of(std::vector<std::string> const& texts, std::vector<double> const& copied) {
  std::vector<work_by_name> ranks;
  for (std::string const& text : texts)
    ranks.push_back(work_of_text(text));
  work_by_name const all = sum_of(ranks);
  if (all.all().empty())
    return "";
  std::size_t width = std::string_view("messages").size();
  for (auto const& [name, work] : all.all())
    width = std::max(width, name.size());
  double const copied_by_all = std::accumulate(copied.begin(), copied.end(), 0.0);
  std::string table =
      fmt::format("profile of steps on {} rank{}; a copy moves {:.3g} GB/s\n{:<5} {:<{}} {:>9} "
                  "{:>10} {:>9} {:>7} {:>10}\n",
                  texts.size(), texts.size() > 1 ? "s" : "", copied_by_all / 1e9, "rank", "kernel",
                  width, "calls", "seconds", "cells/s", "GB/s", "of a copy");
  for (auto const& [name, work] : all.all())
    table += line_of("all", name, width, work, copied_by_all);
  for (std::size_t rank = 0; rank < texts.size() && texts.size() > 1; ++rank)
    for (auto const& [name, work] : ranks[rank].all())
      table += line_of(std::to_string(rank), name, width, work, copied[rank]);
  return table;
}

} // namespace

bool steps_are_profiled() { return profiling.is_on(); }

void profile_steps(bool on) noexcept { profiling.set(on); }

std::string step_profile(mpi::comm_view over) {
  auto const texts = gather_texts(over, work_as_text());
  mpi::barrier(over);
  auto const copied = mpi::gather(over, copied_bytes_per_second(), 0);
  return over.rank() == 0 ? table_of(texts, copied) : "";
}

} // namespace seam
