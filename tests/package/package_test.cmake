# Installs what was built into a fresh prefix and lets a project that knows nothing else use it:
# configures, builds and runs tests/package. Run by ctest as
#   cmake -D source=<checkout> -D build=<build tree> -D work=<scratch> -D compiler=<c++> -P this
set(prefix "${work}/prefix")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("${CMAKE_COMMAND}" --install "${build}" --prefix "${prefix}")

# A header that includes what is not installed would be found by the first user.
# Those of the CPU library. Kernel headers are for nvcc, or for a CPU that plays one, never for both.
file(GLOB_RECURSE headers RELATIVE "${prefix}/include" "${prefix}/include/ringlab/reference/*.hpp")
list(LENGTH headers count)
if(count LESS 30)
  message(FATAL_ERROR "only ${count} headers were installed")
endif()
set(text "")
foreach(header IN LISTS headers)
  string(APPEND text "#include \"${header}\"\n")
endforeach()
file(WRITE "${work}/all_headers.cpp" "${text}")

run("${CMAKE_COMMAND}" -S "${source}/tests/package" -B "${work}/build" -G Ninja
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_CXX_FLAGS=${flags}"
  "-DRINGLAB_ALL_HEADERS=${work}/all_headers.cpp")
run("${CMAKE_COMMAND}" --build "${work}/build")
run("${work}/build/ring_consumer")
message(STATUS "installed, ${count} headers: ${output}")

# The same project over the sources is only configured: building all of it again proves little more.
run("${CMAKE_COMMAND}" -S "${source}/tests/package" -B "${work}/subdirectory" -G Ninja
  "-DCMAKE_CXX_COMPILER=${compiler}" "-DRINGLAB_SOURCES=${source}")
