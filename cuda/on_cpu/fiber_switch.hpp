// One fiber: a stack of its own on which a function runs, stops in the middle, and goes on later.
//
// A switch saves the six registers that a called function must keep and exchanges the stack
// pointer: about 4 ns. (ucontext does the same with a system call per switch, about 90 times
// slower; it is what other CPUs than x86-64 get.) The sanitizers are told of every switch.
#pragma once

#include <cstddef>
#include <memory>

namespace ringlab::on_cpu {

class Fiber {
 public:
  using Entry = void (*)(void* argument);

  explicit Fiber(std::size_t stack_bytes);
  ~Fiber();
  Fiber(Fiber&&) noexcept;
  Fiber& operator=(Fiber&&) noexcept;

  /// Makes `entry(argument)` what the next resume() begins. Whatever ran here before is dropped
  /// where it stood; destructors of its locals do not run.
  void prepare(Entry entry, void* argument);
  /// Runs until the function suspends or returns. Called outside of any fiber.
  void resume();
  /// Goes back to whoever resumed this fiber. Called inside it.
  void suspend();
  /// True when the function has returned.
  bool finished() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ringlab::on_cpu
