#include <algorithm>
#include <span>
#include <vector>

#include "dwarfs/fem/fem.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::fem {
namespace {

/// Vectors of nodes as the axis `layout` says. On the host they are triples.
class VectorLayout {
 public:
  VectorLayout(std::string layout, std::size_t nodes) : layout_(std::move(layout)), nodes_(nodes) {}

  [[nodiscard]] std::size_t floats() const { return (layout_ == "float4" ? 4 : 3) * nodes_; }
  [[nodiscard]] std::vector<float> laid_out(std::span<const float> triples) const {
    std::vector<float> result(floats());
    for (std::size_t i = 0; i < triples.size(); ++i) result[place(i / 3, i % 3)] = triples[i];
    return result;
  }
  void gather(const std::vector<float>& values, std::span<float> triples) const {
    for (std::size_t i = 0; i < triples.size(); ++i) triples[i] = values[place(i / 3, i % 3)];
  }

 private:
  [[nodiscard]] std::size_t place(std::size_t node, std::size_t axis) const {
    return layout_ == "soa" ? axis * nodes_ + node : (layout_ == "float4" ? 4 : 3) * node + axis;
  }

  std::string layout_;
  std::size_t nodes_;
};

std::span<const float> triples_of(const std::vector<Node>& nodes) {
  return {nodes.front().data(), 3 * nodes.size()};
}

// What all variants that move a body have: the nodes' vectors in the point's layout, and their results.
class FemCase : public Case {
 public:
  explicit FemCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<FemInput>()),
        layout_(setup.string("layout"), nodes()),
        group_(setup.size("work_group")),
        x_(vectors("nodes", Role::input)),
        u_in_(vectors("u before", Role::input)),
        v_in_(vectors("v before", Role::input)),
        u_(vectors("u", Role::output)),
        v_(vectors("v", Role::output)),
        mass_(workspace_.allocate<float>("mass", nodes(), Role::input)) {}

  void upload() override {
    workspace_.upload(layout_.laid_out(triples_of(body().mesh.nodes)), x_);
    workspace_.upload(layout_.laid_out(triples_of(input_->start().u)), u_in_);
    workspace_.upload(layout_.laid_out(triples_of(input_->start().v)), v_in_);
    workspace_.upload(body().mass, mass_);
    upload_elements();
  }

  void reset() override {
    workspace_.copy(u_in_, u_);
    workspace_.copy(v_in_, v_);
  }

  void launch(Launcher& launcher) override {
    launcher.batch([&] {
      for (int step = 0; step < body().steps; ++step) make_step(launcher, step);
    });
  }

  void download() override {
    result_.u = downloaded(u_result());
    result_.v = downloaded(v_);
  }

  [[nodiscard]] Check check() const override { return input_->check(result_); }

  [[nodiscard]] std::vector<Work> work() const override {
    std::vector<Work> work = own_work();
    const double steps = body().steps;
    for (Work& line : work) {
      line.bytes *= steps;
      line.operations *= steps;
      line.items = elements() * steps;
    }
    work.push_back({"total", steps * (24 * elements() + 64 * static_cast<double>(nodes())),
                    steps * (165 * elements() + 12 * static_cast<double>(nodes())), steps * elements()});
    return work;
  }

  void dump(DumpSink& sink) const override {
    const auto vectors = [&](const char* name, const std::vector<Node>& of) {
      sink.array(name, triples_of(of), {of.size(), 3});
    };
    const Mesh& mesh = body().mesh;
    vectors("nodes", mesh.nodes);
    sink.array("elements",
               std::span<const std::int32_t>(mesh.elements.front().data(), 4 * mesh.elements.size()),
               {mesh.elements.size(), 4});
    std::vector<float> lame;
    for (const Lame& one : body().lame) lame.insert(lame.end(), {one.lambda, one.mu});
    sink.array("lame", std::span<const float>(lame), {body().lame.size(), 2});
    sink.array("mass", std::span<const float>(body().mass), {nodes()});
    vectors("u_in", input_->start().u);
    vectors("v_in", input_->start().v);
    vectors("u", result_.u);
    vectors("v", result_.v);
    sink.note("dt", double{body().dt});
  }

