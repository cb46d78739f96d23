// Which side a piece of CUDA code is compiled for: the CPU (g++, fibers) or the GPU (nvcc).
//
// Both sides come from the same sources and may be linked into one program. So everything whose
// machine code differs lives in an inline namespace of its side: callers write ringlab::cuda::x,
// and the linker never mixes the two. A target for the GPU side defines RINGLAB_CUDA_ON_GPU.
#pragma once

#ifndef RINGLAB_CUDA_SIDE
#ifdef RINGLAB_CUDA_ON_GPU
#define RINGLAB_CUDA_SIDE gpu_side
#else
#define RINGLAB_CUDA_SIDE cpu_side
#endif
#endif
