import { HINTS_AT_MOST, nearestNames } from '@servery/support/nearest-names.ts';

/** Completes the name of the field that should name an operation. */
export function unknownOperation(id: string, known: readonly string[]): string {
  const near = nearestNames(id, known);
  // Others call some of them by another family: payments.authorize.
  const names = near.length > 0 ? near : known.filter((each) => lastWord(each) === lastWord(id));
  const isHint = names.length > 0 && names.length <= HINTS_AT_MOST;
  const hint = isHint ? `. Did you mean ${names.join(' or ')}?` : ': for example, stock.update.';
  return `must be the id of an operation${hint} The OpenAPI documents list them`;
}

function lastWord(id: string): string {
  return id.slice(id.lastIndexOf('.') + 1);
}
