import { type Defect, defect } from './defect.ts';

/** Every planted defect: what mutation tools can't reach, and a user would notice. */
export const defects: readonly Defect[] = [
  // Money.
  defect(
    {
      name: 'money-rounded',
      why: 'An amount that the currency does not have is charged as another one.',
      tests: ['life/money'],
    },
    () => import('../../../packages/server/src/payments/life/money.ts'),
    'readAmount',
    (sound) => (value, currencyCode) => sound(Number(value.toFixed(2)), currencyCode),
  ),
  defect(
    {
      name: 'capture-without-tip',
      why: 'Servers never get their tips.',
      tests: ['payments/settle'],
    },
    () => import('../../../packages/server/src/payments/life/capture.ts'),
    'capturing',
    (sound) => (deps, payment) => sound(deps, { ...payment, tipMinor: 0 }),
  ),
  defect(
    {
      name: 'capture-of-the-old-tip',
      why: 'A guest pays a tip that was taken back.',
      tests: ['payments/tip'],
    },
    () => import('../../../packages/server/src/payments/life/capture.ts'),
    'capturing',
    (sound) => (deps, payment) => sound(deps, { ...payment, changedTipMinor: null }),
  ),
  defect(
    {
      name: 'close-out-at-midnight',
      why: 'The night of a bar is split in two.',
      tests: ['due/close-out'],
    },
    () => import('../../../packages/server/src/payments/due/close-out.ts'),
    'closeOutAfter',
    (sound) => (instantMs, restaurant) => sound(instantMs, { ...restaurant, closeoutHour: 0 }),
  ),
  defect(
    {
      name: 'approval-of-another-amount',
      why: 'A guest pays another amount than the one on the check.',
      tests: ['payments/durability'],
    },
    () => import('../../../packages/server/src/payments/life/outcome.ts'),
    'isForSameMoney',
    () => () => true,
  ),
  // Payments: order of commits, keys, leases.
  defect(
    {
      name: 'payment-answered-before-commit',
      why: 'A partner is told of a payment that the database may never record.',
      tests: ['payments/durability'],
    },
    () => import('../../../packages/server/src/payments/life/record.ts'),
    'recordOutcome',
    (sound) => async (deps, payment, move) => {
      void sound(deps, payment, move).catch(() => {});
      const { nextState } = await import('../../../packages/server/src/payments/life/lifecycle.ts');
      const state = nextState(payment.state, move.cause);
      return { isOurs: true, payment: { ...payment, ...move.change, state } };
    },
  ),
  defect(
    {
      name: 'payment-silence-means-no',
      why: 'A call whose answer was lost is repeated, and the card is held twice.',
      tests: ['payments/durability'],
    },
    () => import('../../../packages/server/src/payments/life/outcome.ts'),
    'moveFor',
    (sound) => (payment, answer, nowMs) => {
      if (answer.outcome !== 'unknown') return sound(payment, answer, nowMs);
      const { explanation } = answer;
      return sound(payment, { outcome: 'notProcessed', explanation, isUnsent: true }, nowMs);
    },
  ),
  defect(
    {
      name: 'payment-repeat-of-another-amount',
      why: 'A PUT of another amount is taken for a repeat, and the difference is never paid.',
      tests: ['payments/repeats'],
    },
    () => import('../../../packages/server/src/payments/authorize/repeats.ts'),
    'judgeRepeat',
    (sound) => (database, payment, facts) => {
      const { contentDigest } = facts.intent.payment;
      return sound(database, { ...payment, contentDigest }, facts);
    },
  ),
  defect(
    {
      name: 'payment-repeat-of-another-client',
      why: 'A client sees the payment of another client.',
      tests: ['payments/repeats'],
    },
    () => import('../../../packages/server/src/payments/authorize/repeats.ts'),
    'judgeRepeat',
    (sound) => (database, payment, facts) => {
      const { clientId } = facts.intent.payment;
      return sound(database, { ...payment, clientId }, facts);
    },
  ),
  defect(
    {
      name: 'payment-read-by-another-partner',
      why: 'A partner sees and voids the payments of another partner.',
      tests: ['payments/own-payments'],
    },
    () => import('../../../packages/server/src/payments/life/store.ts'),
    'findOwnPayment',
    () => async (sql, key) => {
      const { findPayment } = await import('../../../packages/server/src/payments/life/store.ts');
      return await findPayment(sql, key);
    },
  ),
  defect(
    {
      name: 'payment-never-due',
      why: 'Nobody looks after the payments of a process that died.',
      tests: ['payments/settle'],
    },
    () => import('../../../packages/server/src/payments/authorize/intent.ts'),
    'makeIntent',
    (sound) => (vault, input) => {
      const intent = sound(vault, input);
      return { ...intent, payment: { ...intent.payment, dueAt: null } };
    },
  ),
  defect(
    {
      name: 'payment-lease-ignored',
      why: 'Two processes work on one payment at once.',
      tests: ['payments/due-work'],
    },
    () => import('../../../packages/server/src/payments/due/due-store.ts'),
    'claimDuePayments',
    (sound) => (sql, now, lease, limit, passedOver) => {
      const realNow = new Date(lease.realNow.getTime() + 3_600_000);
      return sound(sql, now, { ...lease, realNow }, limit, passedOver);
    },
  ),
  defect(
    {
      name: 'processor-key-random',
      why: 'Nobody can ask what became of a call, because its key is recorded nowhere.',
      tests: ['payments/durability'],
    },
    () => import('../../../packages/card-simulator/src/messages.ts'),
    'authorizationKey',
    (sound) => (paymentId, attempt) => `${sound(paymentId, attempt)}:${Math.random()}`,
  ),
  defect(
    {
      name: 'velocity-limit-ignored',
      why: 'Someone who tries out stolen cards is never stopped.',
      tests: ['payments/velocity'],
    },
    () => import('../../../packages/server/src/payments/authorize/velocity-store.ts'),
    'insertVelocityCounts',
    (sound) => async (sql, payment, counts, verdictExpiresAt) => {
      await sound(sql, payment, counts, verdictExpiresAt);
      return counts.length;
    },
  ),
  defect(
    {
      name: 'card-number-kept',
      why: 'A card number that a guest wrote into a text is stored.',
      tests: ['payments/canary.test'],
    },
    () => import('../../../packages/server/src/text/card-number-removal.ts'),
    'removeCardNumbers',
    () => (text) => text,
  ),
  // Tenancy and access.
  defect(
    {
      name: 'reach-of-lists-ignored',
      why: 'A restaurant group sees the payments, alarms and changes of all others.',
      tests: ['payments/office', 'audit/entries'],
    },
    () => import('../../../packages/server/src/reach/reach-store.ts'),
    'isAtReachedRestaurant',
    () => (sql) => sql`true`,
  ),
  defect(
    {
      name: 'reach-of-restaurants-ignored',
      why: 'A management group reaches the restaurants of all others.',
      tests: ['partners/access'],
    },
    () => import('../../../packages/server/src/reach/reach.ts'),
    'reachesRestaurant',
    () => () => true,
  ),
  defect(
    {
      name: 'page-token-of-any-list',
      why: 'The page token of one list opens another list in the middle.',
      tests: ['http/paging'],
    },
    () => import('../../../packages/server/src/http/paging.ts'),
    'pageTokens',
    (sound) => (vault) => sound(vault, 'any list'),
  ),
  defect(
    {
      name: 'kind-of-caller-unchecked',
      why: 'Only scopes keep partners out of the back office.',
      tests: ['http/application'],
    },
    () => import('../../../packages/server/src/http/pipeline/admit.ts'),
    'isOfKind',
    () => () => true,
  ),
  defect(
    {
      name: 'scopes-lent',
      why: 'Anyone who may create accounts creates one that may do everything.',
      tests: ['clients/office'],
    },
    () => import('../../../packages/server/src/clients/may-grant.ts'),
    'requireHeld',
    () => () => {},
  ),
  defect(
    {
      name: 'any-secret-accepted',
      why: 'Anyone who knows a client ID can log in.',
      tests: ['tokens/login'],
    },
    () => import('../../../packages/server/src/clients/clients.ts'),
    'findSecretOf',
    () => (_digest, secrets) => secrets[0] ?? null,
  ),
  defect(
    {
      name: 'expired-token-accepted',
      why: 'A token never expires.',
      tests: ['tokens/authenticate'],
    },
    () => import('../../../packages/server/src/tokens/access-tokens.ts'),
    'AccessTokens',
    (Sound) =>
      class extends Sound {
        override verify(token: string) {
          return super.verify(token, 0);
        }
      },
  ),
  defect(
    {
      name: 'csrf-token-unchecked',
      why: 'Any web page can act with the session of the person who looks at it.',
      tests: ['access/session-access'],
    },
    () => import('../../../packages/server/src/people/sessions.ts'),
    'isCsrfToken',
    () => () => true,
  ),
  defect(
    {
      name: 'passwords-guessed',
      why: 'Passwords can be guessed as fast as the server answers.',
      tests: ['people/log-in'],
    },
    () => import('../../../packages/server/src/people/slow-down.ts'),
    'slowDown',
    () => async () => {},
  ),
  defect(
    {
      name: 'one-time-code-twice',
      why: 'Someone who looks over a shoulder logs in with the same code.',
      tests: ['people/own-account'],
    },
    () => import('../../../packages/server/src/people/credential-store.ts'),
    'updateTotpStep',
    () => async () => true,
  ),
  defect(
    {
      name: 'webhook-target-unchecked',
      why: 'A webhook reaches the services inside the operator’s network.',
      tests: ['sockets/blocked'],
    },
    () => import('../../../packages/server/src/webhooks/sockets/networks.ts'),
    'findObstacle',
    () => () => null,
  ),
  defect(
    {
      name: 'webhook-signed-by-nobody',
      why: 'Anyone can sign webhooks.',
      tests: ['packages/webhooks'],
    },
    () => import('../../../packages/webhooks/src/signed-bytes.ts'),
    'standardKeyOf',
    () => () => new Uint8Array(32),
  ),
  defect(
    {
      name: 'request-log-unredacted',
      why: 'Secrets and card data are kept in the log of requests.',
      tests: ['requests/redact'],
    },
    () => import('../../../packages/server/src/requests/redact-body.ts'),
    'redactBody',
    () => (bytes) => bytes.toString(),
  ),
  // Locks and commits.
  defect(
    {
      name: 'last-operator-in-a-race',
      why: 'Two operators who deactivate each other leave the platform to nobody.',
      tests: ['people/people'],
    },
    () => import('../../../packages/server/src/people/person-store.ts'),
    'findHeldOperators',
    () => async () => {},
  ),
  defect(
    {
      name: 'audit-sealed-without-lock',
      why: 'Of two processes that seal the audit log, one keeps failing.',
      tests: ['audit/seal'],
    },
    () => import('../../../packages/server/src/audit/chain-store.ts'),
    'findHeadForUpdate',
    () => async (sql) => {
      const { findHead } = await import('../../../packages/server/src/audit/chain-store.ts');
      return await findHead(sql);
    },
  ),
  defect(
    {
      name: 'clock-moved-twice',
      why: 'Two moves at once leave the clock where neither expects it.',
      tests: ['sandbox/move-clock'],
    },
    () => import('../../../packages/server/src/sandbox/clock-store.ts'),
    'updateClock',
    (sound) => async (sql, next) => {
      const [row] = await sql<{ version: number }[]>`select version from environment_clock`;
      return await sound(sql, { ...next, version: (row?.version ?? 0) + 1 });
    },
  ),
  defect(
    {
      name: 'clock-move-unseen',
      why: 'Background work runs in the middle of a move of the clock.',
      tests: ['sandbox/clock.test'],
    },
    () => import('../../../packages/server/src/sandbox/clock.ts'),
    'isMoving',
    () => () => false,
  ),
  defect(
    {
      name: 'import-in-pieces',
      why: 'An import that fails leaves half a group behind.',
      tests: ['group-document/group-document'],
    },
    () => import('../../../packages/server/src/group-document/import.ts'),
    'importGroup',
    (sound) => (deps, contents, options) => {
      const { database } = deps;
      const inPieces: typeof database = {
        ...database,
        transaction: async (run) => await run(database.sql),
      };
      return sound({ ...deps, database: inPieces }, contents, options);
    },
  ),
  defect(
    {
      name: 'lost-commit-taken-for-a-failure',
      why: 'A commit that may have happened is taken for one that failed.',
      tests: ['postgres/test/one-trip'],
    },
    () => import('../../../packages/postgres/src/one-trip.ts'),
    'sendInOneTrip',
    (sound) => async (session, begin, run) =>
      await sound(session, begin, run).catch((error: Error) => {
        throw error.cause ?? error;
      }),
  ),
  defect(
    {
      name: 'lost-commit-taken-for-done',
      why: 'A kitchen believes in stock levels that were never stored.',
      tests: ['stock/undo'],
    },
    () => import('../../../packages/server/src/stock/change-store.ts'),
    'findIsRecorded',
    () => async () => true,
  ),
  // Caches.
  defect(
    {
      name: 'cache-never-stale',
      why: 'What was read once is served forever.',
      tests: ['freshness/cache'],
    },
    () => import('../../../packages/server/src/freshness/cache.ts'),
    'Cache',
    (Sound) =>
      class<Value extends object> extends Sound<Value> {
        override isGood() {
          return true;
        }
      },
  ),
  defect(
    {
      name: 'cache-without-its-database',
      why: 'A process that lost its database serves the past.',
      tests: ['freshness/freshness'],
    },
    () => import('../../../packages/server/src/freshness/freshness.ts'),
    'Freshness',
    (Sound) =>
      class extends Sound {
        override isKnown() {
          return true;
        }
      },
  ),
  defect(
    {
      name: 'cache-changes-untold',
      why: 'Other processes never hear of a change.',
      tests: ['freshness/freshness'],
    },
    () => import('../../../packages/server/src/freshness/change-mark-store.ts'),
    'updateMarks',
    () => async () => [],
  ),
  defect(
    {
      name: 'cache-token-remembered',
      why: 'A revoked account gets in until its token expires.',
      tests: ['tokens/authenticate'],
    },
    () => import('../../../packages/server/src/tokens/inspect-token.ts'),
    'inspectToken',
    (sound) => {
      const known = new Map<string, ReturnType<typeof sound>>();
      return (deps, token, nowMs) => {
        const remembered = known.get(token) ?? sound(deps, token, nowMs);
        known.set(token, remembered);
        return remembered;
      };
    },
  ),
  // Orders.
  defect(
    {
      name: 'order-without-its-lock',
      why: 'Two guests buy the last portion.',
      tests: ['orders/race'],
    },
    () => import('../../../packages/server/src/orders/published-store.ts'),
    'findOrderingRestaurantForUpdate',
    () => async (sql, guid) => {
      const store = await import('../../../packages/server/src/orders/published-store.ts');
      const found = await store.findOrderingRestaurant(sql, guid);
      if (!found) throw new Error(`restaurant ${guid} has no row`);
      return found;
    },
  ),
  defect(
    {
      name: 'order-external-id-unchecked',
      why: 'A guest whose answer was lost orders twice, or gets a 500.',
      tests: ['orders/race'],
    },
    () => import('../../../packages/server/src/orders/order-store.ts'),
    'listTakenExternalIds',
    () => async () => [],
  ),
  defect(
    {
      name: 'order-payment-not-applied',
      why: 'An order is shown as paid, and the hold ends after five minutes.',
      tests: ['orders/payments-agree'],
    },
    () => import('../../../packages/server/src/orders/place/place-order.ts'),
    'applyPayments',
    () => async (sql, payments) => {
      const { insertOrderPayments } = await import(
        '../../../packages/server/src/orders/order-store.ts'
      );
      await insertOrderPayments(sql, payments);
    },
  ),
  defect(
    {
      name: 'order-payment-judged-without-lock',
      why: 'A hold that was given back meanwhile still pays for an order.',
      tests: ['orders/payments-agree'],
    },
    () => import('../../../packages/server/src/payments/life/record.ts'),
    'recordMoveWithin',
    (sound) => async (sql, before, move, news) => (await sound(sql, before, move, news)) ?? before,
  ),
  defect(
    {
      name: 'order-left-behind-by-its-payment',
      why: 'A check whose hold a deadline gave back is found as paid, and nobody is told.',
      tests: ['orders/payments-agree', 'payment-model'],
    },
    () => import('../../../packages/server/src/orders/kitchen/follow-payment.ts'),
    'followPayment',
    () => () => (_sql, _moved, make) => make([]),
  ),
  defect(
    {
      name: 'order-tip-above-the-authorized',
      why: 'A guest pays more than the card was asked for, or the capture is declined.',
      tests: ['orders/change'],
    },
    () => import('../../../packages/server/src/payments/life/tip.ts'),
    'readTip',
    (sound) => (payment, tipAmount) => sound({ ...payment, tipMinor: 1_000_000 }, tipAmount),
  ),
  defect(
    {
      name: 'order-commit-taken-for-another',
      why: 'A change is acknowledged, and only the change of somebody else is there.',
      tests: ['orders/payments-agree'],
    },
    () => import('../../../packages/server/src/orders/order-store.ts'),
    'isVersionOf',
    () => async () => true,
  ),
  defect(
    {
      name: 'order-void-keeps-stock',
      why: 'Portions of voided orders can never be sold.',
      tests: ['orders/change'],
    },
    () => import('../../../packages/server/src/orders/stock-need.ts'),
    'givenBack',
    () => () => new Map(),
  ),
  // Stock, configuration, events, audit log.
  defect(
    {
      name: 'drafts-outdated-published',
      why: 'An old draft undoes what was published since.',
      tests: ['configuration/publish'],
    },
    () => import('../../../packages/server/src/configuration/effective.ts'),
    'outdatedPlaces',
    () => () => [],
  ),
  defect(
    {
      name: 'changed-references-missed',
      why: 'Partners keep showing a menu group with an item that was archived.',
      tests: ['configuration/changes'],
    },
    () => import('../../../packages/server/src/configuration/changed-references.ts'),
    'changedReferences',
    () => () => [],
  ),
  defect(
    {
      name: 'event-not-queued',
      why: 'An event is in the log, and no endpoint gets it.',
      tests: ['webhooks/deliver.test'],
    },
    () => import('../../../packages/server/src/webhooks/delivery/queue-event.ts'),
    'queueEvent',
    () => async () => {},
  ),
  defect(
    {
      name: 'audit-proof-unchecked',
      why: 'Someone who computes all hashes again writes another history.',
      tests: ['audit/tamper'],
    },
    () => import('../../../packages/server/src/audit/proofs.ts'),
    'isProof',
    () => () => true,
  ),
];
