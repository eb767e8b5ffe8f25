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
export { rootOf } from './exact/whole.ts';
export { type Gathered, type GatherOptions, gather } from './gather.ts';
export type { CertifyProgress } from './search/clock.ts';
