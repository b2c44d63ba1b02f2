/* Preloaded into every process of a host: the time of day is the machine's plus what stands in CLOCK_FILE, in milliseconds. Clocks
   that only count on (CLOCK_MONOTONIC) are left as they are, as when an administrator sets the clock. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *jumped_ms;

__attribute__((constructor)) static void open_clock(void) {
  int file = open(CLOCK_FILE, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) jumped_ms = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result != 0 || jumped_ms == NULL || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
  int64_t jumped = *jumped_ms, nanoseconds = now->tv_nsec + jumped % 1000 * 1000000;
  now->tv_sec += jumped / 1000 + (nanoseconds < 0 ? -1 : nanoseconds >= 1000000000);
  now->tv_nsec = nanoseconds < 0 ? nanoseconds + 1000000000 : nanoseconds % 1000000000;
  return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec precise;
  if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *kept) {
  struct timespec precise;
  if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
  if (kept != NULL) *kept = precise.tv_sec;
  return precise.tv_sec;
}
