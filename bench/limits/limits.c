/*
 * What this machine can do at best, for the work that a pass over sparse examples cannot avoid. Best of several passes.
 *
 *   limits arrays PREFIX   stream: add up 8-byte values in order; gatherDot: dot products of the rows with a dense vector,
 *                          reading 4 bytes of index and 8 of value per nonzero, and gathering 8 of weight
 *   limits text FILE       read a file in pieces and count its lines: the least that a reader of text can do
 *
 * Prints one JSON object. Compile with: cc -O3 -march=native -ffast-math
 * -ffast-math lets the compiler add in any order, with vectors and gathers: a limit, not a promise of equal bits.
 */
#define _DEFAULT_SOURCE /* madvise */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { passes = 9, piece = 1 << 20, lanes = 32 };

static volatile double sink;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Memory in pages of two megabytes where the system grants them: fewer misses in its tables. NumPy asks for them too. */
static void *hold(size_t bytes) {
  const size_t page = 1 << 21;
  void *array = aligned_alloc(page, (bytes + page) & ~(page - 1));
#ifdef MADV_HUGEPAGE
  if (array != NULL) madvise(array, bytes, MADV_HUGEPAGE);
#endif
  return array;
}

static void *load(const char *prefix, const char *part, size_t width, size_t *count) {
  char path[4096];
  snprintf(path, sizeof path, "%s.%s", prefix, part);
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(4);
  }
  fseek(file, 0, SEEK_END);
  const size_t bytes = (size_t)ftell(file);
  rewind(file);
  void *array = hold(bytes);
  if (array == NULL || fread(array, 1, bytes, file) != bytes) {
    fprintf(stderr, "cannot hold %s\n", path);
    exit(4);
  }
  fclose(file);
  *count = bytes / width;
  return array;
}

/* In many lanes, so that memory and not the latency of one addition after another is what is measured. */
static double stream(const double *values, size_t n) {
  double lane[lanes] = {0}, sum = 0;
  size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    for (size_t j = 0; j < lanes; j++) lane[j] += values[k + j];
  for (; k < n; k++) sum += values[k];
  for (size_t j = 0; j < lanes; j++) sum += lane[j];
  return sum;
}

static double gather_dot(const uint32_t *offsets, size_t rows, const uint32_t *indices, const double *values,
                         const double *weights) {
  double positives = 0;
  for (size_t i = 0; i < rows; i++) {
    double score = 0;
    for (uint32_t k = offsets[i]; k < offsets[i + 1]; k++) score += values[k] * weights[indices[k]];
    positives += score > 0;
  }
  return positives;
}

static int arrays(const char *prefix) {
  size_t bounds, nonzeros, count;
  const uint32_t *offsets = load(prefix, "offsets", 4, &bounds);
  const uint32_t *indices = load(prefix, "indices", 4, &nonzeros);
  const double *values = load(prefix, "values", 8, &count);
  uint32_t largest = 0;
  for (size_t k = 0; k < nonzeros; k++)
    if (indices[k] > largest) largest = indices[k];
  double *weights = hold(8 * ((size_t)largest + 1));
  if (weights == NULL) return 4;
  for (uint32_t j = 0; j <= largest; j++) weights[j] = (j * 2654435761u) / 4294967296.0 - 0.5;

  double best_stream = 1e9, best_gather = 1e9;
  for (int pass = 0; pass < passes; pass++) {
    const double a = now();
    sink = stream(values, nonzeros);
    const double b = now();
    sink = gather_dot(offsets, bounds - 1, indices, values, weights);
    const double c = now();
    if (b - a < best_stream) best_stream = b - a;
    if (c - b < best_gather) best_gather = c - b;
  }
  printf("{\"nonzeros\": %zu, \"streamNanoseconds\": %.4f, \"gatherDotNanoseconds\": %.4f}\n", nonzeros,
         1e9 * best_stream / (double)nonzeros, 1e9 * best_gather / (double)nonzeros);
  return 0;
}

static int text(const char *path) {
  char *bytes = malloc(piece);
  double best = 1e9;
  size_t lines = 0, total = 0;
  for (int pass = 0; pass < 3; pass++) {
    const int file = open(path, O_RDONLY);
    if (file < 0 || bytes == NULL) {
      fprintf(stderr, "cannot read %s\n", path);
      return 4;
    }
    lines = total = 0;
    const double began = now();
    for (ssize_t got; (got = read(file, bytes, piece)) > 0; total += (size_t)got)
      for (const char *at = bytes, *end = bytes + got; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++) lines++;
    const double seconds = now() - began;
    if (seconds < best) best = seconds;
    close(file);
  }
  printf("{\"bytes\": %zu, \"lines\": %zu, \"seconds\": %.6f}\n", total, lines, best);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "arrays") == 0) return arrays(argv[2]);
  if (argc == 3 && strcmp(argv[1], "text") == 0) return text(argv[2]);
  fprintf(stderr, "usage: limits arrays PREFIX | limits text FILE\n");
  return 2;
}
