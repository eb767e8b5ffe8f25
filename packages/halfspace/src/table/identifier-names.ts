/** A way in which the name of a column says that its values name the rows, from strong to weak; null: it does not. */
export type IdentifierName = 'index' | 'identifier' | 'number' | null;

/** Names of indices and row numbers. pandas writes an index as `Unnamed: 0` or without a name. */
const indexName = /^(?:|unnamed: ?\d+|index|idx|row(?:[ _.-]?(?:ids?|names?|index|idx|no|nr|num|number))?)$/i;

/** Words for identifiers. */
const identifier =
  /^(?:ids?|uu?id|guid|pid|keys?|ssn|imei|imsi|msisdn|iban|isbn|issn|ean|gtin|sku|vin|bar ?code|serial|passport|matr[ií]cul[ae]|matrikel)$/;
/** Words for numbers that name something, if they come last: not `number_of_rooms`, not `num_pages`. */
const number = /^(?:#|no|nr|num|nbr|number|nummer|n[uú]mero|numéro|code|phone|telephone|mobile|fax|ref|reference)$/;
/** Single words that end so: `userid`, `CLIENTNUM`, `kundennr`, `invoiceno`; not `paid`, `android`, `liquid`. */
const joined =
  /(?:[a-z]{4}(?<![oa]|qu|fl|br|val|inval)id|[a-z]{2}(?:num(?<!min?um|tinum|magnum)|nbr|nr|nummer|uuid|guid)|[a-z]{5}no)$/;
/** Words for measurements and for codes of places, which repeat in other tables: `id_count`, `zip_code`. */
const measure =
  /^(?:counts?|rates?|ratio|share|score|mean|avg|average|median|sum|total|sizes?|length|len|width|height|depth|weight|age|prices?|costs?|amount|value|revenue|sales|income|salary|wage|profit|budget|population|balance|distance|area|volume|temperature|pressure|speed|rank|ranking|position|percent|pct|seconds?|minutes?|hours?|days?|weeks?|months?|years?|times?|timestamp|date|epoch|ts|created|updated|at|zip|postal|post|postcode|plz|country|region|state|lat|lon|latitude|longitude)$/;

/** Returns the parts of a name, in lower case: `customerId`, `SK_ID_CURR`, `IDpol` and `id2` have the part `id`. */
function partsOf(name: string): string[] {
  return name
    .replace(/^ID(?=[a-z])/, 'ID ')
    .replace(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .replace(/(\p{L})(?=\d)/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}#]+/u)
    .filter((part) => part !== '');
}

/** Tests if the name of a column is one of a measurement, or of a place. */
export function namesMeasure(name: string): boolean {
  return partsOf(name).some((part) => measure.test(part));
}

/** Tells if a column is named like an index, an identifier, or a number that names something. */
export function identifierName(name: string): IdentifierName {
  const text = name.trim();
  if (indexName.test(text)) return 'index';
  const parts = partsOf(text);
  const last = parts.at(-1);
  if (last === undefined || (parts.length > 1 && parts.some((part) => measure.test(part)) && !/^u?u?ids?$/.test(last)))
    return null;
  const isJoined = parts.length === 1 && joined.test(last);
  if (isJoined || parts.some((part, i) => identifier.test(part) && (part !== 'key' || i === parts.length - 1)))
    return 'identifier';
  return number.test(last) ? 'number' : null;
}
