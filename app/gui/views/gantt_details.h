// SPDX-License-Identifier: MIT
// Beside the schedule, what it says in lists: its lanes, a range of time, the critical path, the memory of a moment,
// the marks. What is chosen in a list is selected everywhere and brought into view.
#pragma once

#include "gui/models/rows_model.h"
#include "gui/views/gantt_lane_list.h"

#include <QCheckBox>
#include <QLabel>
#include <QTabWidget>
#include <QTableView>

namespace opscape {

class GanttDetails : public QTabWidget {
    Q_OBJECT
public:
    enum Page { Lanes, Range, Path, Memory, Marks };

    GanttDetails(Session& session, GanttWidget& canvas, QWidget* parent = nullptr);

    /// Another run is shown.
    void refresh();
    /// Lists the tensors in the memory of a device at a moment, and selects the ops that made them.
    void showMemory(DeviceId device, std::int64_t ns);
    [[nodiscard]] GanttLaneList& lanes() { return *m_lanes; }

private:
    struct List {
        QLabel* head = nullptr;
        QTableView* table = nullptr;
        RowsModel* model = nullptr;
    };
    List addList(QLayout* layout, const QString& name, const QString& title);
    void showRange();
    void showPath();
    void showMarks();
    void chooseSegment(int row);
    void chooseMemory();
    void readMark(QTreeWidgetItem* item);
    void removeMark();

    Session& m_session;
    GanttWidget& m_canvas;
    GanttLaneList* m_lanes;
    List m_rangeLanes, m_rangeOps, m_path, m_memory;
    QCheckBox* m_onlyWaits;
    QTreeWidget* m_marks;
    std::vector<int> m_segments;     ///< rows of the path
    std::vector<OpId> m_topOps;      ///< rows of the ops in the range
    std::vector<MemorySpan> m_alive; ///< rows of the memory
    bool m_filling = false;
};

} // namespace opscape
