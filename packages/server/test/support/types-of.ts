/** Writes JSON Schemas of an OpenAPI document as types of TypeScript. */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

/** Returns the type of the values that a schema describes. Bounds and patterns have no types. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return (
    [schema.type ?? []]
      .flat()
      .map((type) => typeOfKind(type, schema))
      .join(' | ') || 'unknown'
  );
}

function typeOfKind(type: string, schema: Schema): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`;
    case 'object':
      return typeOfObject(schema);
    default:
      return type;
  }
}

function typeOfObject({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined) return additionalProperties === true ? 'Record<string, unknown>' : 'object';
  const members = Object.entries(properties).map(
    ([name, member]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member)}`,
  );
  return `{ ${members.join('; ')} }`;
}
