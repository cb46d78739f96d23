#include "ringlab/lessons/exercise/filter.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <iterator>

namespace ringlab::exercise {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the filter of system calls does not know this processor"
#endif

constexpr int kAllowed[] = {
    SYS_read,
    SYS_readv,
    SYS_pread64,
    SYS_write,
    SYS_writev,
    SYS_close,
    SYS_lseek,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_getcwd,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_brk,
    SYS_exit,
    SYS_exit_group,
    SYS_futex,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_clock_gettime,
    SYS_gettimeofday,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_getrandom,
    SYS_getpid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_uname,
    SYS_set_tid_address,
    SYS_set_robust_list,
    SYS_sched_yield,
    SYS_execve,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_arch_prctl
    SYS_arch_prctl,
#endif
#ifdef SYS_stat
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_time,
#endif
};

constexpr int kDeadly[] = {
    SYS_clone,          SYS_execveat,
    SYS_kill,           SYS_tkill,
    SYS_socket,         SYS_socketpair,
    SYS_connect,        SYS_bind,
    SYS_ptrace,         SYS_unlinkat,
    SYS_renameat2,      SYS_mkdirat,
    SYS_linkat,         SYS_symlinkat,
    SYS_fchmodat,       SYS_fchownat,
    SYS_truncate,       SYS_mount,
    SYS_setsid,         SYS_setpgid,
    SYS_unshare,        SYS_process_vm_writev,
    SYS_shmget,         SYS_memfd_create,
    SYS_io_setup,
#ifdef SYS_clone3
    SYS_clone3,
#endif
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
#endif
#ifdef SYS_fork
    SYS_fork,           SYS_vfork,
    SYS_unlink,         SYS_rename,
    SYS_mkdir,          SYS_rmdir,
    SYS_chmod,          SYS_chown,
    SYS_creat,          SYS_symlink,
    SYS_link,
#endif
};

class Program {
 public:
  void add(sock_filter instruction) { code_[size_++] = instruction; }
  void load(std::size_t offset) {
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)));
  }
  void answer(unsigned action) { add(BPF_STMT(BPF_RET | BPF_K, action)); }
  void answer_if(int call, unsigned action) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1));
    answer(action);
  }
  bool install() {
    const sock_fprog program{static_cast<unsigned short>(size_), code_};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  sock_filter code_[256] = {};
  std::size_t size_ = 0;
};

}  // namespace

bool install_filter() {
  Program program;
  program.load(offsetof(seccomp_data, arch));
  program.add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
  program.answer(SECCOMP_RET_KILL_PROCESS);
  program.load(offsetof(seccomp_data, nr));
  for (const int call : kAllowed) program.answer_if(call, SECCOMP_RET_ALLOW);
  for (const int call : kDeadly) program.answer_if(call, SECCOMP_RET_KILL_PROCESS);
  // abort() sends a signal to its own process, whose number stays the same across exec.
  program.add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 4));
  program.load(offsetof(seccomp_data, args));
  program.add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(getpid()), 0, 1));
  program.answer(SECCOMP_RET_ALLOW);
  program.answer(SECCOMP_RET_KILL_PROCESS);
#ifdef SYS_open
  program.answer_if(SYS_open, SECCOMP_RET_ERRNO | EPERM);
#endif
  // Files are opened to be read: the third argument of openat, flags, says so.
  program.add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4));
  program.load(offsetof(seccomp_data, args) + 2 * sizeof(seccomp_data::args[0]));
  program.add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1));
  program.answer(SECCOMP_RET_KILL_PROCESS);
  program.answer(SECCOMP_RET_ALLOW);
  program.answer(SECCOMP_RET_ERRNO | EPERM);
  return program.install();
}

}  // namespace ringlab::exercise
