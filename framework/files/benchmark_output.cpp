#include <seam/framework/files/benchmark_output.hpp>

#include <seam/framework/files/output_file.hpp>
#include <seam/framework/program/print.hpp>

#include <utility>

namespace seam {

benchmark_output::benchmark_output(Runtime& runtime, std::string csv)
    : runtime_(runtime), csv_(std::move(csv)) {
  if (!csv_.empty())
    require_writable(runtime_, csv_);
  print(runtime_, "{}\n", runtime_.describe());
}

void benchmark_output::finish(std::string const& remarks) const {
  print(runtime_, table.text() + remarks);
  if (!csv_.empty())
    write_text(runtime_, table.csv(), csv_);
}

} // namespace seam
