import { isDeepStrictEqual } from 'node:util';
import { PlatformRefusal, type Remote } from '../back-office.ts';
import { invalidUsage } from '../exit-codes.ts';
import { readStructured } from '../structured-file.ts';
import { fields, type Shown } from './shown.ts';
import { flag, repeated } from './verb.ts';

/** The flags that say what a resource is to be. */
export interface EditFlags {
  readonly set?: readonly string[];
  readonly file?: string;
}

/** The options of verbs that make or change a resource. */
export const editFlags = [
  repeated('--set <field=value>', 'a field by its path; text, or JSON such as 5, true, null'),
  flag('--file <file>', 'the fields as a JSON or YAML document; - for standard input'),
];

type Fields = Readonly<Record<string, unknown>>;

/**
 * What the flags say, as a JSON merge patch (RFC 7396): the document of `--file`, and over it each
 * `--set`. `own` are fields that other flags gave; undefined ones are left out. Throws
 * CommandFailure for a document or an assignment that is none.
 */
export async function patchOf(flags: EditFlags, own: Fields = {}): Promise<Fields> {
  let patch: Fields = {};
  if (flags.file !== undefined) {
    const { value } = await readStructured(flags.file);
    if (!isFields(value)) throw invalidUsage(`${flags.file} holds no fields: write field: value.`);
    patch = value;
  }
  for (const assignment of flags.set ?? []) patch = merged(patch, assigned(assignment));
  const given = Object.entries(own).filter(([, value]) => value !== undefined);
  return merged(patch, Object.fromEntries(given));
}

/** The same, where an empty patch is a mistake. */
export async function editOf(flags: EditFlags, own: Fields = {}): Promise<Fields> {
  const patch = await patchOf(flags, own);
  if (Object.keys(patch).length > 0) return patch;
  throw invalidUsage('what is to change? Say it with --set field=value or --file.');
}

/** Sends a patch, and shows what it made of the resource, or that it changed nothing. */
export async function edited(remote: Remote, path: string, patch: Fields): Promise<Shown> {
  const before = await remote.get(path).catch(nullIfRefused);
  const after = await remote.send('PATCH', path, patch);
  return fields(after, isDeepStrictEqual(before, after) ? [UNCHANGED] : []);
}

const UNCHANGED = 'Nothing was changed: it was so before.';

/** For a look before a change: whoever may not read, or names nothing, is told by the change. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof PlatformRefusal) return null;
  throw error;
}

/**
 * The patch, when the body of that name has each of its fields. Throws CommandFailure for another:
 * the platform passes over fields that it does not know, and a slip would look like success.
 */
export async function knownFields<Patch extends Fields>(
  body: 'PartnerEdit' | 'ApiClientEdit' | 'UpdatePerson' | 'SetTipWithholding',
  patch: Patch,
): Promise<Patch> {
  const { schemas } = await import('@servery/contract');
  const known = Object.keys(schemas[body].properties);
  const wrong = Object.keys(patch).find((name) => !known.includes(name));
  if (wrong === undefined) return patch;
  throw invalidUsage(
    `${JSON.stringify(wrong)} is no field to change here: write one of ${known.join(', ')}.`,
  );
}

/** `general.closeoutHour=5` as an object; throws CommandFailure for text that is no assignment. */
export function assigned(text: string): Fields {
  const at = text.indexOf('=');
  const path = text.slice(0, Math.max(at, 0)).trim().split('.');
  if (at < 1 || path.some((name) => !/^\w+$/.test(name))) {
    throw invalidUsage(
      `--set ${JSON.stringify(text)} is no assignment: write field=value, such as ` +
        'general.closeoutHour=5.',
    );
  }
  const value = typed(text.slice(at + 1));
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Fields;
}

/** JSON where it is some, else the text as it is: quotation marks make text of a number. */
function typed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** One object over another, field by field, to any depth. */
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
