import { randomUUID } from 'node:crypto';
import { newAccount } from './accounts.ts';
import { cardNamed } from './back-office.ts';
import type { DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import { authorize, paymentBody } from './payment.ts';
import { logged } from './status-requests-logs.ts';

const LIMITS = 'packages/cli/test/explain.test.ts, on a platform with small limits.';

/** Fields that no walk fills, and why. */
export const explanationFieldsElsewhere: Readonly<Record<string, string>> = {
  'ExplainedBudget.retryAfterSeconds': LIMITS,
  'ExplainedPayment.limit': LIMITS,
  'ExplainedLimit.dimension': LIMITS,
  'ExplainedLimit.count': LIMITS,
  'ExplainedLimit.windowMs': LIMITS,
};

/** Makes requests that are refused for different reasons, and gives what is told of them. */
export async function walkExplanations(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const { demo } = callers.platform;
  const [restaurant] = openRestaurants(demo);
  const operator = await callers.as('operator');
  const partner = await callers.as('partner');
  const change = (id: string, options: object) =>
    operator.call(`backOffice.${id}`, 200, options).then(({ json }) => json as { guid: string });
  const { guid: partnerGuid } = await change('partners.create', {
    json: { name: `Ring partner ${randomUUID()}` },
  });
  const account = { type: 'PARTNER', partnerGuid, scopes: ['stock:read'] };
  const { caller: formerPartner } = await newAccount(callers, account);
  const connection = { params: { restaurantGuid: restaurant, partnerGuid } };
  await change('connections.connect', { ...connection, json: { partnerGuid } });
  await change('connections.disconnect', { ...connection, json: { reason: 'Enough.' } });

  const body = await paymentBody(demo, { card: cardNamed(callers, /Insufficient funds/) });
  const noGuest = await paymentBody(demo);
  noGuest.requestMetadata.guestIdentifier = '0';
  const wrongCard = await paymentBody(demo, { cardData: { cardNumber: '4111111111111112' } });
  const answers = await Promise.all([
    formerPartner.call('stock.list', 403, { restaurant }),
    partner.call('stock.list', 401, { restaurant, token: `${partner.token}x` }),
    authorize(partner, 200, restaurant, body),
    authorize(partner, 200, restaurant, noGuest),
    authorize(partner, 422, restaurant, wrongCard),
  ]);
  for (const answer of answers) {
    const params = { requestId: await logged(callers, answer) };
    const { json } = await operator.call('backOffice.requests.get', 200, { params });
    record('LoggedRequestDetails', json);
  }
}
