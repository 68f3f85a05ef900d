import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '@servery/contract';
import type { PlatformCall } from './command.ts';
import { invalidUsage } from './exit-codes.ts';
import { nullIfRefused } from './find/find.ts';
import { quoted } from './readers.ts';
import { fields, type Shown } from './shown.ts';
import { readStructured } from './structured-file.ts';
import { as, repeated, text } from './values.ts';

export const editOptions = {
  set: as(null, repeated('<field=value>', 'a field by its path; the value is text or JSON')),
  file: as(null, text('<file>', 'fields as a JSON or YAML document; - for standard input')),
};

interface Edits {
  readonly set?: readonly string[] | undefined;
  readonly file?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * What the options say, as a JSON merge patch (RFC 7396): `--file`, over it each `--set`, and over
 * both the fields that other options gave. Throws CommandFailure.
 */
export async function patchOf({ file, set = [] }: Edits, fields: unknown = {}): Promise<Fields> {
  let patch: Fields = {};
  if (file !== undefined) {
    const { value } = await readStructured(file);
    if (!isFields(value)) throw invalidUsage(`${file} has no fields. Write field: value.`);
    patch = value;
  }
  for (const assignment of set) patch = merged(patch, assigned(assignment));
  return merged(patch, fields as Fields);
}

/** The patch of the options of a command. Throws CommandFailure for an empty one. */
export async function editOf({
  options,
  request,
}: Pick<PlatformCall, 'options' | 'request'>): Promise<Fields> {
  const patch = await patchOf(options as Edits, request.body);
  if (Object.keys(patch).length > 0) return patch;
  throw invalidUsage('nothing to change. Use --set field=value, --file, or another option.');
}

/**
 * Changes what `read` gives by the options of a command, and shows what it is then, or says that
 * nothing changed. `body` names a schema: see knownFields.
 */
export function edits(read: OperationId, body?: Parameters<typeof knownFields>[0]) {
  return async (call: PlatformCall): Promise<Shown> => {
    const patch = await editOf(call);
    if (body) await knownFields(body, patch);
    const before = await call.read(read).catch(nullIfRefused);
    const after = await call.ask({ body: patch });
    const notes = isDeepStrictEqual(before, after) ? ['Nothing changed.'] : [];
    return { ...fields(after), notes };
  };
}

/**
 * The patch, when the body of that name has each of its fields. The platform ignores fields that it
 * does not know there, and a typo would look like success. Throws CommandFailure.
 */
export async function knownFields(
  body: 'PartnerEdit' | 'ApiClientEdit' | 'UpdatePerson' | 'SetTipWithholding',
  patch: Fields,
): Promise<Fields> {
  const { schemas } = await import('@servery/contract');
  const known = Object.keys(schemas[body].properties);
  const wrong = Object.keys(patch).find((name) => !known.includes(name));
  if (wrong === undefined) return patch;
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
function jsonOrText(value: string): unknown {
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
