// SPDX-License-Identifier: MIT
// Shapes of what TensorFlow's nodes write, where the file does not say them: worked out from node to node, with the
// whole numbers that shapes are computed from. A dimension that stays open, such as that of a batch which is fed in any
// size, is taken as 1, so that there is work to cost; each tensor where one begins is counted. Included by the
// TensorFlow reader's own files only.
#pragma once

#include <opscape/io/make_room.h>
#include <opscape/io/tensorflow/tensorflow_functions.h>

#include <map>

namespace opscape {

class TfShapes {
public:
    /// `sources`: by node, who writes each of its inputs; negative nodes are nobody. Ports that are read are worked
    /// out.
    TfShapes(const TfProgram& program, const std::vector<std::vector<TfSource>>& sources);

    /// Type and shape; the shape is unknown where neither the file nor any rule tells it.
    [[nodiscard]] Tensor output(std::size_t node, std::size_t port) const;
    /// Makes room: nobody asks any more but for what the file itself says.
    void forget(std::size_t node) { makeRoom(m_ports[node], m_outputs[node]); }
    /// Tensors in which a dimension was taken as 1 that nothing tells: their node and shape as far as it is told.
    [[nodiscard]] const std::vector<std::pair<std::size_t, Shape>>& opened() const { return m_opened; }

private:
    void infer(std::size_t node, const std::vector<std::vector<TfSource>>& sources);
    [[nodiscard]] Tensor declared(std::size_t node, std::size_t port) const;

    const TfProgram& m_program;
    std::vector<std::vector<std::size_t>> m_ports;             ///< by node, what is read of it, ascending
    std::vector<std::vector<Tensor>> m_outputs;                ///< by node, for each of its ports
    std::map<std::size_t, std::vector<std::int64_t>> m_values; ///< of first outputs, where they are few whole numbers
    std::vector<std::pair<std::size_t, Shape>> m_opened;
};

} // namespace opscape
