export type {
  CeilingProof,
  Certificate,
  CertifiedData,
  ConesProof,
  Contradiction,
  EncodingChange,
  ErrorsProof,
  FeatureRelation,
  Fraction,
  InteriorProof,
  Prediction,
  SeparatorProof,
  Whole,
} from './certificate.ts';
export { type CertifyOptions, certify, encodeCertificate } from './certify.ts';
export { changesOf, statedFeatures } from './changes.ts';
export { type CheckResult, check, digestOfBytes, digestOfCertificate } from './check.ts';
export type { CertifyProgress } from './clock.ts';
export { contradict } from './exact/contradiction.ts';
export { mostUpdates, rootAbove, rootBelow } from './exact/outward.ts';
export type { ExactBatch } from './exact/values.ts';
export { type Gathered, type GatherOptions, gather } from './gather.ts';
export { type FeaturePair, withProducts } from './products.ts';
export { canonicalRows, examplesOf } from './rows.ts';
export { viprPieces } from './vipr.ts';
export { decimalFeatures, WrittenNumbers } from './written.ts';
