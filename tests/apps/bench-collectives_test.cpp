// What seam-bench-collectives asks and counts. Whatever is timed here is not looked at.
#include "comparison.hpp"

#include <support/catch.hpp>

#include <set>
#include <sstream>

namespace collective_bench {
namespace {

/// The lines of a table as comma-separated values: the first is that of the names.
std::vector<std::vector<std::string>> lines_of(seam::benchmark_table const& table) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream text(table.csv());
  for (std::string line; std::getline(text, line);) {
    auto& fields = lines.emplace_back();
    std::istringstream of_line(line + ',');
    for (std::string field; std::getline(of_line, field, ',');)
      fields.push_back(field);
  }
  return lines;
}

/// A program's runtime, which ends before MPI does.
class program {
public:
  seam::Runtime& runtime() { return runtime_; }

private:
  char name_[5] = "test";
  char* arguments_[2] = {name_, nullptr};
  char** argv_ = arguments_;
  int argc_ = 1;
  seam::Runtime runtime_{argc_, argv_};
};

/// The messages of each variant of an operation on a grid of two dimensions, as the table has them.
std::map<std::string, std::set<int>> messages(seam::Runtime& runtime, std::string const& operation,
                                              std::string const& neighborhood, int bytes) {
  options wanted;
  wanted.operations = {operation};
  wanted.neighborhoods = {neighborhood};
  wanted.dimensions = {2};
  wanted.bytes = {bytes};
  std::map<std::string, std::set<int>> found;
  for (auto const& line : lines_of(compare(runtime, questions(wanted), wanted, 0)))
    if (line[0] != "question" && !line.back().empty())
      found[line[1]].insert(std::stoi(line.back()));
  return found;
}

/// Of grids of 1x1, 2x1 and 2x2 processes.
struct expectation {
  int edges;     ///< that lead to other processes
  int processes; ///< that they lead to
};

expectation expected(int size, std::string const& neighborhood) {
  if (size == 1)
    return {0, 0};
  if (size == 2)
    return {neighborhood == "faces" ? 2 : 6, 1};
  return neighborhood == "faces" ? expectation{4, 2} : expectation{8, 3};
}

} // namespace

TEST_CASE_METHOD(program, "all operations are asked about where they have a meaning") {
  options wanted;
  wanted.dimensions = {1, 2};
  wanted.bytes = {8, 808};
  auto const lines = lines_of(compare(runtime(), questions(wanted), wanted, 0));
  std::set<std::string> found;
  std::map<std::string, std::set<std::string>> variants;
  for (auto const& line : lines) {
    found.insert(line[0]);
    variants[line[0]].insert(line[1]);
  }
  for (auto const& listed : operations()) {
    std::string const name(listed.name);
    INFO(name);
    CHECK(found.count(name + " complete") == 1);
    for (char const* where : {" 1D faces", " 2D faces", " 1D moore", " 2D moore"})
      CHECK(found.count(name + where) == (listed.on_graphs ? 1 : 0));
  }
  for (auto const& [question, names] : variants) {
    INFO(question);
    if (question == "question")
      continue;
    for (char const* name : {"seam", "seam nonblocking", "seam persistent"})
      CHECK(names.count(name) == 1);
    bool const is_complete = question.ends_with("complete");
    CHECK(names.count("Isend/Irecv") == (is_complete ? 0 : 1));
    CHECK((!is_complete || names.size() >= 5));
  }
  for (char const* name : {"MPI_Neighbor_allgather", "MPI_Ineighbor_allgather"})
    CHECK(variants["allreduce 2D moore"].count(name) == 1);
  CHECK(variants["alltoallw 1D faces"].count("MPI_Neighbor_alltoallw") == 1);
  CHECK(variants["exscan complete"].count("MPI_Exscan") == 1);
}

TEST_CASE_METHOD(program, "messages are counted") {
  for (std::string const around : {"faces", "moore"}) {
    auto const [edges, processes] = expected(runtime().size(), around);
    INFO(around << " on " << runtime().size() << " processes");
    for (std::string const name : {"alltoall", "alltoallv", "alltoallw", "allgather", "allgatherv",
                                   "allgatherw", "allreduce"}) {
      auto found = messages(runtime(), name, around, 8);
      INFO(name);
      CHECK(found["Isend/Irecv"] == std::set{edges});
      CHECK(found["Isend/Irecv packed"] == std::set{processes});
      CHECK(found["Send_init/Recv_init packed"] == std::set{processes});
      CHECK(found["seam"] == found["seam persistent"]);
      CHECK(found["seam"] == found["seam nonblocking"]);
      REQUIRE(found["seam"].size() == 1);
      CHECK(*found["seam"].begin() <= processes);
      CHECK((*found["seam"].begin() > 0) == (processes > 0));
    }
    for (std::string const name : {"bcast", "scatter", "scatterv", "scatterw"}) {
      INFO(name);
      auto found = messages(runtime(), name, around, 808);
      CHECK(found["Isend/Irecv"] == std::set{processes});
      CHECK(found["seam"] == std::set{processes});
    }
    for (std::string const name : {"gather", "gatherv", "gatherw", "reduce"}) {
      INFO(name);
      auto found = messages(runtime(), name, around, 8);
      CHECK(found["Isend/Irecv packed"] == std::set{std::min(processes, 1)});
      CHECK(found["seam"] == std::set{std::min(processes, 1)});
    }
  }
}

TEST_CASE_METHOD(program, "what the MPI library carries out is not counted") {
  for (std::string const name : {"scan", "allreduce"}) {
    auto const found = messages(runtime(), name, "complete", 8);
    CHECK(found.count("MPI_Scan") + found.count("MPI_Allreduce") == 0);
    CHECK(found.count("seam nonblocking") == 0);
  }
}

TEST_CASE_METHOD(program, "forms and repetitions are those that are asked for") {
  options wanted;
  wanted.operations = {"alltoallw"};
  wanted.neighborhoods = {"moore"};
  wanted.dimensions = {2};
  wanted.bytes = {24};
  wanted.forms = {"nonblocking"};
  wanted.seconds = 1e-6;
  auto const lines = lines_of(compare(runtime(), questions(wanted), wanted, 2));
  std::vector<std::string> variants;
  for (auto const& line : lines)
    if (line[0] != "question") {
      variants.push_back(line[1]);
      CHECK(line[3] == "24");
      CHECK(line[4] == "2");
      CHECK(std::stod(line[6]) > 0);
    }
  CHECK(variants == std::vector<std::string>{"seam nonblocking", "MPI_Ineighbor_alltoallw",
                                             "Isend/Irecv", "Isend/Irecv packed"});
}

TEST_CASE("operations without a meaning on the neighborhoods are an error") {
  options wanted;
  wanted.operations = {"scan", "reduce_scatter"};
  wanted.neighborhoods = {"faces", "moore"};
  CHECK_THROWS_AS(questions(wanted), seam::usage_error);
  wanted.neighborhoods.emplace_back("complete");
  CHECK(questions(wanted).size() == 2 * wanted.bytes.size());
}

} // namespace collective_bench
