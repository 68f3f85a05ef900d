// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/webhooks';
const DELIVER = 'packages/server/test/webhooks/deliver.test.ts';
const CIRCUIT = 'packages/server/test/webhooks/circuit.test.ts';
const WORK = 'packages/server/test/webhooks/work.test.ts';

/**
 * Defects of the delivery of events: what is lost, doubled, out of order or told to the wrong one.
 */
export const webhooksDeliveryDefects: readonly Defect[] = [
  {
    name: 'webhooks-event-not-queued',
    file: 'packages/server/src/partners/record-change.ts',
    find: '  await queueEvent(sql, event);',
    replace: '',
    why: 'An event would be in the log and go to nobody.',
    caughtBy: { file: DELIVER, name: /an event is posted with its headers/ },
  },
  {
    name: 'webhooks-404-is-dead',
    file: `${SOURCE}/judge.ts`,
    find: 'status === 404 || ',
    replace: '',
    why: 'A receiver that is being deployed would lose events.',
    caughtBy: { file: DELIVER, name: /deliver 404: is retried/ },
  },
  {
    name: 'webhooks-redirect-is-taken',
    file: `${SOURCE}/judge.ts`,
    find: 'if (status >= 200 && status <= 299)',
    replace: 'if (status >= 200 && status <= 399)',
    why: 'An event that went to the wrong address would count as delivered.',
    caughtBy: { file: DELIVER, name: /deliver 301: is a dead letter/ },
  },
  {
    name: 'webhooks-retry-after-unheard',
    file: `${SOURCE}/judge.ts`,
    find: 'nowMs + (askedMs ?? delayS * SECOND_MS)',
    replace: 'nowMs + delayS * SECOND_MS',
    why: 'A receiver that asks for time would not get it.',
    caughtBy: { file: DELIVER, name: /deliver 429-in-seconds/ },
  },
  {
    name: 'webhooks-retry-after-unbounded',
    file: `${SOURCE}/judge.ts`,
    find: 'SHORTEST_RETRY_AFTER_MS), LONGEST_RETRY_AFTER_MS);',
    replace: 'SHORTEST_RETRY_AFTER_MS), Number.MAX_SAFE_INTEGER);',
    why: 'One answer could put an event off for years.',
    caughtBy: { file: DELIVER, name: /deliver 429-far/ },
  },
  {
    name: 'webhooks-secrets-of-before',
    file: `${SOURCE}/secrets.ts`,
    find: '!expiresAt || expiresAt.getTime() > nowMs',
    replace: 'expiresAt !== undefined || nowMs > 0',
    why: 'A secret that has ended would go on signing.',
    caughtBy: { file: DELIVER, name: /with two live secrets both sign/ },
  },
  {
    name: 'webhooks-signatures-kept',
    file: `${SOURCE}/make-attempt.ts`,
    find: 'return { ...headers, ...Object.fromEntries(left) };',
    replace: 'return { ...Object.fromEntries(left), ...headers };',
    why: 'Whoever reads of attempts could send them again in the platform’s name.',
    caughtBy: { file: DELIVER, name: /keep no signature and no card number/ },
  },
  {
    name: 'webhooks-answers-kept-as-they-are',
    file: `${SOURCE}/make-attempt.ts`,
    find: 'answered && cleanText(answered.text)',
    replace: 'answered && answered.text',
    why: 'A card number that a receiver answers would be stored (I7).',
    caughtBy: { file: DELIVER, name: /keep no signature and no card number/ },
  },
  {
    name: 'webhooks-unwanted-types',
    file: `${SOURCE}/queue-store.ts`,
    find: 'and (e.event_types is null or ${type}::text = any(e.event_types))',
    replace: '',
    why: 'An endpoint would get what it did not ask for.',
    caughtBy: { file: DELIVER, name: /each endpoint gets what it wants/ },
  },
  {
    name: 'webhooks-never-paused',
    file: `${SOURCE}/circuit.ts`,
    find: 'if (failures < PAUSE_AFTER) return',
    replace: 'if (failures < 1_000) return',
    why: 'All that happens while a receiver is down would become dead letters.',
    caughtBy: { file: CIRCUIT, name: /ten failures in a row pause/ },
  },
  {
    name: 'webhooks-probe-gives-up',
    file: `${SOURCE}/judge.ts`,
    find: "  if (isProbe) return { next: 'retry', atMs: nowMs, isCounted: false };",
    replace: '',
    why: 'A long outage would eat up the queue, one probe after the other.',
    caughtBy: { file: CIRCUIT, name: /ten failures in a row pause/ },
  },
  {
    name: 'webhooks-probes-without-bound',
    file: `${SOURCE}/circuit.ts`,
    find: 'Math.min(FIRST_PROBE_MS * 2 ** Math.min(probes, 20), LONGEST_PROBE_MS)',
    replace: 'FIRST_PROBE_MS * 2 ** Math.min(probes, 20)',
    why: 'A receiver that comes back after a week would wait for another week.',
    caughtBy: { file: CIRCUIT, name: /ten failures in a row pause/ },
  },
  {
    name: 'webhooks-gone-is-dead',
    file: `${SOURCE}/judge.ts`,
    find: "  if (status === 410) return { next: 'pause', reason: 'GONE' };",
    replace: '',
    why: 'An endpoint that is gone by mistake would lose event after event.',
    caughtBy: { file: CIRCUIT, name: /410 pauses at once/ },
  },
  {
    name: 'webhooks-slow-endpoint-at-full-speed',
    file: `${SOURCE}/due-delivery-store.ts`,
    find: "or e.state = 'PAUSED' or e.failures >= ${slowAfter} then 1",
    replace: "or e.state = 'PAUSED' or e.failures >= ${slowAfter} + 1000 then 1",
    why: 'A receiver that struggles would get all at once.',
    caughtBy: { file: CIRCUIT, name: /one delivery is tried at a time/ },
  },
  {
    name: 'webhooks-person-overruled',
    file: `${SOURCE}/due-delivery-store.ts`,
    find: "(e.state = 'ACTIVE' or e.state = 'PAUSED' and e.probe_at <= ${now})",
    replace: "(e.state <> 'DISABLED')",
    why: 'What a person paused would go out all the same.',
    caughtBy: { file: CIRCUIT, name: /what a person paused stays so/ },
  },
  {
    name: 'webhooks-order-lost',
    file: `${SOURCE}/due-delivery-store.ts`,
    find: "e.is_ordered or e.state = 'PAUSED' as is_single",
    replace: "e.state = 'PAUSED' as is_single",
    why: 'A later change would arrive before an earlier one that is still retried.',
    caughtBy: { file: CIRCUIT, name: /the next goes out only after/ },
  },
  {
    name: 'webhooks-lease-ignored',
    file: `${SOURCE}/due-delivery-store.ts`,
    find:
      '          and (d.lease_expires_at is null or d.lease_expires_at <= ${realNow})\n' +
      '        order by d.due_at',
    replace: '        order by d.due_at',
    why: 'Claims would pile up behind what others work on.',
    caughtBy: { file: WORK, name: /four processes share 200 deliveries/ },
  },
  {
    name: 'webhooks-lost-lease-writes',
    file: `${SOURCE}/outcome-store.ts`,
    find: '        and d.lease_holder = done.holder',
    replace: '',
    why: 'Two outcomes of one attempt would be written, and the later one would win.',
    caughtBy: { file: WORK, name: /whoever lost the lease writes nothing/ },
  },
  {
    name: 'webhooks-call-without-lease',
    file: `${SOURCE}/make-attempt.ts`,
    find: 'if (leftMs < 2 * (connectTimeoutMs + answerTimeoutMs) + MARGIN_MS) return null;',
    replace: '',
    why: 'A process that stood still would send what others have sent, after what came later.',
    caughtBy: { file: WORK, name: /a lease that is nearly over begins no call/ },
  },
  {
    name: 'webhooks-replay-unmarked',
    file: `${SOURCE}/make-attempt.ts`,
    find: "...(kind === 'REPLAY' ? { [names.replay]: 'true' } : {}),",
    replace: '',
    why: 'A receiver could not tell what happens from what happened.',
    caughtBy: { file: WORK, name: /counted first and marked/ },
  },
  {
    name: 'webhooks-replay-of-others',
    file: `${SOURCE}/replay-store.ts`,
    find: '        where partner_guid = ${partnerGuid}\n' + '          and position between',
    replace: '        where partner_guid is not null\n' + '          and position between',
    why: 'A partner would get the events of another one.',
    caughtBy: { file: WORK, name: /other partners get nothing/ },
  },
  {
    name: 'webhooks-failed-replayed-twice',
    file: `${SOURCE}/replay.ts`,
    find: '    await updateDeadReplayed(sql, keyOf(endpoint), numbers);',
    replace: '',
    why: 'Each replay of what failed would send all of it again.',
    caughtBy: { file: WORK, name: /the failed ones go out again in their order, and once/ },
  },
  {
    name: 'webhooks-revoked-account-told',
    file: `${SOURCE}/due-delivery-store.ts`,
    find: 'c.client_id = e.client_id and c.revoked_at is not null)
        ${isMeant}',
    replace: 'c.client_id = e.client_id and false)
        ${isMeant}',
    why: 'Whoever lost his account would go on being told of restaurants.',
    caughtBy: { file: WORK, name: /a revoked account is told nothing/ },
  },
  {
    name: 'webhooks-waiting-event-forgotten',
    file: `${SOURCE}/forget-store.ts`,
    find: 'd.place = event.position and d.extra = 0',
    replace:
      '              and d.endpoint_guid = endpoint.guid and d.place = event.position and false',
    why: 'What waits for a receiver would lose its body.',
    caughtBy: { file: WORK, name: /not what waits or was given up of late/ },
  },
];