 protected:
  [[nodiscard]] const Body& body() const { return input_->body(); }
  [[nodiscard]] std::size_t nodes() const { return body().mesh.nodes.size(); }
  [[nodiscard]] double elements() const { return static_cast<double>(body().mesh.elements.size()); }
  [[nodiscard]] cl_int node_count() const { return static_cast<cl_int>(nodes()); }
  [[nodiscard]] std::size_t floats() const { return layout_.floats(); }
  /// Work-items in whole groups.
  [[nodiscard]] std::size_t items(std::size_t count) const { return round_up(count, group_); }

  Buffer<float> vectors(const char* name, Role role) {
    return workspace_.allocate<float>(name, floats(), role);
  }
  template <typename T>
  Buffer<T> input(const char* name, const std::vector<T>& host) {
    return workspace_.allocate<T>(name, host.size(), Role::input);
  }

  virtual void upload_elements() = 0;
  virtual void make_step(Launcher& launcher, int step) = 0;
  /// The work of one step; the caller fills in the items.
  [[nodiscard]] virtual std::vector<Work> own_work() const = 0;
  [[nodiscard]] virtual const Buffer<float>& u_result() const { return u_; }

  Workspace& workspace_;
  std::shared_ptr<const FemInput> input_;
  VectorLayout layout_;
  std::size_t group_;
  Buffer<float> x_, u_in_, v_in_, u_, v_, mass_;

 private:
  std::vector<Node> downloaded(const Buffer<float>& from) {
    std::vector<float> values;
    workspace_.download(from, values);
    std::vector<Node> result(nodes());
    layout_.gather(values, {result.front().data(), 3 * result.size()});
    return result;
  }

  Motion result_;
};

// element_atomic, coloured and node_gather: an element per work-item.
class ElementCase final : public FemCase {
 public:
  explicit ElementCase(const Setup& setup)
      : FemCase(setup),
        gathers_(setup.string("variant") == "node_gather"),
        colours_(setup.string("variant") == "coloured" ? std::optional<Colours>(body().mesh) : std::nullopt),
        incidence_(gathers_ ? std::optional<Incidence>(body().mesh) : std::nullopt),
        elements_(
            workspace_.allocate<std::int32_t>("elements", 4 * body().mesh.elements.size(), Role::input)),
        lame_(workspace_.allocate<float>("lame", 2 * body().mesh.elements.size(), Role::input)),
        forces_(workspace_.allocate<float>("forces", gathers_ ? 16 * body().mesh.elements.size() : floats(),
                                           Role::scratch)),
        offsets_(workspace_.allocate<std::int32_t>("offsets", gathers_ ? nodes() + 1 : 0, Role::input)),
        entries_(workspace_.allocate<std::int32_t>("entries", gathers_ ? incidence_->corners.size() : 0,
                                                   Role::input)),
        force_(setup.kernel("force", "force")),
        advance_(setup.kernel("advance", "advance")) {}

  void reset() override {
    FemCase::reset();
    if (!gathers_) workspace_.fill(forces_, 0.0F);
  }

 private:
  void upload_elements() override {
    std::vector<std::int32_t> corners;
    std::vector<float> lame;
    for (std::size_t i = 0; i < body().mesh.elements.size(); ++i) {
      const std::size_t element = colours_ ? static_cast<std::size_t>(colours_->order[i]) : i;
      corners.insert(corners.end(), body().mesh.elements[element].begin(),
                     body().mesh.elements[element].end());
      lame.insert(lame.end(), {body().lame[element].lambda, body().lame[element].mu});
    }
    workspace_.upload(corners, elements_);
    workspace_.upload(lame, lame_);
    if (!incidence_) return;
    workspace_.upload(incidence_->offsets, offsets_);
    workspace_.upload(incidence_->corners, entries_);
  }

  void make_step(Launcher& launcher, int /*step*/) override {
    const auto add = [&](std::int32_t begin, std::int32_t end) {
      launcher.run(force_, items(static_cast<std::size_t>(end - begin)), group_, elements_, lame_,
                   cl_int{begin}, cl_int{end - begin}, x_, u_, forces_, node_count());
    };
    if (colours_) {
      for (std::size_t k = 0; k + 1 < colours_->begins.size(); ++k)
        add(colours_->begins[k], colours_->begins[k + 1]);
    } else {
      add(0, static_cast<std::int32_t>(body().mesh.elements.size()));
    }
    launcher.run(advance_, items(nodes()), group_, forces_, offsets_, entries_, mass_, cl_float{body().dt},
                 u_, v_, node_count());
  }

