import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '@servery/contract';
import type { PlatformCall, Value } from './command.ts';
import { invalidUsage } from './exit-codes.ts';
import { nullIfRefused } from './find/find.ts';
import { quoted } from './readers.ts';
import { fields, type Shown } from './shown.ts';
import { readStructured } from './structured-file.ts';
import { as, loading, repeated, text } from './values.ts';

export type Fields = Readonly<Record<string, unknown>>;

const fieldFile = text('<file>', 'fields as a JSON or YAML document; - for standard input');
const assignments = repeated('<field=value>', 'a field by its path; the value is text or JSON');
const set: Value<Fields | undefined> = loading(fieldsOfAll, assignments);
const file: Value<Fields | undefined> = loading(fieldsIn, fieldFile);

export const editOptions = { set: as(null, set), file: as(null, file) };

interface Edits {
  readonly set?: Fields | undefined;
  readonly file?: Fields | undefined;
}

/**
 * What the options say, as a JSON merge patch (RFC 7396): `--file`, over it each `--set`, and over
 * both the fields that other options gave.
 */
export function patchOf({ file: base = {}, set: over = {} }: Edits, own: unknown = {}): Fields {
  return merged(merged(base, over), own as Fields);
}

/** The body of a command that changes an object. */
export function editOf({ options, request }: Pick<PlatformCall, 'options' | 'request'>): Fields {
  return patchOf(options as Edits, request.body);
}

/**
 * The check of a command that needs a field, as an option or in one of `editOptions`. `body` names
 * a schema: see knownFields.
 */
export function needsFields(body?: Parameters<typeof knownFields>[0]) {
  return async ({ options }: { readonly options: Edits & object }): Promise<void> => {
    // A restaurant only says where.
    const own = Object.entries(options).filter(([name]) => name !== 'restaurant');
    if (own.every(([, value]) => value === undefined)) {
      throw invalidUsage('which fields? Use --set field=value, --file, or another option.');
    }
    if (body) await knownFields(body, patchOf(options));
  };
}

/** Changes what `read` gives by the options of a command, and shows what it is then. */
export function edits(read: OperationId) {
  return async (call: PlatformCall): Promise<Shown> => {
    const before = await call.read(read).catch(nullIfRefused);
    const after = await call.ask({ body: editOf(call) });
    const notes = isDeepStrictEqual(before, after) ? ['Nothing changed.'] : [];
    return { ...fields(after), notes };
  };
}

async function fieldsIn(name: string): Promise<Fields> {
  const { file: shown, value } = await readStructured(name);
  if (isFields(value) && Object.keys(value).length > 0) return value;
  throw invalidUsage(`${shown} has no fields. Write field: value.`);
}

function fieldsOfAll(written: readonly string[]): Fields {
  return written.reduce((patch, one) => merged(patch, assigned(one)), {} as Fields);
}

/**
 * Throws CommandFailure unless the body of that name has each field of the patch. The platform
 * ignores fields that it does not know there, and a typo would look like success.
 */
export async function knownFields(
  body: 'PartnerEdit' | 'ApiClientEdit' | 'UpdatePerson' | 'SetTipWithholding',
  patch: Fields,
): Promise<void> {
  const { schemas } = await import('@servery/contract');
  const known = Object.keys(schemas[body].properties);
  const wrong = Object.keys(patch).find((name) => !known.includes(name));
  if (wrong === undefined) return;
  throw invalidUsage(`${quoted(wrong)} is not a field here. Use one of ${known.join(', ')}.`);
}

/** `general.closeoutHour=5` as an object; throws CommandFailure for text that is no assignment. */
export function assigned(assignment: string): Fields {
  const at = assignment.indexOf('=');
  const path = assignment.slice(0, Math.max(at, 0)).trim().split('.');
  if (at < 1 || path.some((name) => !/^\w+$/.test(name))) {
    throw invalidUsage(
      `--set ${quoted(assignment)} is not an assignment. Use field=value, for example ` +
        'general.closeoutHour=5.',
    );
  }
  const value = jsonOrText(assignment.slice(at + 1));
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Fields;
}

/** Quotation marks make text of a number. */
export function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function merged(base: Fields, over: Fields): Fields {
  const result: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = result[name];
    result[name] = isFields(before) && isFields(value) ? merged(before, value) : value;
  }
  return result;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
