import type { MeasuredPlatform } from '../platform.ts';

/** The back office of a platform under load, as its operator. */
export interface Operator {
  /** Asks, and gives the answer; throws for every status but 200. */
  ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Accounts of the partner whose endpoints are made: one has a hundred at most. */
  readonly clientIds: readonly string[];
  readonly partnerGuid: string;
}

const ACCOUNTS = 4;

/** Logs in as the operator of the demo group. */
export async function logIn({ url, demo, headersOf }: MeasuredPlatform): Promise<Operator> {
  const headers = { ...(await headersOf('operator')), 'content-type': 'application/json' };
  const ask: Operator['ask'] = async (method, path, body) => {
    const text = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${url}/backoffice/v1${path}`, { method, headers, body: text });
    const answer = (await response.json()) as Record<string, unknown>;
    if (response.status === 200) return answer;
    throw new Error(`${method} ${path} answered ${response.status} ${JSON.stringify(answer)}`);
  };
  const { partner } = await ask('GET', `/clients/${demo.clients.partner?.clientId}`);
  const partnerGuid = (partner as { guid: string }).guid;
  const account = { name: 'Receivers', type: 'PARTNER', partnerGuid, scopes: [] };
  const clientIds = await inTurns(Array.from({ length: ACCOUNTS }), async () => {
    const { client } = await ask('POST', '/clients', account);
    return (client as { clientId: string }).clientId;
  });
  return { ask, clientIds, partnerGuid };
}

/** Makes an endpoint for each address, and gives their GUIDs. */
export async function makeEndpoints(
  { ask, clientIds }: Operator,
  urls: readonly string[],
): Promise<string[]> {
  return await inTurns(urls, async (url, index) => {
    const clientId = clientIds[index % clientIds.length];
    // A machine that is held up for seconds is no receiver that is away.
    const settings = { clientId, url, connectTimeoutMs: 10_000 };
    const { endpoint } = await ask('POST', '/webhooks/endpoints', settings);
    return String((endpoint as { guid: string }).guid);
  });
}

/** Ends the endpoints, so that nothing more is sent to them. */
export async function archiveAll({ ask }: Operator, endpoints: readonly string[]): Promise<void> {
  await inTurns(endpoints, (guid) => ask('POST', `/webhooks/endpoints/${guid}/archive`));
}

const AT_ONCE = 16;

/** Does something with each, sixteen at a time; gives the results in their order. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  act: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const loop = async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await act(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  return results;
}
