import type { Client } from '@servery/client/back-office';
import type { LoggedRequest } from '@servery/contract';

/** A request that your code sent, and the rule of the documentation that refused it, if one did. */
export type AskedRequest = LoggedRequest & { readonly rule: string | null };

const REQUESTS_AT_MOST = 1_000;

/** What was sent since then, in real time, oldest first, without the requests `isOwn` knows. */
export async function readRequests(
  operator: Client,
  since: Date,
  isOwn: (requestId: string) => boolean,
): Promise<AskedRequest[]> {
  const query = { from: since.toISOString() };
  const { results } = await operator.list('backOffice.requests.list', { query }, REQUESTS_AT_MOST);
  const asked: AskedRequest[] = [];
  for (const request of results.filter(({ requestId }) => !isOwn(requestId))) {
    asked.push({ ...request, rule: await ruleOf(operator, request) });
  }
  return asked.reverse();
}

async function ruleOf(
  operator: Client,
  { refusal, requestId }: LoggedRequest,
): Promise<string | null> {
  if (!refusal) return null;
  const found = await operator.call('backOffice.requests.get', { params: { requestId } });
  return found.explanation?.rule ?? null;
}
