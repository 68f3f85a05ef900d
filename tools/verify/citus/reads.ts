import { type Operation, operations } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import type { DemoClient } from '../../../packages/server/src/sandbox/demo-file.ts';
import { type Known, visit } from '../../measure/plans/visits.ts';
import { type Caller, callerOf } from '../crash/caller.ts';
import type { Stage } from '../crash/stage.ts';
import { loginOf, tokenIn } from '../staleness/back-office.ts';

const LIMIT_MS = 60_000;
const PREFIX = '/backoffice/v1';

const reads: readonly Operation[] = operations.filter(
  ({ interface: owner, method, security, mediaType }) =>
    owner === 'backOffice' &&
    method === 'GET' &&
    security !== 'session' &&
    mediaType !== 'text/event-stream',
);

/**
 * Moves the clock, and calls each read of the back office with each of its filters: as an account
 * of the platform, and as one of a management group. Gives the number of answers with a 5xx.
 */
export async function tryReads(stage: Stage, tell: (line: string) => void): Promise<number> {
  const { operator } = stage.demo.clients;
  const accounts = { platform: operator, group: await makeGroupAccount(stage) };
  let failed = 0;
  for (const [reach, account] of Object.entries(accounts)) {
    const call = callOf(stage, callerOf(account));
    await call('/clock/advance', { duration: 'PT1H' });
    await call('/clock/next', {});
    const known = await knownTo(stage, account);
    const visits = (await Promise.all(reads.map((read) => visit(read, known, () => {})))).flat();
    const wrong = visits.filter(({ status }) => status >= 500);
    for (const { id, search, status } of wrong) tell(`  ${status} ${id} ${search}`);
    const found = visits.filter(({ status }) => status === 200).length;
    tell(`account of the ${reach}: ${visits.length} reads, ${found} of them answered with 200`);
    failed += wrong.length + (found === 0 ? 1 : 0);
  }
  return failed;
}

type Call = <Body>(path: string, json?: object) => Promise<Body>;

/** Calls the first server; throws an Error for any answer but 200. */
function callOf({ serverUrls: [server = ''] }: Stage, caller: Caller): Call {
  return async (path, json) => {
    const method = json === undefined ? 'GET' : 'POST';
    const request = { server, method, path: PREFIX + path, json, limitMs: LIMIT_MS } as const;
    const answer = await caller(request);
    if (answer?.status === 200) return JSON.parse(answer.text ?? '');
    throw new Error(`${path}: ${answer?.status} ${answer?.text}`);
  };
}

async function makeGroupAccount(stage: Stage): Promise<DemoClient> {
  const { operator } = stage.demo.clients;
  const { client, clientSecret } = await callOf(stage, callerOf(operator))<{
    client: { clientId: string };
    clientSecret: string;
  }>('/clients', {
    name: 'Group',
    type: 'BACK_OFFICE',
    managementGroupGuid: stage.demo.managementGroupGuid,
    // Metrics are of the whole platform.
    scopes: operator.scopes.filter((scope) => scope !== 'metrics:read'),
  });
  return { ...operator, ...client, clientSecret };
}

async function knownTo(stage: Stage, account: DemoClient): Promise<Known> {
  const { demo, serverUrls } = stage;
  const [url = ''] = serverUrls;
  const { clientId, clientSecret, userAccessType } = account;
  const { path, ...login } = loginOf(account);
  const office = tokenIn(await (await fetch(url + path, login)).text());
  const restaurantGuid = demo.restaurants[0]?.guid ?? '';
  const call = callOf(stage, callerOf(demo.clients.operator));
  const { partner } = await call<{ partner: { guid: string } }>(
    `/clients/${demo.clients.partner.clientId}`,
  );
  const nothing = newGuid();
  return {
    ...{ url, brand: demo.brand, clientId, clientSecret, userAccessType },
    ...{ token: '', office, cookie: '', personGuid: nothing },
    ...{ groupGuid: demo.managementGroupGuid, restaurantGuid, itemGuid: nothing },
    ...{ partnerGuid: partner.guid, endpointGuid: nothing, deliveryGuid: nothing },
    ...{ paymentUuid: nothing, payment: null, order: { checks: [] } },
    placed: { orderGuid: nothing, checkGuid: nothing, selectionGuid: nothing },
  };
}
