#include <seam/exchange/steps/flow/step_words.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace seam::detail {
namespace {

/// A name between quotation marks.
std::string quoted(std::string const& name) {
  std::string text = "\"";
  for (char const letter : name) {
    if (letter == '"' || letter == '\\')
      text += '\\';
    text += letter;
  }
  return text + '"';
}

/// Writes one graph.
class dot_writer {
public:
  explicit dot_writer(step_dataflow const& flow)
      : flow_(flow), moment_of_(flow.supplies().size(), -1) {
    for (int m = 0; m < std::ssize(flow.moments()); ++m)
      for (int const supply : flow.moments()[m].supplies)
        moment_of_[supply] = m;
  }

  std::string write() {
    for (int i = 0; i < std::ssize(flow_.instances()); ++i)
      add_instance(i);
    for (int m = 0; m < std::ssize(flow_.moments()); ++m)
      add_moment(m);
    for (int s = 0; s < std::ssize(flow_.supplies()); ++s)
      add_supply(s);
    for (int i = 0; i < std::ssize(flow_.instances()); ++i)
      add_values(i);
    std::string text = "digraph steps {\n  node [shape=box];\n";
    for (auto const& [step, nodes] : steps_)
      text += fmt::format("  subgraph cluster_{0} {{\n    label=\"step {0}\";\n{1}  }}\n", step,
                          fmt::join(nodes, ""));
    text += others_;
    for (auto const& [ends, names] : edges_)
      text += fmt::format("  {} -> {} [label={}];\n", ends.first, ends.second,
                          quoted(fmt::format("{}", fmt::join(names, ", "))));
    return text + "}\n";
  }

private:
  static std::string node_of(int instance) { return fmt::format("kernel_{}", instance); }
  static std::string node_of_moment(int moment) { return fmt::format("messages_{}", moment); }

  void add_instance(int i) {
    step_instance const& instance = flow_.instances()[i];
    step_kernel const& kernel = flow_.kernel_of(i);
    std::string name = kernel.name;
    if (instance.pass > 0)
      name += fmt::format(", pass {}", instance.pass);
    steps_[instance.step].push_back(fmt::format("    {} [label={}];\n", node_of(i), quoted(name)));
  }

  void add_moment(int m) {
    others_ += fmt::format("  {} [label=\"messages\", shape=ellipse];\n", node_of_moment(m));
  }

  /// Edges from the kernel that has written a version to those that read it, by the messages that carry
  /// it. What nothing in the graph has written is its beginning.
  void add_supply(int s) {
    step_supply const& supply = flow_.supplies()[s];
    std::string const& name = flow_.layout(supply.array).name;
    std::string from;
    if (supply.writer >= 0)
      from = node_of(supply.writer);
    else
      from = node_of_field(name);
    if (moment_of_[s] >= 0) {
      edges_[{from, node_of_moment(moment_of_[s])}].insert(name);
      from = node_of_moment(moment_of_[s]);
    }
    for (supply_reader const& reader : supply.readers)
      edges_[{from, node_of(reader.instance)}].insert(name);
  }

  /// The node of a field's values before the first step.
  std::string node_of_field(std::string const& name) {
    auto const [found, is_new] = fields_.try_emplace(name, std::ssize(fields_));
    std::string node = fmt::format("field_{}", found->second);
    if (is_new)
      others_ += fmt::format("  {} [label={}, shape=plaintext];\n", node, quoted(name));
    return node;
  }

  /// Edges from what sets a value last to what takes it.
  void add_values(int i) {
    step_kernel const& kernel = flow_.kernel_of(i);
    for (auto const* const taken : {&kernel.reads_values, &kernel.sets})
      for (int const v : *taken)
        if (auto const found = set_by_.find(v); found != set_by_.end())
          edges_[{found->second, node_of(i)}].insert(flow_.program().values[v]->name);
    for (int const v : kernel.reduces) {
      std::string const node = fmt::format("value_{}_{}", v, i);
      others_ += fmt::format("  {} [label={}, shape=hexagon];\n", node,
                             quoted(flow_.program().values[v]->name));
      edges_[{node_of(i), node}].insert(kernel.reductions.front()->how());
      set_by_[v] = node;
    }
    for (int const v : kernel.sets)
      set_by_[v] = node_of(i);
  }

  step_dataflow const& flow_;
  std::vector<int> moment_of_; ///< [supplies], or -1
  std::map<std::int64_t, std::vector<std::string>> steps_;
  std::string others_;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> edges_;
  std::map<std::string, int> fields_;
  std::map<int, std::string> set_by_; ///< nodes, by values
};

} // namespace

std::string graph_in_dot(step_dataflow const& flow) { return dot_writer(flow).write(); }

} // namespace seam::detail
