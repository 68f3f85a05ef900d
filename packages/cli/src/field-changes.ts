import type { FieldChange } from '@servery/contract';
import { valueText } from './shown.ts';

const VALUE_AT_MOST = 40;

/** The values that differ inside a field: `pricing.price` of a `pricing`. Lists stay whole. */
export function innerChanges({ field, before, after }: FieldChange): FieldChange[] {
  if (!isObject(before) || !isObject(after)) return [{ field, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const sides = { before: before[name] ?? null, after: after[name] ?? null };
    const isSame = JSON.stringify(sides.before) === JSON.stringify(sides.after);
    return isSame ? [] : innerChanges({ field: `${field}.${name}`, ...sides });
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Each value before and after. */
export function fieldChangesText(fields: readonly FieldChange[]): string {
  return fields
    .flatMap(innerChanges)
    .map(({ field, before, after }) => `${field}: ${shortText(before)} → ${shortText(after)}`)
    .join('; ');
}

const AROUND_AT_MOST = 400;
const BEFORE_DIFFERENCE = 80;

/** A long text as far as it is read around the first place where the other one differs. */
export function aroundDifference(text: string, other: string): string {
  const letters = [...text];
  if (letters.length <= AROUND_AT_MOST) return text;
  const others = [...other];
  const found = letters.findIndex((letter, at) => letter !== others[at]);
  const differsAt = found === -1 ? letters.length : found;
  // Words stay whole, so that ids can be copied.
  const from = letters.lastIndexOf(' ', Math.max(differsAt - BEFORE_DIFFERENCE, 0)) + 1;
  const part = letters.slice(from, from + AROUND_AT_MOST).join('');
  const isToTheEnd = from + AROUND_AT_MOST >= letters.length;
  return `${from > 0 ? '… ' : ''}${isToTheEnd ? part : `${part.replace(/ \S*$/, '')} …`}`;
}

/** As far as a table has room. */
function shortText(value: unknown): string {
  const letters = [...valueText(value)];
  const isLong = letters.length > VALUE_AT_MOST;
  return isLong ? `${letters.slice(0, VALUE_AT_MOST - 1).join('')}…` : letters.join('');
}
