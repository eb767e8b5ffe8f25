/*
 * The averaged perceptron's loop over sparse examples, as a native add-on would run it: what would leaving WebAssembly bring?
 * It does the same additions in the same order as the kernel `learn`, so it learns the same bits.
 *
 *   learn PREFIX PASSES HIGH LOW TEN   the examples of PREFIX as compact rows of six bytes per value, m/10^p = m·HIGH + m·LOW
 *
 * Prints {"nanoseconds": per nonzero and pass, "digest": of the weights and their sums}. Compile with:
 *   cc -O3 -march=native -ffp-contract=off
 * With AVX2 it gathers four weights at once, with AVX-512 it also decodes eight values at once; else it is plain C.
 */
#define _DEFAULT_SOURCE /* madvise */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef struct {
  size_t rows, features;
  const uint32_t *offsets;
  const double *labels;
  uint16_t *indices;
  int32_t *values;
  double high, low;
} Examples;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Memory in pages of two megabytes where the system grants them, and more than asked, because vectors read beyond the end. */
static void *hold(size_t bytes) {
  const size_t page = 1 << 21;
  void *array = aligned_alloc(page, (bytes + 64 + page) & ~(page - 1));
  if (array == NULL) exit(4);
#ifdef MADV_HUGEPAGE
  madvise(array, bytes, MADV_HUGEPAGE);
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
  if (fread(array, 1, bytes, file) != bytes) exit(4);
  fclose(file);
  *count = bytes / width;
  return array;
}

static inline double value_at(const Examples *e, size_t k) {
  const double m = e->values[k];
  return m * e->high + m * e->low;
}

/* Four sums, each of every fourth product, as the kernel adds them. */
static double dot(const Examples *e, size_t k, size_t end, const double *weights) {
  double lane[4] = {0};
#ifdef __AVX2__
  __m256d sum = _mm256_setzero_pd();
#ifdef __AVX512F__
  const __m512d highs8 = _mm512_set1_pd(e->high), lows8 = _mm512_set1_pd(e->low);
  for (; k + 8 <= end; k += 8) {
    const __m512d m = _mm512_cvtepi32_pd(_mm256_loadu_si256((const void *)(e->values + k)));
    const __m256i at = _mm256_cvtepu16_epi32(_mm_loadu_si128((const void *)(e->indices + k)));
    const __m512d x = _mm512_add_pd(_mm512_mul_pd(m, highs8), _mm512_mul_pd(m, lows8));
    const __m512d products = _mm512_mul_pd(_mm512_i32gather_pd(at, weights, 8), x);
    sum = _mm256_add_pd(sum, _mm512_castpd512_pd256(products));
    sum = _mm256_add_pd(sum, _mm512_extractf64x4_pd(products, 1));
  }
#endif
  const __m256d highs = _mm256_set1_pd(e->high), lows = _mm256_set1_pd(e->low);
  for (; k + 4 <= end; k += 4) {
    const __m256d m = _mm256_cvtepi32_pd(_mm_loadu_si128((const void *)(e->values + k)));
    const __m128i at = _mm_cvtepu16_epi32(_mm_loadl_epi64((const void *)(e->indices + k)));
    const __m256d x = _mm256_add_pd(_mm256_mul_pd(m, highs), _mm256_mul_pd(m, lows));
    sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_i32gather_pd(weights, at, 8), x));
  }
  _mm256_storeu_pd(lane, sum);
#else
  for (; k + 4 <= end; k += 4)
    for (size_t j = 0; j < 4; j++) lane[j] += weights[e->indices[k + j]] * value_at(e, k + j);
#endif
  for (size_t j = 0; k < end; k++, j++) lane[j] += weights[e->indices[k]] * value_at(e, k);
  return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/* One pass. The state has the bias, the sum of biases and the clock. */
static void learn(const Examples *e, double *weights, double *sums, double state[3]) {
  double bias = state[0], bias_sum = state[1], clock = state[2];
  for (size_t i = 0; i < e->rows; i++) {
    const double y = e->labels[i];
    const size_t from = e->offsets[i], end = e->offsets[i + 1];
    const double a = dot(e, from, end, weights) + bias;
    if (!(y * a > 0)) {
      const double s = clock * y;
      bias += y;
      bias_sum += s;
      for (size_t k = from; k < end; k++) {
        const size_t at = e->indices[k];
        const double x = value_at(e, k);
        weights[at] += y * x;
        sums[at] += s * x;
      }
    }
    clock += 1;
  }
  state[0] = bias;
  state[1] = bias_sum;
  state[2] = clock;
}

/* FNV-1a over the 32-bit words. */
static uint32_t digest(uint32_t hash, const double *numbers, size_t n) {
  const uint32_t *words = (const uint32_t *)numbers;
  for (size_t k = 0; k < 2 * n; k++) hash = (hash ^ words[k]) * 16777619u;
  return hash;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: learn PREFIX PASSES HIGH LOW TEN\n");
    return 2;
  }
  const char *prefix = argv[1];
  const int passes = atoi(argv[2]);
  const double ten = atof(argv[5]);
  size_t bounds, nonzeros, count;
  Examples e = {.high = strtod(argv[3], NULL), .low = strtod(argv[4], NULL)};
  e.offsets = load(prefix, "offsets", 4, &bounds);
  e.labels = load(prefix, "labels", 8, &e.rows);
  const uint32_t *indices = load(prefix, "indices", 4, &nonzeros);
  const double *values = load(prefix, "values", 8, &count);
  e.indices = hold(2 * nonzeros);
  e.values = hold(4 * nonzeros);
  for (size_t k = 0; k < nonzeros; k++) {
    e.indices[k] = (uint16_t)indices[k];
    e.values[k] = (int32_t)nearbyint(values[k] * ten);
    if (e.indices[k] != indices[k] || value_at(&e, k) != values[k]) {
      fprintf(stderr, "expected values of few decimal places and 16-bit indices\n");
      return 3;
    }
    if (indices[k] >= e.features) e.features = indices[k] + 1;
  }
  double *weights = hold(8 * e.features), *sums = hold(8 * e.features);
  for (size_t j = 0; j < e.features; j++) weights[j] = sums[j] = 0;
  double state[3] = {0};
  const double began = now();
  for (int pass = 0; pass < passes; pass++) learn(&e, weights, sums, state);
  const double nanoseconds = 1e9 * (now() - began) / ((double)nonzeros * passes);
  const uint32_t hash = digest(digest(2166136261u, weights, e.features), sums, e.features);
  printf("{\"nanoseconds\": %.4f, \"digest\": %u}\n", nanoseconds, hash);
  return 0;
}
