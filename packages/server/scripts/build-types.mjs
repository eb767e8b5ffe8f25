// Makes the types of the client's answers (src/client/answers.ts) from the schemas of the service (src/http/answers.ts).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { transformSync } from 'esbuild';

const source = resolve(import.meta.dirname, '../src');
const { code } = transformSync(readFileSync(`${source}/http/answers.ts`, 'utf8'), { loader: 'ts' });
const { namedSchemas } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
const schemas = new Map(namedSchemas.map((schema) => [schema.$id, schema]));

/** Returns the description of a schema as a comment of at most 120 columns, with the indentation of what follows. */
function docstring({ description }, indent) {
  if (description === undefined) return '';
  const line = `${indent}/** ${description} */\n`;
  if (line.length <= 121) return line;
  const lines = description.match(new RegExp(`.{1,${117 - indent.length}}(?: |$)`, 'g'));
  return `${indent}/**\n${lines.map((each) => `${indent} * ${each.trim()}\n`).join('')}${indent} */\n`;
}

const isLabel = ({ type }) => String(type).startsWith('string,number,boolean');
/** Tests if a schema has the class of a row, whose type is a parameter. */
const isGeneric = ({ $ref, anyOf = [], items, properties = {} }) =>
  ($ref !== undefined && isGeneric(schemas.get($ref.slice(0, -1)))) ||
  [...anyOf, ...(items === undefined ? [] : [items]), ...Object.values(properties)].some(isGeneric) ||
  (properties.class !== undefined && isLabel(properties.class));

/** Returns the type of the values that a schema describes. Bounds and patterns have no types. */
function typeOf(schema, indent, name) {
  const { $ref, anyOf, enum: choices, type } = schema;
  if ($ref !== undefined) return `${$ref.slice(0, -1)}${isGeneric(schema) ? '<L>' : ''}`;
  if (anyOf !== undefined) return anyOf.map((each) => typeOf(each, indent)).join(' | ');
  if (choices !== undefined) return choices.map((value) => `'${value}'`).join(' | ');
  if (name === 'class' && isLabel(schema)) return type.includes('null') ? 'L | null' : 'L';
  return [type]
    .flat()
    .map((each) => typeOfKind(each, schema, indent))
    .join(' | ');
}

function typeOfKind(type, { items, properties, required }, indent) {
  if (type === 'integer') return 'number';
  if (type === 'array') {
    const item = typeOf(items, indent);
    return `readonly ${/ /.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`;
  }
  if (type !== 'object') return type;
  if (properties === undefined) return 'Readonly<Record<string, unknown>>';
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const about = docstring(schema, inner);
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `${about}${inner}readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner, name)};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

const types = namedSchemas
  .filter(({ $id }) => $id !== 'Health')
  .map((schema) => {
    const about = docstring(schema, '');
    return `${about}export interface ${schema.$id}${isGeneric(schema) ? '<L extends Label = Label>' : ''} ${typeOf(schema, '')}\n`;
  });
const text = `// Made by scripts/build-types.mjs.

/** The class of an example: its name, number or truth. */
export type Label = string | number | boolean;

${types.join('\n')}`;
const made = `${source}/client/answers.ts`;
if (!existsSync(made) || readFileSync(made, 'utf8') !== text) writeFileSync(made, text);
