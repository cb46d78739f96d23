# nvcc is optional. Found, RINGLAB_HAVE_CUDA is on and the GPU side of cuda/ is compiled as well.
#
# nvcc is called by rules of our own rather than through enable_language(CUDA): the same .cu files are
# C++ sources of the CPU side, and what ptxas says of each one is kept for a test to read.
set(RINGLAB_CUDA AUTO CACHE STRING "Compile the GPU side: AUTO (where nvcc is found), ON or OFF")
set_property(CACHE RINGLAB_CUDA PROPERTY STRINGS AUTO ON OFF)
set(RINGLAB_CUDA_ARCHITECTURES "80;90" CACHE STRING "Compute capabilities to compile for")

set(RINGLAB_HAVE_CUDA OFF)
if(NOT RINGLAB_CUDA STREQUAL "OFF")
  find_package(CUDAToolkit 12 QUIET)
  if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE AND TARGET CUDA::cudart_static)
    set(RINGLAB_HAVE_CUDA ON)
  elseif(RINGLAB_CUDA STREQUAL "ON")
    message(FATAL_ERROR "RINGLAB_CUDA is ON, but no CUDA toolkit with nvcc 12 or newer was found; "
      "set CUDAToolkit_ROOT, or RINGLAB_CUDA=OFF to build without GPUs")
  endif()
endif()

# ringlab_nvcc(OUT sources... [INCLUDES folders' targets...])
#
# Compiles .cu files for the GPU side, warnings being errors; puts the objects in OUT and the files
# with ptxas's figures in OUT_ptxas. INCLUDES names what a file may include: core cuda_ptx ...
function(ringlab_nvcc out)
  cmake_parse_arguments(arg "" "" "INCLUDES" ${ARGN})
  set(flags -x cu -std=c++20 -O3 -DRINGLAB_CUDA_ON_GPU -Werror all-warnings -Xptxas -v
    -Xcompiler -fPIC)
  foreach(capability IN LISTS RINGLAB_CUDA_ARCHITECTURES)
    list(APPEND flags -gencode arch=compute_${capability},code=sm_${capability})
  endforeach()
  # The newest also as PTX, for GPUs that come later.
  list(GET RINGLAB_CUDA_ARCHITECTURES -1 newest)
  list(APPEND flags -gencode arch=compute_${newest},code=compute_${newest})
  foreach(view IN LISTS arg_INCLUDES)
    list(APPEND flags "-I${PROJECT_BINARY_DIR}/include/${view}")
  endforeach()
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/gpu/${source}.o")
    set(ptxas "${CMAKE_CURRENT_BINARY_DIR}/gpu/${source}.ptxas")
    add_custom_command(OUTPUT "${object}" "${ptxas}"
      COMMAND ${CMAKE_COMMAND} "-DLOG=${ptxas}" -P "${PROJECT_SOURCE_DIR}/cmake/run_logged.cmake" --
        "${CUDAToolkit_NVCC_EXECUTABLE}" ${flags} -MD -MF "${object}.d" -MT "${object}"
        -c "${CMAKE_CURRENT_SOURCE_DIR}/${source}" -o "${object}"
      DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
      DEPFILE "${object}.d"
      COMMENT "Compiling ${source} with nvcc"
      VERBATIM)
    list(APPEND objects "${object}")
    list(APPEND logs "${ptxas}")
  endforeach()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set(${out} ${objects} PARENT_SCOPE)
  set(${out}_ptxas ${logs} PARENT_SCOPE)
endfunction()
