/*
 * Measures the best possible times on this machine for the unavoidable work of a pass over sparse examples. Best of
 * several passes.
 *
 *   limits arrays PREFIX   stream4, stream: add up 4-byte and 8-byte values in order; gatherDot: dot products of the rows with a
 *                          dense vector, reading 4 bytes of index and 8 of value per nonzero, and gathering 8 of weight
 *   limits dense PREFIX COLUMNS   stream4, stream: as above; dot: dot products of dense rows of 4-byte values with a vector
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

static double stream4(const float *values, size_t n) {
  float lane[lanes] = {0}, sum = 0;
  size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    for (size_t j = 0; j < lanes; j++) lane[j] += values[k + j];
  for (; k < n; k++) sum += values[k];
  for (size_t j = 0; j < lanes; j++) sum += lane[j];
  return sum;
}

/* The fastest of several adding-up loops over `n` values of 4 bytes and of 8, in nanoseconds a value. */
static void streams(const float *narrow, const double *wide, size_t n, double *four, double *eight) {
  *four = *eight = 1e18;
  for (int pass = 0; pass < passes; pass++) {
    const double a = now();
    sink = stream4(narrow, n);
    const double b = now();
    sink = stream(wide, n);
    const double c = now();
    if (1e9 * (b - a) < *four * (double)n) *four = 1e9 * (b - a) / (double)n;
    if (1e9 * (c - b) < *eight * (double)n) *eight = 1e9 * (c - b) / (double)n;
  }
}

static double dot_rows(const float *values, size_t rows, size_t columns, const double *weights) {
  double positives = 0;
  for (size_t i = 0; i < rows; i++, values += columns) {
    double score = 0;
    for (size_t j = 0; j < columns; j++) score += values[j] * weights[j];
    positives += score > 0;
  }
  return positives;
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

  double best_gather = 1e9;
  for (int pass = 0; pass < passes; pass++) {
    const double a = now();
    sink = gather_dot(offsets, bounds - 1, indices, values, weights);
    const double b = now();
    if (b - a < best_gather) best_gather = b - a;
  }
  float *narrow = hold(4 * nonzeros);
  if (narrow == NULL) return 4;
  for (size_t k = 0; k < nonzeros; k++) narrow[k] = (float)values[k];
  double four, eight;
  streams(narrow, values, nonzeros, &four, &eight);
  printf("{\"nonzeros\": %zu, \"stream4Nanoseconds\": %.4f, \"streamNanoseconds\": %.4f, \"gatherDotNanoseconds\": %.4f}\n",
         nonzeros, four, eight, 1e9 * best_gather / (double)nonzeros);
  return 0;
}

static int dense(const char *prefix, size_t columns) {
  size_t count;
  const float *values = load(prefix, "values", 4, &count);
  double *wide = hold(8 * count), *weights = hold(8 * columns);
  if (wide == NULL || weights == NULL) return 4;
  for (size_t k = 0; k < count; k++) wide[k] = values[k];
  for (size_t j = 0; j < columns; j++) weights[j] = (double)j - 0.4 * (double)columns;

  double best_dot = 1e9, four, eight;
  for (int pass = 0; pass < passes; pass++) {
    const double a = now();
    sink = dot_rows(values, count / columns, columns, weights);
    const double b = now();
    if (b - a < best_dot) best_dot = b - a;
  }
  streams(values, wide, count, &four, &eight);
  printf("{\"values\": %zu, \"stream4Nanoseconds\": %.4f, \"streamNanoseconds\": %.4f, \"dotNanoseconds\": %.4f}\n", count, four,
         eight, 1e9 * best_dot / (double)count);
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
  if (argc == 4 && strcmp(argv[1], "dense") == 0) return dense(argv[2], (size_t)atol(argv[3]));
  if (argc == 3 && strcmp(argv[1], "text") == 0) return text(argv[2]);
  fprintf(stderr, "usage: limits arrays PREFIX | limits dense PREFIX COLUMNS | limits text FILE\n");
  return 2;
}
