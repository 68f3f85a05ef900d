import { shapeChecker } from '../document/check-shape.ts';
import { groupDocumentSchema } from './schema.ts';

/** Compares a group document with its schema and notes every difference as a fault. */
export const checkShape = shapeChecker(groupDocumentSchema);
