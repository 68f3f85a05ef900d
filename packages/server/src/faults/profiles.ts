import type { FaultProfile, FaultToInject } from '@servery/contract';

export interface MixedFault {
  readonly fault: FaultToInject;
  readonly rate: number;
}

/** What each profile mixes. Each rule has a sequence of its own, made from the profile's seed. */
export const profiles: Readonly<Record<FaultProfile, readonly MixedFault[]>> = {
  perfect: [],
  'like-production': [
    { fault: { kind: 'latency', duration: 'PT0.4S' }, rate: 0.02 },
    { fault: { kind: 'status', status: 503 }, rate: 0.002 },
    { fault: { kind: 'lostAnswer' }, rate: 0.001 },
    { fault: { kind: 'duplicateEvent' }, rate: 0.01 },
    { fault: { kind: 'shuffledEvents' }, rate: 0.02 },
    { fault: { kind: 'decline', code: '05' }, rate: 0.02 },
    { fault: { kind: 'lateApproval' }, rate: 0.001 },
  ],
  'bad-friday': [
    { fault: { kind: 'lostAnswer' }, rate: 0.05 },
    { fault: { kind: 'status', status: 503 }, rate: 0.05 },
    { fault: { kind: 'tooManyRequests' }, rate: 0.05 },
    { fault: { kind: 'duplicatedRequest' }, rate: 0.05 },
    { fault: { kind: 'droppedConnection' }, rate: 0.02 },
    { fault: { kind: 'truncatedAnswer' }, rate: 0.02 },
    { fault: { kind: 'expiredToken' }, rate: 0.02 },
    { fault: { kind: 'publicationBetweenPages' }, rate: 0.1 },
    { fault: { kind: 'unknownValues' }, rate: 0.05 },
    { fault: { kind: 'latency', duration: 'PT1S' }, rate: 0.1 },
    { fault: { kind: 'duplicateEvent' }, rate: 0.1 },
    { fault: { kind: 'shuffledEvents' }, rate: 0.2 },
    { fault: { kind: 'delayedEvent' }, rate: 0.1 },
    { fault: { kind: 'lostEvent' }, rate: 0.1 },
    { fault: { kind: 'decline', code: '51' }, rate: 0.1 },
    { fault: { kind: 'lateApproval' }, rate: 0.05 },
    { fault: { kind: 'processorUnreachable' }, rate: 0.02 },
  ],
};
