// SPDX-License-Identifier: MIT
// A graph and its plan as tables for spreadsheets and scripts: CSV in UTF-8 with a header, a line per op, edge or
// moment, times in ns and sizes in bytes; a field is empty where nothing is known. The schedule is a table too
// (io/schedule_export.h).
#pragma once

#include <opscape/base/result.h>
#include <opscape/io/write/graph_to_write.h>

namespace opscape {

/// name,type,phase,scope,device,time_ns,flops,bytes_moved,workspace_bytes,output_bytes,resident_bytes,colocation
[[nodiscard]] Result<WrittenGraph> writeOpsCsv(const GraphToWrite& what);
/// from,to,kind,tensor,dtype,shape,bytes,from_device,to_device; by producer, tensor and reader, then control edges.
[[nodiscard]] Result<WrittenGraph> writeEdgesCsv(const GraphToWrite& what);
/// name,device,priority,fusion_group
[[nodiscard]] Result<WrittenGraph> writePlacementCsv(const GraphToWrite& what);
/// device,time_ns,bytes: in use from then on.
[[nodiscard]] Result<WrittenGraph> writeMemoryCsv(const GraphToWrite& what);
/// All of it, as io/schedule_export.h has it.
[[nodiscard]] Result<WrittenGraph> writeWholeScheduleCsv(const GraphToWrite& what);
[[nodiscard]] Result<WrittenGraph> writeWholeChromeTrace(const GraphToWrite& what);

} // namespace opscape
