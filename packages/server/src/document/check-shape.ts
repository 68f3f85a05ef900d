import { FaultList, KEPT_FAULTS } from './faults.ts';
import type { JsonSchema } from './field-schema.ts';
import { type Shape, shapeOf } from './shape.ts';
import { validate } from './validate.ts';

type BrokenPlaces = Pick<FaultList, 'isSound'>;

export type CheckShape = (document: unknown, faults: FaultList) => BrokenPlaces;

const HOW = { refusesUnknown: true, lowersGuids: false };

/** Builds the schema on first use and stops after `faultsAtMost` faults. */
export function shapeChecker(schema: () => JsonSchema, faultsAtMost = KEPT_FAULTS): CheckShape {
  let shape: Shape | null = null;
  return (document, faults) => {
    shape ??= shapeOf(schema());
    // Don't count faults that rules find later.
    const found = new FaultList(faultsAtMost);
    validate(document, shape, found, HOW);
    faults.addAll(found);
    return found;
  };
}
