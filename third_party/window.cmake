# What only the window needs: GLFW, OpenGL through glad (generated at build), FreeType, Dear ImGui 1.92.
find_package(glfw3 REQUIRED)
find_package(Freetype REQUIRED)
find_package(OpenGL REQUIRED COMPONENTS OpenGL)
set_target_properties(glfw PROPERTIES IMPORTED_GLOBAL TRUE)

# The system's python3: another one earlier in PATH does not see the package.
find_program(HEADLIGHT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(NOT HEADLIGHT_PYTHON)
  find_program(HEADLIGHT_PYTHON python3 REQUIRED)
endif()
# --reproducible: the same files every time, made offline from the specification inside the package.
set(glad ${CMAKE_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${glad}/src/gl.c ${glad}/include/glad/gl.h
  COMMAND ${HEADLIGHT_PYTHON} -m glad --api gl:core=3.3 --reproducible --quiet --out-path ${glad} c
  COMMENT "Generating the OpenGL 3.3 loader" VERBATIM)
enable_language(C)
add_library(headlight_glad STATIC ${glad}/src/gl.c ${glad}/include/glad/gl.h)
target_include_directories(headlight_glad SYSTEM PUBLIC ${glad}/include)
add_library(headlight::glad ALIAS headlight_glad)

if(EXISTS ${sources}/imgui/imgui.h)
  set(imgui ${sources}/imgui)
  add_library(headlight_imgui STATIC
    ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp ${imgui}/imgui_widgets.cpp
    ${imgui}/misc/cpp/imgui_stdlib.cpp ${imgui}/misc/freetype/imgui_freetype.cpp
    ${imgui}/backends/imgui_impl_glfw.cpp ${imgui}/backends/imgui_impl_opengl3.cpp)
  target_include_directories(headlight_imgui SYSTEM PUBLIC ${imgui} ${imgui}/backends ${imgui}/misc/cpp)
  # The test-engine hooks give every widget's label and rectangle to scripts; app/gui defines them. WCHAR32 is needed for emoji.
  target_compile_definitions(headlight_imgui PUBLIC IMGUI_USE_WCHAR32 IMGUI_ENABLE_FREETYPE IMGUI_ENABLE_TEST_ENGINE
    IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_DEMO_WINDOWS)
  target_link_libraries(headlight_imgui PUBLIC headlight_options glfw Freetype::Freetype OpenGL::GL)
  add_library(imgui::imgui ALIAS headlight_imgui)
else()
  find_package(imgui CONFIG QUIET)
  if(NOT imgui_FOUND)
    message(FATAL_ERROR "Dear ImGui 1.92 was not found. ${hint}")
  endif()
endif()
