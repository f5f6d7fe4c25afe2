#include "dwarfs/backprop/backprop.hpp"

#include <algorithm>
#include <optional>

#include "harness/run/setup.hpp"

namespace dwarfsweep::backprop {
namespace {

std::size_t count(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

// Rows of `from_stride` elements as rows of `to_stride`; what is longer ends with zeros.
std::vector<float> with_stride(std::span<const float> rows, std::size_t from_stride, std::size_t to_stride) {
  std::vector<float> result(rows.size() / from_stride * to_stride);
  for (std::size_t row = 0; row * from_stride < rows.size(); ++row)
    std::copy_n(rows.data() + row * from_stride, std::min(from_stride, to_stride),
                result.data() + row * to_stride);
  return result;
}

class BackpropCase final : public Case {
 public:
  explicit BackpropCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<BackpropInput>()),
        network_(input_->network()),
        shape_(network_.shape),
        layout_(setup.config, shape_, setup.device().capabilities),
        group_(setup.size("work_group")) {
    if (setup.string("finish") == "host") on_host_.emplace(network_);
    const Macros macros = setup.macros()
                              .define("LANES", layout_.lanes)
                              .let_lanes_shuffle(lanes_of(setup.config, setup.device().capabilities));
    forward_ = setup.kernel("forward", "forward", macros);
    if (!on_host_) finish_ = setup.kernel("finish", "finish", macros);
    update_ = setup.kernel("update", "update", macros);
    allocate();
  }

  void upload() override {
    workspace_.upload(network_.inputs, inputs_);
    workspace_.upload(network_.targets, targets_);
    upload_rows(network_.weights_1, weights_1_in_);
    workspace_.upload(network_.weights_2, weights_2_in_);
    if (changes_1_in_.count > 0) upload_rows(network_.changes_1, changes_1_in_);
    if (changes_2_in_.count > 0) workspace_.upload(network_.changes_2, changes_2_in_);
  }

  void reset() override {
    workspace_.copy(weights_1_in_, weights_1_);
    workspace_.copy(weights_2_in_, weights_2_);
    reset_changes(changes_1_in_, changes_1_);
    reset_changes(changes_2_in_, changes_2_);
    if (on_host_) on_host_->reset();
  }

  void launch(Launcher& launcher) override {
    const Range range(count(layout_.groups) * group_, count(layout_.blocks));
    const Range local(group_, 1);
    const auto rows = static_cast<cl_uint>(shape_.rows());
    const auto vectors = static_cast<cl_uint>(layout_.vectors);
    const auto chunks = static_cast<cl_uint>(layout_.chunks);
    launcher.run(forward_, range, local, weights_1_, inputs_, partial_, rows, vectors, chunks);
    if (on_host_) {
      finish_on_host(launcher);
    } else {
      launcher.run(finish_, group_, group_, partial_, targets_, weights_2_, changes_2_, hidden_, errors_,
                   output_, output_errors_, static_cast<cl_uint>(layout_.groups), vectors,
                   static_cast<cl_uint>(shape_.hidden), static_cast<cl_uint>(shape_.outputs), network_.rate,
                   network_.momentum);
    }
    launcher.run(update_, range, local, weights_1_, changes_1_, inputs_, errors_, rows, vectors, chunks,
                 network_.rate, network_.momentum);
  }

  void download() override {
    workspace_.download(weights_1_, weights_1_after_);
    if (layout_.stride != shape_.hidden)
      weights_1_after_ = with_stride(weights_1_after_, count(layout_.stride), count(shape_.hidden));
    if (on_host_) {
      weights_2_after_ = on_host_->weights;
      hidden_after_ = on_host_->hidden;
      output_after_ = on_host_->output;
      return;
    }
    workspace_.download(weights_2_, weights_2_after_);
    workspace_.download(hidden_, hidden_after_);
    hidden_after_.resize(count(shape_.hidden));
    workspace_.download(output_, output_after_);
  }

  [[nodiscard]] Check check() const override {
    return input_->check({hidden_after_, output_after_, weights_1_after_, weights_2_after_});
  }

  // The first layer's weights are read forward, and read and written with their changes backward.
  [[nodiscard]] std::vector<Work> work() const override {
    const auto rows = static_cast<double>(shape_.rows());
    const double weights = rows * static_cast<double>(shape_.hidden);
    const double sums = static_cast<double>(layout_.groups * shape_.hidden);
    const double second = static_cast<double>((shape_.hidden + 1) * shape_.outputs);
    std::vector<Work> work = {{"forward", 4 * (weights + rows + sums), 2 * weights, weights},
                              {"update", 16 * weights + 4 * rows, 4 * weights, weights}};
    if (!on_host_) work.push_back({"finish", 4 * (sums + 4 * second), sums + 8 * second, second});
    work.push_back({"total", 20 * weights + 4 * rows + 16 * second, 6 * weights + 8 * second, weights});
    return work;
  }

  void dump(DumpSink& sink) const override {
    const std::size_t hidden = count(shape_.hidden);
    const std::size_t outputs = count(shape_.outputs);
    const auto put = [&](const char* name, const std::vector<float>& values, const DumpSink::Shape& its) {
      sink.array(name, std::span<const float>(values), its);
    };
    put("inputs", network_.inputs, {network_.inputs.size()});
    put("targets", network_.targets, {outputs});
    put("weights_1_in", network_.weights_1, {count(shape_.rows()), hidden});
    put("weights_2_in", network_.weights_2, {hidden + 1, outputs});
    put("weights_1", weights_1_after_, {count(shape_.rows()), hidden});
    put("weights_2", weights_2_after_, {hidden + 1, outputs});
    put("hidden", hidden_after_, {hidden});
    put("output", output_after_, {outputs});
    sink.note("rate", static_cast<double>(network_.rate));
    sink.note("momentum", static_cast<double>(network_.momentum));
  }

 private:
  void allocate() {
    const auto allocate = [&](const char* name, std::int64_t elements, Role role) {
      return workspace_.allocate<float>(name, count(elements), role);
    };
    const std::int64_t first = shape_.rows() * layout_.stride;
    const std::int64_t second = (shape_.hidden + 1) * shape_.outputs;
    inputs_ = allocate("inputs", shape_.inputs, Role::input);
    targets_ = allocate("targets", shape_.outputs, Role::input);
    weights_1_in_ = allocate("weights_1_in", first, Role::input);
    weights_2_in_ = allocate("weights_2_in", second, Role::input);
    changes_1_in_ = allocate("changes_1_in", network_.changes_1.empty() ? 0 : first, Role::input);
    changes_2_in_ = allocate("changes_2_in", network_.changes_2.empty() ? 0 : second, Role::input);
    weights_1_ = allocate("weights_1", first, Role::output);
    weights_2_ = allocate("weights_2", second, Role::output);
    changes_1_ = allocate("changes_1", first, Role::output);
    changes_2_ = allocate("changes_2", second, Role::output);
    hidden_ = allocate("hidden", layout_.stride, Role::output);
    output_ = allocate("output", shape_.outputs, Role::output);
    errors_ = allocate("errors", layout_.stride, Role::scratch);
    output_errors_ = allocate("output_errors", shape_.outputs, Role::scratch);
    partial_ = allocate("partial sums", layout_.groups * layout_.stride, Role::scratch);
  }

  void upload_rows(const std::vector<float>& rows, const Buffer<float>& to) {
    if (layout_.stride == shape_.hidden) return workspace_.upload(rows, to);
    workspace_.upload(with_stride(rows, count(shape_.hidden), count(layout_.stride)), to);
  }

  void reset_changes(const Buffer<float>& before, const Buffer<float>& changes) {
    if (before.count > 0) {
      workspace_.copy(before, changes);
    } else {
      workspace_.fill(changes, 0.0F);
    }
  }

  void finish_on_host(Launcher& launcher) {
    sums_.resize(partial_.count);
    launcher.read(partial_, sums_.data(), sums_.size());
    launcher.host([&] {
      on_host_->step(sums_, count(layout_.groups), count(layout_.stride));
      errors_to_device_ = on_host_->errors;
      errors_to_device_.resize(count(layout_.stride));
    });
    launcher.write(errors_to_device_.data(), errors_, errors_to_device_.size());
  }

  Workspace& workspace_;
  std::shared_ptr<const BackpropInput> input_;
  const Network& network_;
  Shape shape_;
  Layout layout_;
  std::size_t group_;
  std::optional<SecondLayer> on_host_;
  Kernel forward_, finish_, update_;
  Buffer<float> inputs_, targets_;
  Buffer<float> weights_1_in_, weights_2_in_, changes_1_in_, changes_2_in_;
  Buffer<float> weights_1_, weights_2_, changes_1_, changes_2_;
  Buffer<float> hidden_, output_, errors_, output_errors_, partial_;
  std::vector<float> sums_, errors_to_device_;
  std::vector<float> weights_1_after_, weights_2_after_, hidden_after_, output_after_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<BackpropCase>(setup);
}

}  // namespace dwarfsweep::backprop
