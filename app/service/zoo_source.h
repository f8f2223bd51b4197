// SPDX-License-Identifier: MIT
// A model of the zoo in place of a file: "zoo:rnnlm4", "zoo:rnnlm4,paper", "zoo:rnnlm4,paper,hidden=512". Understood
// wherever a graph file is, so that a zoo graph can be opened, compared, kept as a run and opened again like any other.
#pragma once

#include <opscape/device/cluster.h>
#include <opscape/zoo/zoo.h>

namespace opscape {

struct ZooSource {
    std::string model;
    std::string preset{kZooPresets[0]};
    std::map<std::string, std::string> settings; ///< parameters that differ from the preset

    /// The same in words, the preset always named: what parse() reads back.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] Result<Graph> build() const { return buildZooModel(model, preset, settings); }

    /// The bundled cluster with as many P100s as the workload was published on; none where there is no such.
    [[nodiscard]] std::optional<Cluster> publishedCluster() const;

    /// True for what is meant as a model of the zoo, not as a file.
    [[nodiscard]] static bool isMeant(std::string_view path);
    /// The error names what is wrong and how it is written; models and parameters are checked by build().
    [[nodiscard]] static Result<ZooSource> parse(std::string_view path);
};

} // namespace opscape
