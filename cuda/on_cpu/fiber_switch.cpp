#include "ringlab/cuda/on_cpu/fiber_switch.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>

#if defined(__x86_64__) && !defined(RINGLAB_FIBERS_UCONTEXT)
#define RINGLAB_FIBERS_ASSEMBLY
#else
#include <ucontext.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#ifdef RINGLAB_FIBERS_ASSEMBLY
// void ringlab_switch_stack(void** save, void* load): pushes what the System V ABI asks a callee to
// keep, leaves the stack pointer in *save, and continues where `load` was left in the same way.
asm(R"(
.text
.globl ringlab_switch_stack
.hidden ringlab_switch_stack
.type ringlab_switch_stack, @function
ringlab_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size ringlab_switch_stack, .-ringlab_switch_stack
)");
extern "C" void ringlab_switch_stack(void** save, void* load);
#endif

namespace ringlab::on_cpu {
namespace {

// A stack, and below it a page that nothing may touch: an overflow stops here instead of running
// into a neighbour's stack.
struct Stack {
  explicit Stack(std::size_t bytes) : size(bytes), page(static_cast<std::size_t>(getpagesize())) {
    void* memory =
        mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    if (mprotect(memory, page, PROT_NONE) != 0) {
      munmap(memory, size + page);
      throw std::bad_alloc();
    }
    bottom = static_cast<char*>(memory) + page;
  }
  ~Stack() { munmap(bottom - page, size + page); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  std::size_t size, page;
  char* bottom = nullptr;
};

}  // namespace

struct Fiber::State {
  explicit State(std::size_t stack_bytes) : stack(stack_bytes) {
#if defined(__SANITIZE_THREAD__)
    tsan_fiber = __tsan_create_fiber(0);
#endif
  }
#if defined(__SANITIZE_THREAD__)
  ~State() {
    __tsan_destroy_fiber(tsan_fiber);
  }
  void* tsan_fiber = nullptr;
  void* tsan_outside = nullptr;
#endif

  // Both directions of the switch, with what the sanitizers want to know of it.
  void go_in() {
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, stack.bottom, stack.size);
#endif
#if defined(__SANITIZE_THREAD__)
    tsan_outside = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(tsan_fiber, 0);
#endif
#ifdef RINGLAB_FIBERS_ASSEMBLY
    ringlab_switch_stack(&outside, inside);
#else
    swapcontext(&outside, &inside);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  }

  void go_out() {
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(done ? nullptr : &fake, outside_bottom, outside_size);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(tsan_outside, 0);
#endif
#ifdef RINGLAB_FIBERS_ASSEMBLY
    ringlab_switch_stack(&inside, outside);
#else
    swapcontext(&inside, &outside);
#endif
    arrived(
#if defined(__SANITIZE_ADDRESS__)
        fake
#else
        nullptr
#endif
    );
  }

  void arrived([[maybe_unused]] void* fake) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, &outside_bottom, &outside_size);
#endif
  }

  // The first frame on the stack; a finished fiber is never entered again.
  static thread_local State* entering;
  static void first_frame() {
    State* self = entering;
    self->arrived(nullptr);
    self->entry(self->argument);
    self->done = true;
    self->go_out();
  }

  Stack stack;
  Entry entry = nullptr;
  void* argument = nullptr;
  bool done = true, begun = false;
#ifdef RINGLAB_FIBERS_ASSEMBLY
  void *inside = nullptr, *outside = nullptr;  // stack pointers
#else
  ucontext_t inside{}, outside{};
#endif
#if defined(__SANITIZE_ADDRESS__)
  const void* outside_bottom = nullptr;
  std::size_t outside_size = 0;
#endif
};

thread_local Fiber::State* Fiber::State::entering = nullptr;

Fiber::Fiber(std::size_t stack_bytes) : state_(std::make_unique<State>(stack_bytes)) {}
Fiber::~Fiber() = default;
Fiber::Fiber(Fiber&&) noexcept = default;
Fiber& Fiber::operator=(Fiber&&) noexcept = default;

void Fiber::prepare(Entry entry, void* argument) {
  State& s = *state_;
#if defined(__SANITIZE_ADDRESS__)
  // A function that was dropped half-way leaves its frames marked.
  if (s.begun && !s.done) __asan_unpoison_memory_region(s.stack.bottom, s.stack.size);
#endif
  s.entry = entry;
  s.argument = argument;
  s.done = s.begun = false;
#ifdef RINGLAB_FIBERS_ASSEMBLY
  // As if first_frame had been called and had just saved its registers: six of them, the address to
  // return to, and a null return address of first_frame itself, at which unwinding ends.
  auto* top = reinterpret_cast<void**>(s.stack.bottom + s.stack.size) - 8;
  for (int i = 0; i < 8; ++i) top[i] = nullptr;
  top[6] = reinterpret_cast<void*>(&State::first_frame);
  s.inside = top;
#else
  getcontext(&s.inside);
  s.inside.uc_stack.ss_sp = s.stack.bottom;
  s.inside.uc_stack.ss_size = s.stack.size;
  s.inside.uc_link = nullptr;
  makecontext(&s.inside, &State::first_frame, 0);
#endif
}

void Fiber::resume() {
  if (!state_->begun) State::entering = state_.get();
  state_->begun = true;
  state_->go_in();
}

void Fiber::suspend() {
  state_->go_out();
}

bool Fiber::finished() const {
  return state_->done;
}

}  // namespace ringlab::on_cpu
