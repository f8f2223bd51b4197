# Writes OUTPUT, a C++ file with the text of every schema step, in order, from the files in SOURCES (separated by |).
string(REPLACE "|" ";" SOURCES "${SOURCES}")
set(STEPS "")
foreach(SOURCE ${SOURCES})
  file(READ ${SOURCE} TEXT)
  string(APPEND STEPS "    R\"sql(${TEXT})sql\",\n")
endforeach()
file(WRITE ${OUTPUT} "// Made by embed_schema.cmake.
#include <opscape/store/migration.h>

namespace opscape {

static constexpr std::string_view kSteps[] = {
${STEPS}};

std::span<const std::string_view> schemaSteps() { return kSteps; }

} // namespace opscape
")
