import type { CallOptions, DemoCallers } from './client.ts';

/** The part of the back office that this file knows. */
export const faultFamily = 'faults';

/** A call on injected faults that is answered by 200. */
export async function faultSample(callers: DemoCallers, name: string): Promise<CallOptions> {
  if (name === 'setProfile') return { json: { profile: 'perfect', seed: 7 } };
  // Touches nobody: others use the platform at the same time, and this account is not connected.
  const { clients, restaurants } = callers.platform.demo;
  const match = {
    operation: 'stock.search',
    client: clients.other.clientId,
    restaurant: restaurants[0]?.guid,
  };
  const order = { match, fault: { kind: 'latency', duration: 'PT1S' }, times: 3 };
  if (name === 'add') return { json: order };
  if (name === 'list') return {};
  const operator = await callers.as('operator');
  const added = await operator.call('backOffice.faults.add', 200, { json: order });
  return { params: { faultGuid: (added.json as { guid: string }).guid } };
}

/** Orders a fault with each parameter for an account that nobody uses meanwhile, and reads them. */
export async function walkFaults(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const operator = await callers.as('operator');
  const { match } = (await faultSample(callers, 'add')).json as { match: Record<string, string> };
  const { operation: _, ...place } = match;
  const faults = [
    { kind: 'status', status: 500 },
    { kind: 'tooManyRequests', retryAfterSeconds: 3 },
    { kind: 'decline', code: '51' },
    { kind: 'otherAmount', amount: 3 },
    { kind: 'lateApproval', inquiries: 2 },
    { kind: 'processorUnreachable', call: 'void' },
  ];
  for (const fault of faults) {
    const json = { match: place, fault, rate: 0.5 };
    record('FaultRule', (await operator.call('backOffice.faults.add', 200, { json })).json);
  }
  const json = { match, fault: { kind: 'latency' } };
  record('FaultRule', (await operator.call('backOffice.faults.add', 200, { json })).json);
  record('FaultRules', (await operator.call('backOffice.faults.list', 200)).json);
}

const OWN = 'Tests of the server order it on a platform that nobody else uses.';

/** Fields that no walk fills, and why. */
export const faultFieldsElsewhere: Readonly<Record<string, string>> = {
  'FaultRules.profile': OWN,
  'FaultRule.profile': OWN,
  'FaultRule.lastMatchedAt': OWN,
  'LoggedRequest.fault': OWN,
  'LoggedRequestDetails.fault': OWN,
};

/** What turns a sample into a call with a wrong value. */
export const faultsWrong: Readonly<Record<string, unknown>> = {
  'faults.add': { fault: { kind: 'rain' } },
  'faults.setProfile': { profile: 'sad-monday' },
};
