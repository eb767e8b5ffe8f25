import type { FastifySchemaValidationError } from 'fastify';
import { quote } from 'halfspace/checks';
import { Refusal } from './problem.ts';

/** Options of Ajv: a request is checked as it is, never changed. `verbose` gives messages the refused value. */
export const ajvOptions = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  allowUnionTypes: true,
  verbose: true,
} as const;

/** Returns what a request lacks, as "expected …; got …". @param part `body`, `querystring`, `headers` or `params`. */
export function validationRefusal(errors: readonly FastifySchemaValidationError[], part: string): Refusal {
  // Of several forms the sentence of all of them, not of the first.
  const error = errors.find(({ keyword }) => keyword === 'oneOf') ?? errors[0];
  return new Refusal(400, 'request-invalid', error === undefined ? `expected another ${part}` : sentence(error, part));
}

function sentence(error: FastifySchemaValidationError, part: string): string {
  const { keyword, instancePath, params, message } = error;
  const { data, parentSchema } = error as { data?: unknown; parentSchema?: { readonly description?: string } };
  const path = `${part}${instancePath}`;
  switch (keyword) {
    case 'type':
      return `expected ${path} of the type ${[params.type].flat().join(' or ')}; got ${quote(data)}`;
    case 'required':
      return `expected the member ${quote(params.missingProperty)} of ${path}; got none`;
    case 'additionalProperties':
      return `expected other members of ${path} (see /openapi.json); got ${quote(params.additionalProperty)}`;
    case 'enum':
      return `expected ${path} as one of ${[params.allowedValues].flat().join(', ')}; got ${quote(data)}`;
    case 'oneOf':
      // A list fits every form of an object.
      if (Array.isArray(data)) return `expected an object with ${parentSchema?.description}; got a list`;
      return `expected ${parentSchema?.description}; got ${params.passingSchemas === null ? 'neither' : 'both'}`;
    default:
      return `expected that ${path} ${message}; got ${quote(data)}`;
  }
}