  [[nodiscard]] std::vector<Work> own_work() const override {
    const auto count = static_cast<double>(nodes());
    const double stored = gathers_ ? 64 * elements() : 24 * count;
    const double listed = gathers_ ? 16 * elements() + 4 * count : 0;
    return {{"force", 24 * elements() + 24 * count + stored, 165 * elements(), 0},
            {"advance", stored + listed + 52 * count, 12 * count, 0}};
  }

  bool gathers_;
  std::optional<Colours> colours_;
  std::optional<Incidence> incidence_;
  Buffer<std::int32_t> elements_;
  Buffer<float> lame_, forces_;
  Buffer<std::int32_t> offsets_, entries_;
  Kernel force_, advance_;
};

class MatrixCase final : public FemCase {
 public:
  explicit MatrixCase(const Setup& setup)
      : FemCase(setup),
        matrix_(body(), setup.size("slice")),
        offsets_(input("offsets", matrix_.offsets)),
        columns_(input("columns", matrix_.columns)),
        blocks_(input("blocks", matrix_.blocks)),
        other_u_(vectors("other u", Role::output)),
        step_(setup.kernel("step_of_nodes", "step")) {}

 private:
  void upload_elements() override {
    workspace_.upload(matrix_.offsets, offsets_);
    workspace_.upload(matrix_.columns, columns_);
    workspace_.upload(matrix_.blocks, blocks_);
  }

  void make_step(Launcher& launcher, int step) override {
    const bool even = step % 2 == 0;
    launcher.run(step_, items(nodes()), group_, offsets_, columns_, blocks_, mass_, cl_float{body().dt},
                 even ? u_ : other_u_, even ? other_u_ : u_, v_, node_count());
  }

  [[nodiscard]] const Buffer<float>& u_result() const override {
    return body().steps % 2 == 0 ? u_ : other_u_;
  }

  [[nodiscard]] std::vector<Work> own_work() const override {
    const auto count = static_cast<double>(nodes());
    const auto blocks = static_cast<double>(matrix_.columns.size());
    return {{"step", 40 * blocks + 52 * count, 18 * blocks + 12 * count, 0}};
  }

  BlockMatrix matrix_;
  Buffer<std::int32_t> offsets_, columns_;
  Buffer<float> blocks_, other_u_;
  Kernel step_;
};

// y = A x, of a matrix from a file: rows and columns in threes, as nodes.
class ProductCase final : public Case {
 public:
  explicit ProductCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<ProductInput>()),
        rows_(input_->x().size()),
        layout_(setup.string("layout"), nodes()),
        group_(setup.size("work_group")),
        matrix_(input_->matrix(), setup.size("slice")),
        offsets_(workspace_.allocate<std::int32_t>("offsets", matrix_.offsets.size(), Role::input)),
        columns_(workspace_.allocate<std::int32_t>("columns", matrix_.columns.size(), Role::input)),
        blocks_(workspace_.allocate<float>("blocks", matrix_.blocks.size(), Role::input)),
        x_(workspace_.allocate<float>("x", layout_.floats(), Role::input)),
        y_(workspace_.allocate<float>("y", layout_.floats(), Role::output)),
        product_(setup.kernel("product_of_nodes", "product")) {}

  void upload() override {
    workspace_.upload(matrix_.offsets, offsets_);
    workspace_.upload(matrix_.columns, columns_);
    workspace_.upload(matrix_.blocks, blocks_);
    workspace_.upload(layout_.laid_out(input_->x()), x_);
  }

  void launch(Launcher& launcher) override {
    launcher.batch([&] {
      launcher.run(product_, round_up(nodes(), group_), group_, offsets_, columns_, blocks_, x_, y_,
                   static_cast<cl_int>(nodes()));
    });
  }

  void download() override {
    std::vector<float> values;
    workspace_.download(y_, values);
    result_.resize(rows_);
    layout_.gather(values, result_);
  }

  [[nodiscard]] Check check() const override { return input_->check(result_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto blocks = static_cast<double>(matrix_.columns.size());
    const auto entries = static_cast<double>(input_->matrix().values.size());
    const auto rows = static_cast<double>(rows_);
    return {{"product", 40 * blocks + 8 * rows, 18 * blocks, entries},
            {"total", 8 * entries + 12 * rows, 2 * entries, entries}};
  }

  void dump(DumpSink& sink) const override {
    const SparseMatrix& matrix = input_->matrix();
    sink.array("offsets", std::span<const std::int64_t>(matrix.offsets), {matrix.offsets.size()});
    sink.array("columns", std::span<const std::int32_t>(matrix.columns), {matrix.columns.size()});
    sink.array("values", std::span<const float>(matrix.values), {matrix.values.size()});
    sink.array("x", std::span<const float>(input_->x()), {rows_});
    sink.array("y", std::span<const float>(result_), {rows_});
  }

 private:
  [[nodiscard]] std::size_t nodes() const { return (rows_ + 2) / 3; }

  Workspace& workspace_;
  std::shared_ptr<const ProductInput> input_;
  std::size_t rows_;
  VectorLayout layout_;
  std::size_t group_;
  BlockMatrix matrix_;
  Buffer<std::int32_t> offsets_, columns_;
  Buffer<float> blocks_, x_, y_;
  Kernel product_;
  std::vector<float> result_;
};

