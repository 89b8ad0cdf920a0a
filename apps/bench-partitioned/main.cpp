// seam-bench-partitioned measures what partitioned messages cost when all partitions are ready at
// once, and what they gain when these become ready one by one, beside other messages in one run.
//
// Sample run: mpiexec -n 2 --bind-to core seam-bench-partitioned
//
// Expected: a table of one line for each question and variant; x rival at most about 1 where
// partitions are ready together, below 1 where the receiver has time for those that are ready
// early. Then perceived bandwidth and early-bird fraction of each.
#include "observe.hpp"

#include <seam/seam.hpp>

#include <algorithm>

namespace partitioned_bench {
namespace {

struct options {
  std::vector<int> bytes{1024, 16384, 262144, 4194304}; ///< lengths of buffers
  int partitions = 4;
  double work = 1; ///< work of an epoch, in units of the time of a bulk exchange
  int repetitions = 50;
};

constexpr char const* examples = R"(Examples:
  mpiexec -n 2 --bind-to core seam-bench-partitioned
  mpiexec -n 2 --bind-to core seam-bench-partitioned --partitions 32 --bytes 1048576
  OMP_NUM_THREADS=4 mpiexec -n 2 seam-bench-partitioned --partitions 16

'ring': every rank sends to the next one and receives from the one before. 'one-way': ranks 0, 2, ...
send to ranks 1, 3, ..., which have nothing else to do.
'together': all partitions are ready at once; 'laggard': all but the last are ready at once, and the last after all the work.)";

void add_options(seam::option_list cli, options& wanted) {
  cli.describe("Compares partitioned messages with others.");
  cli.add("--bytes", wanted.bytes, "of all partitions together").between(1, 1 << 30, "N");
  cli.add("--partitions", wanted.partitions, "of each buffer").between(1, 4000);
  cli.add("--work", wanted.work, "of an epoch, as long as so many bulk exchanges take")
      .between(0.0, 1e6);
  bench::add_repetitions(cli, wanted.repetitions);
  cli.end_help(examples);
}

enum class direction { ring, one_way };

route make_route(seam::Communicator const& world, direction where, std::span<std::byte> out,
                 std::span<std::byte> in, int partitions) {
  int const rank = world.rank(), size = world.size();
  if (where == direction::ring)
    return {world, (rank + 1) % size, (rank + size - 1) % size, partitions, out, in};
  bool const sends = rank % 2 == 0;
  return {world,
          sends && rank + 1 < size ? rank + 1 : MPI_PROC_NULL,
          sends ? MPI_PROC_NULL : rank - 1,
          partitions,
          out,
          in};
}

/// The buffers of this rank, and all contenders on them.
class comparison {
public:
  comparison(seam::Communicator const& world, options const& wanted, direction where,
             std::int64_t bytes)
      : wanted_(wanted), where_(where), length_(rounded(bytes, wanted.partitions)) {
    out_ = seam::allocate<std::byte>(world, length_);
    in_ = seam::allocate<std::byte>(world, length_);
    along_ = std::make_unique<route>(make_route(world, where, std::span(out_.get(), length_),
                                                std::span(in_.get(), length_), wanted.partitions));
    for (contender const& listed : contenders_)
      ways_.push_back(listed.make(*along_));
    for (int w = 0; w < std::ssize(ways_); ++w)
      require_right_bytes(w);
  }

  void answer(course how, seam::benchmark_table& table, std::string& notes) {
    seconds const work = wanted_.work * bulk_time();
    std::vector<seam::variant> variants;
    for (int w = 0; w < std::ssize(ways_); ++w)
      variants.push_back({contenders_[w].name, [this, w, how, work] { run(w, how, work); },
                          contenders_[w].is});
    std::string const question =
        fmt::format("{} {} {} B", where_ == direction::ring ? "ring" : "one-way",
                    names_of_courses[static_cast<int>(how)], length_);
    table.add(seam::time_in_turn(
        along_->comm, {.question = question, .bytes = length_, .repetitions = wanted_.repetitions},
        variants));
    for (int w = 0; how != course::together && w < std::ssize(ways_); ++w)
      notes += line_of(question, contenders_[w].name, observed(w, how, work));
  }

  static std::string head_of_lines() {
    return fmt::format("{:<28} {:<20} {:>15} {:>11}\n", "question", "variant", "perceived GB/s",
                       "early-bird");
  }

private:
  static std::int64_t rounded(std::int64_t bytes, int partitions) {
    return std::max<std::int64_t>(bytes / partitions, 1) * partitions;
  }

  static std::string line_of(std::string const& question, char const* name,
                             observation const& seen) {
    return fmt::format("{:<28} {:<20} {:>15.2f} {:>11.2f}\n", question, name, seen.bandwidth / 1e9,
                       seen.early_fraction);
  }

  void run(int w, course how, seconds work) {
    ways_[w]->start();
    on_all_threads(along_->partitions, [&](int p) {
      produce(*along_, how, p, work);
      ways_[w]->ready(p);
    });
    ways_[w]->finish();
  }

  observation observed(int w, course how, seconds work) {
    return observe(*ways_[w], *along_, how, work, std::min(wanted_.repetitions, 25));
  }

  /// Times bulk exchanges without work; work is measured in this time.
  seconds bulk_time() {
    constexpr int bulk = 1;
    auto const found = seam::time_in_turn(
        along_->comm, {.repetitions = 20},
        {{contenders_[bulk].name, [&] { run(bulk, course::together, seconds(0)); }}});
    return seconds(found.front().median);
  }

  void require_right_bytes(int w) {
    auto const value = [](int rank, std::int64_t k) {
      return static_cast<std::byte>((k * 7 + rank) % 251);
    };
    for (std::int64_t k = 0; k < std::ssize(along_->out); ++k)
      along_->out[k] = value(along_->comm.rank(), k);
    std::ranges::fill(along_->in, std::byte{255});
    for (int epoch = 0; epoch < 10; ++epoch) // enough for seam to observe how partitions get ready
      run(w, course::together, seconds(0));
    bench::require_right(along_->comm.context(), contenders_[w].name, [&] {
      for (std::int64_t k = 0; along_->receives() && k < std::ssize(along_->in); ++k)
        if (along_->in[k] != value(along_->from, k))
          return fmt::format("byte {} is {} (expected {})", k, std::to_integer<int>(along_->in[k]),
                             std::to_integer<int>(value(along_->from, k)));
      return std::string();
    });
  }

  options const& wanted_;
  direction where_;
  std::int64_t length_;
  std::shared_ptr<std::byte[]> out_, in_;
  std::unique_ptr<route> along_;
  std::vector<contender> const contenders_ = contenders();
  std::vector<std::unique_ptr<way>> ways_;
};

void compare(seam::Runtime& runtime, options const& wanted) {
  seam::print(runtime, "{}\n", runtime.describe());
  seam::benchmark_table table;
  std::string notes = comparison::head_of_lines();
  for (direction where : {direction::ring, direction::one_way})
    for (int const bytes : wanted.bytes) {
      comparison compared(runtime.world(), wanted, where, bytes);
      for (course how : {course::together, course::laggard})
        compared.answer(how, table, notes);
    }
  seam::print(runtime, "{}\n{}", table.text(), notes);
}

} // namespace
} // namespace partitioned_bench

int main(int argc, char** argv) {
  return seam::run_program(argc, argv, partitioned_bench::add_options, partitioned_bench::compare);
}
