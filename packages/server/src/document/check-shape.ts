import { FaultList, KEPT_FAULTS } from './faults.ts';
import type { JsonSchema } from './field-schema.ts';
import { type Shape, shapeOf } from './shape.ts';
import { validate } from './validate.ts';

/** Where a document does not have the shape of its schema. */
export type BrokenPlaces = Pick<FaultList, 'isSound'>;

/** Compares a document with a schema and notes every difference as a fault. */
export type CheckShape = (document: unknown, faults: FaultList) => BrokenPlaces;

const HOW = { refusesUnknown: true, lowersGuids: false };

/**
 * Makes what compares documents with a schema, which is made when the first one comes. It stops
 * when it has found `faultsAtMost`.
 */
export function shapeChecker(schema: () => JsonSchema, faultsAtMost = KEPT_FAULTS): CheckShape {
  let shape: Shape | null = null;
  return (document, faults) => {
    shape ??= shapeOf(schema());
    // Faults that rules find later must not count here.
    const found = new FaultList(faultsAtMost);
    validate(document, shape, found, HOW);
    faults.addAll(found);
    return found;
  };
}