// staged and edges: `force` stores a force for each node of each patch, `advance` adds up those of a node.
template <typename Patches>
class PatchCase : public FemCase {
 public:
  explicit PatchCase(const Setup& setup)
      : FemCase(setup),
        patches_(body(), setup.size("patch")),
        node_offsets_(input("node offsets", patches_.node_offsets)),
        rank_offsets_(input("rank offsets", patches_.rank_offsets)),
        counts_(input("counts", patches_.counts)),
        ranks_(input("ranks", patches_.ranks)),
        forces_(workspace_.allocate<float>("forces", 4 * patches_.nodes.size(), Role::scratch)),
        offsets_(input("offsets", patches_.offsets)),
        entries_(input("entries", patches_.entries)),
        force_(setup.kernel("force", "force")),
        advance_(setup.kernel("advance", "advance")) {}

 protected:
  void upload_elements() override {
    workspace_.upload(patches_.node_offsets, node_offsets_);
    workspace_.upload(patches_.rank_offsets, rank_offsets_);
    workspace_.upload(patches_.counts, counts_);
    workspace_.upload(patches_.ranks, ranks_);
    workspace_.upload(patches_.offsets, offsets_);
    workspace_.upload(patches_.entries, entries_);
  }

  /// Work-items of `force`.
  [[nodiscard]] std::size_t patch_items() const { return (patches_.node_offsets.size() - 1) * group_; }
  /// In all patches.
  [[nodiscard]] double places() const { return static_cast<double>(patches_.nodes.size()); }

  void advance(Launcher& launcher) {
    launcher.run(advance_, items(nodes()), group_, forces_, offsets_, entries_, mass_, cl_float{body().dt},
                 u_, v_, node_count());
  }
  [[nodiscard]] Work work_of_advance() const {
    const auto count = static_cast<double>(nodes());
    return {"advance", 20 * places() + 56 * count, 12 * count, 0};
  }

  Patches patches_;
  Buffer<std::int32_t> node_offsets_, rank_offsets_;
  Buffer<std::uint16_t> counts_, ranks_;
  Buffer<float> forces_;
  Buffer<std::int32_t> offsets_, entries_;
  Kernel force_, advance_;
};

class StagedCase final : public PatchCase<ElementPatches> {
 public:
  explicit StagedCase(const Setup& setup)
      : PatchCase(setup),
        element_offsets_(input("element offsets", patches_.element_offsets)),
        place_bytes_(setup.size("patch") <= 512 ? 1 : 2),
        corners_(workspace_.allocate<cl_uchar>("corners", 4 * place_bytes_ * patches_.corners.size(),
                                               Role::input)),
        slots_(workspace_.allocate<cl_ushort>("slots", 4 * patches_.slots.size(), Role::input)),
        lame_(workspace_.allocate<float>("lame", 2 * patches_.lame.size(), Role::input)),
        patch_nodes_(input("patch nodes", patches_.nodes)) {}

 private:
  void upload_elements() override {
    PatchCase::upload_elements();
    workspace_.upload(patches_.element_offsets, element_offsets_);
    upload_corners();
    workspace_.upload(std::span<const cl_ushort>(patches_.slots.front().data(), slots_.count), slots_);
    std::vector<float> lame;
    for (const Lame& one : patches_.lame) lame.insert(lame.end(), {one.lambda, one.mu});
    workspace_.upload(lame, lame_);
    workspace_.upload(patches_.nodes, patch_nodes_);
  }

