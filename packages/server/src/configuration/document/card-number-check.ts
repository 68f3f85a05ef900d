import type { FaultList } from '../../document/faults.ts';
import type { JsonSchema } from '../../document/field-schema.ts';
import { removeCardNumbers } from '../../text/card-number-removal.ts';

export type CheckCardNumbers = (document: unknown, faults: FaultList) => void;

type Path = (string | number)[];
type Check = (value: unknown, path: Path, faults: FaultList) => void;
type Definitions = NonNullable<JsonSchema['$defs']>;

/**
 * Notes card numbers, which are stored nowhere (PAY-I7), as faults. It doesn't remove them: a
 * document that is applied again must find what it says. Checks every text of the schema that is
 * not declared an identifier. Builds the schema on first use.
 */
export function cardNumberChecker(schema: () => JsonSchema): CheckCardNumbers {
  let check: Check | null | undefined;
  return (document, faults) => {
    if (check === undefined) {
      const root = schema();
      check = checkOf(root, root.$defs ?? {});
    }
    check?.(document, [], faults);
  };
}

/** Null if no text within needs a check. */
function checkOf(schema: JsonSchema, definitions: Definitions): Check | null {
  const { $ref, items, properties = {}, additionalProperties: values } = schema;
  if ($ref) return checkOf(definitions[$ref.replace('#/$defs/', '')] ?? {}, definitions);
  if (isFreeText(schema)) return textCheck(schema);
  if (schema.anyOf) throw new Error('texts in a choice of schemas are not checked yet');
  const each = items ?? (typeof values === 'object' ? values : null);
  const checkEach = each && checkOf(each, definitions);
  if (checkEach) return eachCheck(checkEach);
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const check = checkOf(field, definitions);
    return check ? [[name, check] as const] : [];
  });
  return fields.length === 0 ? null : fieldsCheck(fields);
}

function isFreeText(schema: JsonSchema): boolean {
  const { type, const: constant, pattern, format, '~identifier': isIdentifier } = schema;
  const isBounded = schema.enum || constant !== undefined || pattern || format;
  return [type].flat().includes('string') && !isBounded && !isIdentifier;
}

function textCheck({ maxLength = Number.POSITIVE_INFINITY }: JsonSchema): Check {
  return (value, path, faults) => {
    // A character takes one or two units. The shape check refuses longer texts.
    if (typeof value !== 'string' || value.length > 2 * maxLength) return;
    if (removeCardNumbers(value) === value) return;
    faults.add(path, 'has the number of a payment card; remove it');
  };
}

function eachCheck(check: Check): Check {
  return (value, path, faults) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [step, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      path.push(step);
      check(inner, path, faults);
      path.pop();
    }
  };
}

function fieldsCheck(fields: readonly (readonly [string, Check])[]): Check {
  return (value, path, faults) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, check] of fields) {
      if (!Object.hasOwn(value, name)) continue;
      path.push(name);
      check((value as Readonly<Record<string, unknown>>)[name], path, faults);
      path.pop();
    }
  };
}
