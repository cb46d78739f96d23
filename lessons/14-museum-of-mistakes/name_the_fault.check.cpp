#include "name_the_fault.hpp"

Fault name_the_fault(WrongRun& run);

int main() {
  return serve([](Given& in, Answer& out) {
    WrongRun run(in);
    out.add(static_cast<double>(name_the_fault(run)));
    out.add(static_cast<double>(run.questions()));
  });
}
