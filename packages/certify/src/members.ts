import type { Certificate } from './certificate.ts';

/** The members of each part of a certificate. */
const members = {
  certificate:
    'format version verdict data radiusSquared separator ceiling contradictions interior errors predictions digest',
  data: 'examples dimension classes numbers changes digest features',
  separator: 'weights bias marginSquared absorbedMarginSquared',
  ceiling: 'rows weights marginSquared',
  contradiction: 'rows weights total',
  interior: 'weights leastEigenvalue relations',
  relation: 'features coefficients',
  errors: 'atLeast atMost prices unit cones weights bias',
  prediction: 'row atLeast contradictions cones',
  cones: 'centre factors splits pairs',
};

/**
 * Demands objects with their members, in any order, and no others.
 *
 * @throws TypeError with the first part that has not.
 */
export function demandMembers(certificate: Certificate): void {
  const { data, separator, ceiling, contradictions, interior, errors, predictions } = certificate;
  only(certificate, 'certificate');
  const { products, ...rest } = data;
  only(products === undefined ? data : rest, 'data');
  if (separator !== null) only(separator, 'separator');
  if (ceiling !== null) only(ceiling, 'ceiling');
  for (const each of predictions) only(each, 'prediction');
  [...contradictions, ...predictions.flatMap((each) => each.contradictions)].forEach((each, k) => {
    only(each, 'contradiction', `contradiction ${k + 1}`);
  });
  if (interior !== null) only(interior, 'interior');
  for (const each of interior?.relations ?? []) only(each, 'relation');
  if (errors !== null) only(errors, 'errors');
  for (const each of [errors, ...predictions]) if (each !== null && each.cones !== null) only(each.cones, 'cones');
}

function only(value: object, part: keyof typeof members, name: string = part): void {
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`expected an object as ${name}; got another value`);
  const own = Object.keys(value).sort().join(' ');
  if (own !== members[part].split(' ').sort().join(' '))
    throw new TypeError(`${name}: expected the members ${members[part]}; got ${own}`);
}
