# The three kinds of target the project is made of, so that each CMakeLists.txt says only what is its own.

add_library(opscape_options INTERFACE)
target_include_directories(opscape_options INTERFACE ${CMAKE_BINARY_DIR}/include)
target_compile_options(opscape_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>) # GCC 12 reports it falsely on std::string (bug 105651)
if(OPSCAPE_SANITIZE)
  target_compile_options(opscape_options INTERFACE -fsanitize=${OPSCAPE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(opscape_options INTERFACE -fsanitize=${OPSCAPE_SANITIZE})
endif()
target_compile_definitions(opscape_options INTERFACE OPSCAPE_VERSION="${PROJECT_VERSION}")

# opscape_core(NAME SOURCES ... [DEPS core libraries] [LIBS third-party, private])
# A shared library opscape_NAME, so that the application and every plugin see one copy of it.
function(opscape_core NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;LIBS" ${ARGN})
  set(TARGET opscape_${NAME})
  add_library(${TARGET} SHARED ${ARG_SOURCES})
  target_link_libraries(${TARGET} PUBLIC opscape_options PRIVATE ${ARG_LIBS})
  foreach(DEP ${ARG_DEPS})
    target_link_libraries(${TARGET} PUBLIC opscape_${DEP})
  endforeach()
  target_compile_definitions(${TARGET} PRIVATE OPSCAPE_BUILDING_${NAME})
  set_target_properties(${TARGET} PROPERTIES CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN ON
                        INSTALL_RPATH "$ORIGIN")
  install(TARGETS ${TARGET} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# opscape_plugin(NAME SOURCES ... [DEPS core libraries] [LIBS third-party, private])
# A module in the plugin folder; it sees core only.
function(opscape_plugin NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;LIBS" ${ARGN})
  set(TARGET opscape_plugin_${NAME})
  add_library(${TARGET} MODULE ${ARG_SOURCES})
  target_link_libraries(${TARGET} PRIVATE opscape_options opscape_task ${ARG_LIBS})
  foreach(DEP ${ARG_DEPS})
    target_link_libraries(${TARGET} PRIVATE opscape_${DEP})
  endforeach()
  set_target_properties(${TARGET} PROPERTIES PREFIX "" OUTPUT_NAME ${NAME}
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${OPSCAPE_PLUGIN_SUBDIR}
                        INSTALL_RPATH "$ORIGIN/../..")
  set_property(GLOBAL APPEND PROPERTY OPSCAPE_PLUGIN_TARGETS ${TARGET})
  install(TARGETS ${TARGET} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/${OPSCAPE_PLUGIN_SUBDIR})
endfunction()

# opscape_test(NAME SOURCES ... [LIBS ...]): one GoogleTest program, each of its tests a ctest test.
function(opscape_test NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  set(TARGET test_${NAME})
  add_executable(${TARGET} ${ARG_SOURCES})
  target_link_libraries(${TARGET} PRIVATE opscape_options ${ARG_LIBS} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${TARGET} PRIVATE
    OPSCAPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    OPSCAPE_BINARY_DIR="${CMAKE_BINARY_DIR}"
    OPSCAPE_SHARED_DATA="${CMAKE_SOURCE_DIR}/../shared/data")
  target_include_directories(${TARGET} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  set_target_properties(${TARGET} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  gtest_discover_tests(${TARGET} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8")
endfunction()
