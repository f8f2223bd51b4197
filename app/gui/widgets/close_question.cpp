// SPDX-License-Identifier: MIT
#include "gui/widgets/close_question.h"

#include "gui/session.h"

#include <QMessageBox>
#include <QPushButton>

namespace opscape {

bool mayClose(Session& session, QWidget* window) {
    const int trainings = session.trainings();
    if (trainings == 0)
        return true;
    QMessageBox box(QMessageBox::Question, QObject::tr("Close the window"),
                    trainings == 1 ? QObject::tr("A training goes on.")
                                   : QObject::tr("%1 trainings go on.").arg(trainings),
                    QMessageBox::NoButton, window);
    box.setObjectName(QStringLiteral("closeQuestion"));
    box.setInformativeText(QObject::tr("Those that go on by themselves are under Runs when the window is opened again. "
                                       "Those that are stopped keep their best plan, and can be resumed."));
    auto* goOn = box.addButton(QObject::tr("&Let them go on"), QMessageBox::AcceptRole);
    auto* stop = box.addButton(QObject::tr("&Stop them"), QMessageBox::DestructiveRole);
    auto* stay = box.addButton(QMessageBox::Cancel);
    goOn->setObjectName(QStringLiteral("goOnButton"));
    stop->setObjectName(QStringLiteral("stopButton"));
    box.setDefaultButton(goOn);
    box.setEscapeButton(stay);
    box.exec();
    if (box.clickedButton() == goOn)
        session.letTrainingsGoOn();
    return box.clickedButton() == goOn || box.clickedButton() == stop;
}

} // namespace opscape
