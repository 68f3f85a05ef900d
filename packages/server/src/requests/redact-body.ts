import type { UnkeptBody } from '../http/pipeline/observe.ts';
import { type Clean, cut, LEFT_OUT } from '../text/clean-text.ts';

/** Inspecting longer bodies costs more than their beginning is worth. */
export const LOOKED_AT_BYTES = 65_536;
export const KEPT_CHARACTERS = 16_384;
const DEPTH = 50;

export type Writing = 'json' | 'form' | 'other';

export interface BodyRules {
  readonly withheld: ReadonlySet<string>;
  /** True for flags. */
  readonly known: ReadonlyMap<string, boolean>;
  /** True for what callers send: values of unknown fields are removed. */
  readonly isForeign: boolean;
  readonly clean: Clean;
}

/** Adds how much of a body may still be inspected. */
interface Redacting extends BodyRules {
  charactersLeft: number;
}

export function writingOf(contentType: string | undefined): Writing {
  const [mediaType = ''] = (contentType ?? '').split(';');
  const type = mediaType.trim().toLowerCase();
  if (type === 'application/json' || type.endsWith('+json')) return 'json';
  return type === 'application/x-www-form-urlencoded' ? 'form' : 'other';
}

/**
 * Removes values of fields with secrets, card data or guest data, and card numbers from every text.
 * Cuts long bodies. Unreadable bodies are removed as a whole, with a note of their size: nobody can
 * tell what they contain.
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

/** A text longer than the rest is not cut: half a card number would pass unnoticed. */
function redactText(text: string, rules: Redacting): string {
  const isKept = text.length <= rules.charactersLeft;
  spend(rules, isKept ? text.length + 1 : LEFT_OUT.length);
  return isKept ? rules.clean(text) : LEFT_OUT;
}

function spend(rules: Redacting, characters: number): void {
  rules.charactersLeft -= characters;
}

/**
 * Removes values of unknown fields but inspects what is nested in them. Also inspects anything
 * other than a boolean in a boolean field.
 */
function redactField(name: string, value: unknown, rules: Redacting, depth: number): unknown {
  if (value === null) return null;
  if (rules.withheld.has(name.toLowerCase())) return LEFT_OUT;
  if (rules.isForeign && rules.known.get(name) && typeof value !== 'boolean') return LEFT_OUT;
  const isForeign = rules.isForeign && !rules.known.has(name);
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
