import { nearestNames } from './nearest-names.ts';

/** Completes the name of the field that should name an operation. */
export function unknownOperation(id: string, known: readonly string[]): string {
  const near = nearestNames(id, known);
  const hint =
    near.length > 0 ? `. Did you mean ${near.join(' or ')}?` : ': for example, stock.update.';
  return `must be the id of an operation${hint} The OpenAPI documents list them`;
}
