import { knownFields } from '@servery/contract';
import type { UnkeptBody } from '../http/pipeline/observe.ts';
import { type Clean, cut, LEFT_OUT } from '../text/clean-text.ts';

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

/** The rules, and how much of one body may still be looked at: nobody keeps more of it. */
interface Redacting extends BodyRules {
  charactersLeft: number;
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
  if (bytes.length > LOOKED_AT_BYTES || writing === 'other')
    return leftOut({ length: bytes.length });
  const value = parse(bytes.toString('utf8'), writing);
  if (value === undefined) return leftOut({ length: bytes.length });
  const redacting = { ...rules, charactersLeft: KEPT_CHARACTERS };
  const kept = cut(JSON.stringify(redactValue(value, redacting, 0)), KEPT_CHARACTERS);
  return redacting.charactersLeft > 0 ? kept : `${kept}… [of ${bytes.length} bytes]`;
}

/** What stands for a body that is not kept. */
export function leftOut({ length, reason }: UnkeptBody): string {
  return reason ? `[${length} bytes not kept: ${reason}]` : `[${length} bytes left out]`;
}

function parse(text: string, writing: Writing): unknown {
  if (writing === 'form') return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function redactValue(value: unknown, rules: Redacting, depth: number): unknown {
  if (depth > DEPTH) return LEFT_OUT;
  if (typeof value === 'string') return redactText(value, rules);
  spend(rules, 1);
  if (typeof value === 'number') return redactNumber(value, rules);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return redactList(value, rules, (each) => redactValue(each, rules, depth + 1));
  const kept: [string, unknown][] = [];
  for (const name in value) {
    if (rules.charactersLeft <= 0) break;
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    kept.push([redactText(name, rules), redactField(name, inner, rules, depth)]);
  }
  return Object.fromEntries(kept);
}

function redactList(
  list: readonly unknown[],
  rules: Redacting,
  redact: (element: unknown) => unknown,
): unknown[] {
  const kept: unknown[] = [];
  for (const element of list) {
    if (rules.charactersLeft <= 0) break;
    kept.push(redact(element));
  }
  return kept;
}

/** A text longer than what is left is not cut: half of a card number would look like none. */
function redactText(text: string, rules: Redacting): string {
  const isKept = text.length <= rules.charactersLeft;
  spend(rules, isKept ? text.length + 1 : LEFT_OUT.length);
  return isKept ? rules.clean(text) : LEFT_OUT;
}

function spend(rules: Redacting, characters: number): void {
  rules.charactersLeft -= characters;
}

/**
 * Values of unknown fields are left out, but what is nested in them is looked at; so is whatever
 * stands where only true or false belongs.
 */
function redactField(name: string, value: unknown, rules: Redacting, depth: number): unknown {
  if (value === null) return null;
  if (rules.withheld.has(name.toLowerCase())) return LEFT_OUT;
  known ??= knownFields();
  if (rules.isForeign && known.get(name) && typeof value !== 'boolean') return LEFT_OUT;
  const isForeign = rules.isForeign && !known.has(name);
  if (isForeign && !isNested(value)) return LEFT_OUT;
  return isForeign && Array.isArray(value)
    ? redactList(value, rules, (each) => {
        if (isNested(each)) return redactValue(each, rules, depth + 1);
        spend(rules, LEFT_OUT.length);
        return LEFT_OUT;
      })
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
