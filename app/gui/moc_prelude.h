// SPDX-License-Identifier: MIT
// Read by moc before every header of this folder: it cannot parse the standard library's <compare> unless a Qt header
// came first, and which header comes first is not for each file to care about.
#pragma once

#include <QtGlobal>
