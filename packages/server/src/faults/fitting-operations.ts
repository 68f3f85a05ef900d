import { type FaultKind, type Operation, operations } from '@servery/contract';
import { unknownOperation } from '../text/unknown-operation.ts';
import { phaseOf } from './fault.ts';
import { isListOf } from './unknown-values.ts';

interface Need {
  /** Completes "an operation that …". */
  readonly does: string;
  isMetBy(operation: Operation): boolean;
}

const takesToken: Need = {
  does: 'takes a token',
  isMetBy: ({ security }) => security !== 'none',
};
/** What some faults need of an operation. The others can happen to any. */
const needs: Readonly<Partial<Record<FaultKind, Need>>> = {
  expiredToken: takesToken,
  revokedToken: takesToken,
  publicationBetweenPages: {
    does: 'returns the configuration in pages',
    isMetBy: (operation) =>
      operation.interface === 'configuration' && 'pageToken' in operation.query,
  },
  unknownValues: { does: 'returns a list', isMetBy: isListOf },
};
const EXAMPLES = 3;

/** Somebody must be able to remove a rule again. Streams and pages have no JSON to spoil. */
export function isUntouchable({ id, mediaType }: Operation): boolean {
  return /^(backOffice\.faults|health|docs)\./.test(id) || mediaType !== 'application/json';
}

/** What a rule without an operation applies to: a login must not get lost by chance. */
export function isOfPartners({ interface: of, security }: Operation): boolean {
  return of !== 'backOffice' && security !== 'none';
}

/** What the fault needs and the operation is not; null for nothing. */
export function missingIn(kind: FaultKind, operation: Operation | null): string | null {
  const need = needs[kind];
  if (!need || (operation && need.isMetBy(operation))) return null;
  return `an operation that ${need.does}`;
}

/** Why no request for the operation can ever have the fault, and what can; null if it can. */
export function whyNever(kind: FaultKind, id: string): string | null {
  const phase = phaseOf({ kind });
  if (phase === 'webhooks' || phase === 'processor') {
    const touched = phase === 'webhooks' ? 'events' : 'calls to the processor';
    return (
      `must be left out, because ${kind} touches no request, only ${touched}: match a client or ` +
      'a restaurant instead'
    );
  }
  if (id.startsWith('backOffice.faults.')) {
    return 'must not be one that injects faults: it always works';
  }
  const operation = operations.find((each) => each.id === id);
  if (!operation) {
    const ids = operations.map((each) => each.id);
    return unknownOperation(id, ids);
  }
  if (isUntouchable(operation))
    return 'must not be a health check, a page of the documentation, or a stream';
  const missing = missingIn(kind, operation);
  if (missing === null) return null;
  return `must be ${missing}, for example ${examplesOf(kind, operation).join(', ')}`;
}

/** Those of the same interface come first. */
function examplesOf(kind: FaultKind, { interface: of }: Operation): readonly string[] {
  const fitting = operations.filter((each) => !isUntouchable(each) && !missingIn(kind, each));
  const near = fitting.filter((each) => each.interface === of);
  const ofPartners = fitting.filter(isOfPartners);
  return [...new Set([...near, ...ofPartners])].slice(0, EXAMPLES).map(({ id }) => id);
}
