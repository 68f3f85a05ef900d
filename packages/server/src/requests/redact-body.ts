import { knownFields } from '@servery/contract';
import { type Clean, cut, LEFT_OUT } from './clean-text.ts';

/** A body beyond this is not looked at: what it would cost is more than its beginning is worth. */
export const LOOKED_AT_BYTES = 65_536;
/** How many characters of a body are kept. */
export const KEPT_CHARACTERS = 16_384;
/** What is nested deeper is left out. */
const DEPTH = 50;

/** How a body is written. */
export type Writing = 'json' | 'form' | 'other';

/** How a body is to be kept. */
export interface BodyRules {
  /** Fields whose values are left out, in lower case. */
  readonly withheld: ReadonlySet<string>;
  /** True for what strangers sent: values of fields that nobody knows are left out. */
  readonly isForeign: boolean;
  readonly clean: Clean;
}

let known: ReadonlyMap<string, boolean> | undefined;

/** How the body of a message with that content type is written. */
export function writingOf(contentType: string | undefined): Writing {
  const [mediaType = ''] = (contentType ?? '').split(';');
  const type = mediaType.trim().toLowerCase();
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  return type === 'application/x-www-form-urlencoded' ? 'form' : 'other';
}

/**
 * A body as it may be kept: values of fields that hold secrets, card data or data of guests are
 * left out, card numbers go from every text, a long body is cut off. What cannot be read is left
 * out whole, with its size: nobody can tell what stands there.
 */
export function redactBody(bytes: Buffer, writing: Writing, rules: BodyRules): string {
  if (bytes.length > LOOKED_AT_BYTES || writing === 'other') return leftOut(bytes);
  const value = parse(bytes.toString('utf8'), writing);
  if (value === undefined) return leftOut(bytes);
  return cut(JSON.stringify(redactValue(value, rules, 0)), KEPT_CHARACTERS);
}

/** What stands for a body that is not kept. */
export function leftOut({ length }: { readonly length: number }): string {
  return `[${length} bytes left out]`;
}

function parse(text: string, writing: Writing): unknown {
  if (writing === 'form') return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function redactValue(value: unknown, rules: BodyRules, depth: number): unknown {
  if (depth > DEPTH) return LEFT_OUT;
  if (typeof value === 'string') return rules.clean(value);
  if (typeof value === 'number') return redactNumber(value, rules);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => redactValue(each, rules, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      rules.clean(name),
      redactField(name, inner, rules, depth),
    ]),
  );
}

/**
 * Values of unknown fields are left out, but what is nested in them is looked at; so is whatever
 * stands where only true or false belongs.
 */
function redactField(name: string, value: unknown, rules: BodyRules, depth: number): unknown {
  if (value === null) return null;
  if (rules.withheld.has(name.toLowerCase())) return LEFT_OUT;
  known ??= knownFields();
  if (rules.isForeign && known.get(name) && typeof value !== 'boolean') return LEFT_OUT;
  const isForeign = rules.isForeign && !known.has(name);
  if (isForeign && !isNested(value)) return LEFT_OUT;
  return isForeign && Array.isArray(value)
    ? value.map((each) => (isNested(each) ? redactValue(each, rules, depth + 1) : LEFT_OUT))
    : redactValue(value, rules, depth + 1);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** A card number may be sent as a number. */
function redactNumber(value: number, { clean }: BodyRules): number | string {
  const text = String(value);
  const cleaned = clean(text);
  return cleaned === text ? value : cleaned;
}
