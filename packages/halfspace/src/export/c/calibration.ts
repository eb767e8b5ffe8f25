import type { Model } from '../../model/model.ts';
import { array, double } from './write.ts';

/** Writes `NAME_probabilities(row, probabilities)` and what it needs; nothing without calibration. */
export function probabilityCode({ calibration, classes }: Model, name: string): string[] {
  if (calibration === null) return [];
  const [own] = calibration;
  const code: string[] = [];
  const isCurve = own.kind === 'isotonic' || own.kind === 'isotonic-leads';
  if (!isCurve) code.push(exponential(name));
  if (own.kind === 'platt' || own.kind === 'clipped-platt') code.push(sigmoid(name));
  const [xs, ys] = [`${name}_xs`, `${name}_ys`];
  if (isCurve) {
    const places = own.kind === 'isotonic' ? own.scores : own.leads;
    code.push(
      interpolate(name),
      array('double', xs, places.map(double)),
      array('double', ys, own.probabilities.map(double)),
    );
  }
  const end =
    classes.length === 2
      ? '  p[1] = p[0];\n  p[0] = 1.0 - p[1];'
      : `  double sum = 0.0;
  for (int k = 0; k < ${classes.length}; k++) sum += p[k];
  for (int k = 0; k < ${classes.length}; k++) p[k] = sum == 0.0 ? 1.0 / ${classes.length}.0 : p[k] / sum;`;
  const body = (): string => {
    switch (own.kind) {
      case 'softmax':
        return softmax(name, classes.length, own.slope, own.reach);
      case 'isotonic-leads':
        return leads(name, classes.length, xs, ys, own.leads.length);
      case 'isotonic':
        return `  p[0] = ${name}_interpolate(${xs}, ${ys}, ${own.scores.length}, scores[0]);`;
      default: {
        const { slope, intercept } = own;
        if (slope === 0) return `  p[0] = ${name}_sigmoid(${double(intercept)});`;
        const clip =
          own.kind === 'platt'
            ? ''
            : `  if (scores[0] < ${double(own.low)}) scores[0] = ${double(own.low)};\n  if (scores[0] > ${double(own.high)}) scores[0] = ${double(own.high)};\n`;
        return `${clip}  p[0] = ${name}_sigmoid(${double(slope)} * scores[0] + ${double(intercept)});`;
      }
    }
  };
  code.push(`static inline void ${name}_probabilities(const double *row, double *p) {
  double scores[${classes.length === 2 ? 1 : classes.length}];
  ${name}_scores(row, scores);
${body()}
${end}
}`);
  return code;
}

function softmax(name: string, classes: number, slope: number, reach: number | null): string {
  return `  double highest = scores[0];
  for (int k = 1; k < ${classes}; k++) if (scores[k] > highest) highest = scores[k];
  for (int k = 0; k < ${classes}; k++) {
    double behind = scores[k] - highest;
${reach === null ? '' : `    if (behind < ${double(-reach)}) behind = ${double(-reach)};\n`}    p[k] = ${slope === 0 ? '1.0 + 0.0 * behind' : `${name}_exponential(${double(slope)} * behind)`};
  }`;
}

function leads(name: string, classes: number, xs: string, ys: string, length: number): string {
  return `  for (int k = 0; k < ${classes}; k++) {
    double highest = scores[k == 0 ? 1 : 0];
    for (int j = 0; j < ${classes}; j++) if (j != k && scores[j] > highest) highest = scores[j];
    p[k] = ${name}_interpolate(${xs}, ${ys}, ${length}, scores[k] == highest ? 0.0 : scores[k] - highest);
  }`;
}

const odd = [2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600, 6227020800];

/** The exponential of src/kernels/exponential.ts: the same steps give the same bits. */
const exponential = (name: string) => `static inline double ${name}_exponential(double x) {
  static const double t[12] = { ${odd.map((factorial) => double(1 / factorial)).join(', ')} };
  if (x != x) return x;
  if (x > 709.0) return INFINITY;
  if (x < -708.25) return 0.0;
  double turns = x * ${double(Math.LOG2E)} + 0.5;
  int k = (int)turns;
  if ((double)k > turns) k--;
  double r = x - k * 0.6931471803691238 - k * 1.9082149292705877e-10;
  double z = r * r, z2 = z * z;
  double sum = (t[0] + t[1] * r + (t[2] + t[3] * r) * z) + (t[4] + t[5] * r + (t[6] + t[7] * r) * z) * z2 +
    (t[8] + t[9] * r + (t[10] + t[11] * r) * z) * (z2 * z2);
  unsigned long long bits = (unsigned long long)(k + 1023) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return (1.0 + (r + z * sum)) * power;
}`;

const sigmoid = (name: string) => `static inline double ${name}_sigmoid(double z) {
  if (z >= 0.0) return 1.0 / (1.0 + ${name}_exponential(-z));
  double e = ${name}_exponential(z);
  return e / (1.0 + e);
}`;

const interpolate = (
  name: string,
) => `static inline double ${name}_interpolate(const double *xs, const double *ys, int length, double x) {
  int low = 0, high = length;
  while (low < high) {
    int middle = (low + high) / 2;
    if (xs[middle] <= x) low = middle + 1;
    else high = middle;
  }
  if (low == 0) return ys[0];
  double before = ys[low - 1];
  if (low == length) return before;
  double after = ys[low], from = xs[low - 1], width = xs[low] - from;
  double share = width < INFINITY ? (x - from) / width : (x / 2.0 - from / 2.0) / (xs[low] / 2.0 - from / 2.0);
  double p = before + share * (after - before);
  return p < after ? p : after;
}`;
