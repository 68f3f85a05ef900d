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

/** As far as a table has room. */
function shortText(value: unknown): string {
  const letters = [...valueText(value)];
  const isLong = letters.length > VALUE_AT_MOST;
  return isLong ? `${letters.slice(0, VALUE_AT_MOST - 1).join('')}…` : letters.join('');
}
