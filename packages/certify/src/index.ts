export type {
  CeilingProof,
  Certificate,
  CertifiedData,
  Contradiction,
  ErrorsProof,
  Fraction,
  SeparatorProof,
  Whole,
} from './certificate.ts';
export { type CertifyOptions, certify, encodeCertificate } from './certify.ts';
export { type CheckResult, check, digestOfCertificate, digestOfExamples, examplesOf } from './check.ts';
export { mostUpdates, rootAbove, rootBelow } from './exact/outward.ts';
export { type Gathered, type GatherOptions, gather } from './gather.ts';
export type { CertifyProgress } from './search/clock.ts';