  void upload_corners() {
    const std::span<const std::uint16_t> places(patches_.corners.front().data(), 4 * patches_.corners.size());
    if (place_bytes_ == 1) {
      workspace_.upload(std::vector<cl_uchar>(places.begin(), places.end()), corners_);
    } else {
      const auto* bytes = reinterpret_cast<const cl_uchar*>(places.data());
      workspace_.upload(std::span<const cl_uchar>(bytes, places.size_bytes()), corners_);
    }
  }

  void make_step(Launcher& launcher, int /*step*/) override {
    launcher.run(force_, patch_items(), group_, element_offsets_, node_offsets_, rank_offsets_, corners_,
                 slots_, lame_, patch_nodes_, counts_, ranks_, x_, u_, forces_, node_count());
    advance(launcher);
  }

  [[nodiscard]] std::vector<Work> own_work() const override {
    const double listed = 16 + 4 * static_cast<double>(place_bytes_);
    return {{"force", listed * elements() + 46 * places(), 165 * elements(), 0}, work_of_advance()};
  }

  Buffer<std::int32_t> element_offsets_;
  std::size_t place_bytes_;
  Buffer<cl_uchar> corners_;
  Buffer<cl_ushort> slots_;
  Buffer<float> lame_;
  Buffer<std::int32_t> patch_nodes_;
};

class EdgesCase final : public PatchCase<EdgePatches> {
 public:
  explicit EdgesCase(const Setup& setup)
      : PatchCase(setup),
        edge_offsets_(input("edge offsets", patches_.edge_offsets)),
        turn_offsets_(input("turn offsets", patches_.turn_offsets)),
        others_(input("others", patches_.others)),
        slots_(input("slots", patches_.slots)),
        turns_(input("turns", patches_.turns)),
        blocks_(input("blocks", patches_.blocks)),
        patch_nodes_(input("patch nodes", patches_.patch_nodes)),
        owned_(workspace_.allocate<std::uint8_t>("owned", 2 * patches_.owned.size(), Role::input)) {}

 private:
  void upload_elements() override {
    PatchCase::upload_elements();
    workspace_.upload(patches_.edge_offsets, edge_offsets_);
    workspace_.upload(patches_.turn_offsets, turn_offsets_);
    workspace_.upload(patches_.others, others_);
    workspace_.upload(patches_.slots, slots_);
    workspace_.upload(patches_.turns, turns_);
    workspace_.upload(patches_.blocks, blocks_);
    workspace_.upload(patches_.patch_nodes, patch_nodes_);
    workspace_.upload(std::span<const std::uint8_t>(patches_.owned.front().data(), owned_.count), owned_);
  }

  void make_step(Launcher& launcher, int /*step*/) override {
    launcher.run(force_, patch_items(), group_, edge_offsets_, node_offsets_, turn_offsets_, rank_offsets_,
                 others_, slots_, blocks_, patch_nodes_, owned_, counts_, turns_, ranks_, u_, forces_,
                 static_cast<cl_int>(patches_.edges.size()), node_count());
    advance(launcher);
  }

  // Of an edge a block, a place and a slot; of a place its node, two numbers of own edges, a count, a
  // displacement and a force.
  [[nodiscard]] std::vector<Work> own_work() const override {
    const auto edges = static_cast<double>(patches_.edges.size());
    return {{"force", 39 * edges + 36 * places(), 39 * edges, 0}, work_of_advance()};
  }

  Buffer<std::int32_t> edge_offsets_, turn_offsets_;
  Buffer<std::uint8_t> others_;
  Buffer<std::uint16_t> slots_, turns_;
  Buffer<float> blocks_;
  Buffer<std::int32_t> patch_nodes_;
  Buffer<std::uint8_t> owned_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  if (is_product(setup.loaded.problem)) return std::make_unique<ProductCase>(setup);
  const std::string& variant = setup.string("variant");
  if (variant == "csr") return std::make_unique<MatrixCase>(setup);
  if (variant == "staged") return std::make_unique<StagedCase>(setup);
  if (variant == "edges") return std::make_unique<EdgesCase>(setup);
  return std::make_unique<ElementCase>(setup);
}

}  // namespace dwarfsweep::fem
