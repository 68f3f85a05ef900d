import { type Examples, exampleGuid, serials } from './example.ts';

const match = {
  operation: 'creditCards.authorize',
  client: exampleGuid(70),
  restaurant: exampleGuid(serials.restaurant),
};

const FaultRule = {
  guid: exampleGuid(95),
  match,
  phase: 'before',
  fault: {
    kind: 'latency',
    status: null,
    retryAfterSeconds: null,
    duration: 'PT2S',
    code: null,
    amount: null,
    inquiries: null,
    call: null,
  },
  times: 3,
  rate: null,
  seed: 1,
  profile: null,
  matched: 1,
  injected: 1,
  remaining: 2,
  lastMatchedAt: '2026-01-31T18:30:12.000Z',
  matchesNothing: false,
  createdAt: '2026-01-31T18:30:00.000Z',
  createdBy: exampleGuid(71),
} satisfies Examples<'FaultRule'>['FaultRule'];

export const faultsExamples: Examples<
  'FaultOrder' | 'FaultProfileChoice' | 'FaultRule' | 'FaultRules'
> = {
  FaultOrder: { match, fault: { kind: 'latency', duration: 'PT2S' }, times: 3 },
  FaultProfileChoice: { profile: 'bad-friday', seed: 1 },
  FaultRule,
  FaultRules: { profile: null, rules: [FaultRule] },
};
