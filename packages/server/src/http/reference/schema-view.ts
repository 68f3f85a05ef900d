import type { JsonSchema } from '@servery/contract';
import { type Html, html } from './html.ts';

const SCHEMAS = '#/components/schemas/';

/** The anchor of a schema on its page. */
const schemaAnchor = (name: string) => `schema-${name}`;

/** The type of a value in words, with a link to each schema that it names. */
export function typeOf(schema: JsonSchema): Html {
  const { $ref, type, items, anyOf, format } = schema as {
    readonly $ref?: string;
    readonly type?: string | readonly string[];
    readonly items?: JsonSchema;
    readonly anyOf?: readonly JsonSchema[];
    readonly format?: string;
  };
  if ($ref !== undefined) {
    const name = $ref.slice(SCHEMAS.length);
    return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
  }
  if (anyOf) return html`${anyOf.map((one, at) => html`${at > 0 && ' or '}${typeOf(one)}`)}`;
  if ('const' in schema) return html`${JSON.stringify(schema.const)}`;
  const types = [type ?? 'any value'].flat();
  const named = types.map((each) => (each === 'array' && items ? null : nameOf(each, format)));
  return html`${named.map((name, at) => [
    at > 0 && ' or ',
    name === null && items ? html`list of ${typeOf(items)}` : name,
  ])}`;
}

function nameOf(type: string, format: string | undefined): string {
  const isFormatted = format !== undefined && (type === 'string' || type === 'integer');
  return isFormatted ? `${type} (${format})` : type;
}

const RULES: Readonly<Record<string, (value: never) => string>> = {
  enum: (values: readonly unknown[]) => `one of ${values.map((each) => each ?? 'null').join(', ')}`,
  minLength: (value: number) => `at least ${count(value, 'character')}`,
  maxLength: (value: number) => `at most ${count(value, 'character')}`,
  minItems: (value: number) => `at least ${count(value, 'element')}`,
  maxItems: (value: number) => `at most ${count(value, 'element')}`,
  maxProperties: (value: number) => `at most ${count(value, 'field')}`,
  minimum: (value: number) => `at least ${number(value)}`,
  exclusiveMinimum: (value: number) => `greater than ${number(value)}`,
  maximum: (value: number) => `at most ${number(value)}`,
  exclusiveMaximum: (value: number) => `less than ${number(value)}`,
  pattern: (value: string) => `matches ${value}`,
  default: (value: unknown) => `${JSON.stringify(value)} by default`,
  readOnly: () => 'only in responses',
  deprecated: () => 'deprecated',
};

/** What else a value must be, and what it is when it is left out. */
function rulesOf(schema: JsonSchema): string {
  return Object.entries(RULES)
    .flatMap(([keyword, words]) => (keyword in schema ? [words(schema[keyword] as never)] : []))
    .join('; ');
}

function count(value: number, what: string): string {
  return `${number(value)} ${what}${value === 1 ? '' : 's'}`;
}

const number = (value: number) => value.toLocaleString('en-US');

export interface FieldOptions {
  readonly name: string;
  readonly note: string;
  readonly schema: JsonSchema;
  readonly description?: unknown;
}

export function fieldItem({ name, note, schema, description }: FieldOptions): Html {
  const rules = rulesOf(schema);
  return html`<div class="field"><dt><code>${name}</code> <span class="soft">${typeOf(schema)}${note !== '' && `, ${note}`}</span></dt>
<dd>${String(description ?? schema.description ?? '')}${rules !== '' && html` <span class="rules">${rules}.</span>`}${fieldsOf(schema, 'nested')}</dd></div>`;
}

/** The fields of an object, or of the elements of a list. */
export function fieldsOf(schema: JsonSchema, look: string): Html | null {
  const {
    properties,
    required = [],
    items,
  } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
    readonly items?: JsonSchema;
  };
  if (items && !('$ref' in items)) return fieldsOf(items, look);
  if (!properties) return null;
  const rows = Object.entries(properties).map(([name, field]) =>
    fieldItem({ name, note: required.includes(name) ? '' : 'optional', schema: field }),
  );
  return html`<dl class="fields ${look}">${rows}</dl>`;
}

export function schemaSection(name: string, schema: JsonSchema): Html {
  const own = fieldsOf(schema, '');
  return html`<section class="schema" id="${schemaAnchor(name)}" data-schema="${name}">
<h3><a href="#${schemaAnchor(name)}">${name}</a></h3>
<p>${String(schema.description ?? '')}</p>
${own ?? html`<p>${typeOf(schema)}${rulesOf(schema) !== '' && `; ${rulesOf(schema)}`}</p>`}
</section>`;
}

/** The names of all schemas that a value names, and that these name. */
export function schemasBehind(
  value: unknown,
  schemas: Readonly<Record<string, JsonSchema>>,
): string[] {
  const found = new Set<string>();
  const open = [value];
  while (open.length > 0) {
    JSON.stringify(open.pop(), (key, inner) => {
      if (key !== '$ref' || !String(inner).startsWith(SCHEMAS)) return inner;
      const name = String(inner).slice(SCHEMAS.length);
      if (!found.has(name)) open.push(schemas[name]);
      found.add(name);
      return inner;
    });
  }
  return [...found].sort();
}
