// SPDX-License-Identifier: MIT
// What the Models pane has of the services under it. They have members named "slots", a word that Qt's headers make a
// macro of.
#pragma once

#pragma push_macro("slots")
#undef slots
#include "service/models.h"
#include "study/graph_families.h"
#include "study/model_trainings.h"
#include "study/training_options.h"
#pragma pop_macro("slots")
