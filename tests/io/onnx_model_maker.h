// SPDX-License-Identifier: MIT
// Small ONNX models for tests, put together in code so that each test shows what is in its file.
#pragma once

#include <opscape/io/onnx_reader.h>

#include <onnx/onnx_pb.h>

namespace opscape {

class OnnxModelMaker {
public:
    using Names = std::vector<std::string>;

    explicit OnnxModelMaker(int opset = 13) {
        m_model.set_ir_version(8);
        m_model.add_opset_import()->set_version(opset);
        m_model.mutable_graph()->set_name("made");
    }

    onnx::ModelProto& model() { return m_model; }
    onnx::GraphProto& graph() { return *m_model.mutable_graph(); }

    onnx::NodeProto& node(const std::string& type, const Names& inputs, const Names& outputs,
                          const std::string& name = {}) {
        return add(graph(), type, inputs, outputs, name);
    }
    static onnx::NodeProto& add(onnx::GraphProto& graph, const std::string& type, const Names& inputs,
                                const Names& outputs, const std::string& name = {}) {
        onnx::NodeProto& node = *graph.add_node();
        node.set_op_type(type);
        node.set_name(name);
        for (const std::string& input : inputs)
            node.add_input(input);
        for (const std::string& output : outputs)
            node.add_output(output);
        return node;
    }
    /// A negative dimension is a symbol.
    OnnxModelMaker& input(const std::string& name, const std::vector<std::int64_t>& shape) {
        describe(*graph().add_input(), name, shape);
        return *this;
    }
    OnnxModelMaker& output(const std::string& name) {
        graph().add_output()->set_name(name);
        return *this;
    }
    onnx::TensorProto& weight(const std::string& name, const std::vector<std::int64_t>& shape) {
        onnx::TensorProto& tensor = *graph().add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(onnx::TensorProto::FLOAT);
        std::int64_t count = 1;
        for (const std::int64_t dim : shape) {
            tensor.add_dims(dim);
            count *= dim;
        }
        for (std::int64_t i = 0; i < count; ++i)
            tensor.add_float_data(0.5f);
        return tensor;
    }
    OnnxModelMaker& integers(const std::string& name, const std::vector<std::int64_t>& values) {
        onnx::TensorProto& tensor = *graph().add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(onnx::TensorProto::INT64);
        tensor.add_dims(static_cast<std::int64_t>(values.size()));
        for (const std::int64_t value : values)
            tensor.add_int64_data(value);
        return *this;
    }
    static onnx::AttributeProto& attribute(onnx::NodeProto& node, const std::string& name,
                                           onnx::AttributeProto::AttributeType type) {
        onnx::AttributeProto& attribute = *node.add_attribute();
        attribute.set_name(name);
        attribute.set_type(type);
        return attribute;
    }

    [[nodiscard]] std::string bytes() const { return m_model.SerializeAsString(); }
    [[nodiscard]] Result<GraphFile> read() const { return readOnnx(bytes(), "dir/m.onnx"); }
    [[nodiscard]] std::string error() const {
        const auto file = read();
        return file ? "no error" : file.error().message;
    }

private:
    static void describe(onnx::ValueInfoProto& info, const std::string& name, const std::vector<std::int64_t>& shape) {
        info.set_name(name);
        auto& type = *info.mutable_type()->mutable_tensor_type();
        type.set_elem_type(onnx::TensorProto::FLOAT);
        for (const std::int64_t dim : shape) {
            if (dim >= 0)
                type.mutable_shape()->add_dim()->set_dim_value(dim);
            else
                type.mutable_shape()->add_dim()->set_dim_param("batch");
        }
    }

    onnx::ModelProto m_model;
};

} // namespace opscape
