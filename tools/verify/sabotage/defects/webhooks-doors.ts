import type { Defect } from '../defect.ts';

const EVENTS = 'packages/server/src/webhooks/events';
const OFFICE = 'packages/server/src/backoffice/webhooks';
const eventTests = 'packages/server/test/webhooks/events.test.ts';
const endpointTests = 'packages/server/test/backoffice/webhook-endpoints.test.ts';
const deliveryTests = 'packages/server/test/backoffice/webhook-deliveries.test.ts';
const listenTests = 'packages/cli/test/listen-broken-off.test.ts';

/** Defects of the doors of webhooks: what would lose an event, or show it to the wrong one. */
export const webhooksDoorDefects: readonly Defect[] = [
  {
    name: 'webhooks-stream-tells-without-right',
    file: `${EVENTS}/streams.ts`,
    find: 'if (!(await this.#asked.mayRead())) return this.#forbid();',
    replace: '',
    why: 'A revoked account would go on reading what a restaurant tells its partner.',
    caughtBy: { file: eventTests, name: /ends with the right, and tells nothing after it/ },
  },
  {
    name: 'webhooks-stream-outlives-right',
    file: `${EVENTS}/streams.ts`,
    find: 'if (isAsked && !(await',
    replace: 'if (isAsked && isTold && !(await',
    why: 'A stream without events would live on for ever after its account ended.',
    caughtBy: { file: eventTests, name: /ends with the right, and tells nothing after it/ },
  },
  {
    name: 'webhooks-stream-tells-what-waits',
    file: 'packages/server/src/support/text-stream.ts',
    find: '    this.#pieces.length = 0;\n',
    replace: '',
    why: 'Two hundred events would go to whoever lost the right before he had read them.',
    caughtBy: { file: eventTests, name: /what nobody has read yet goes with the right/ },
  },
  {
    name: 'webhooks-stream-that-is-full-unasked',
    file: `${EVENTS}/streams.ts`,
    find: 'if (this.#isLooking || this.text.isEnded) return;',
    replace:
      'if (this.#isLooking || this.text.isEnded || this.text.length >= PIECES_AT_MOST) return;',
    why: 'A reader that reads slowly would be told on and on after its account ended.',
    caughtBy: { file: eventTests, name: /what nobody has read yet goes with the right/ },
  },
  {
    name: 'webhooks-stream-fetches-unread',
    file: `${EVENTS}/streams.ts`,
    find: 'isNew && this.text.length < PIECES_AT_MOST',
    replace: 'isNew && PIECES_AT_MOST > 0',
    why: 'A reader that does not read would fill the memory of the process.',
    caughtBy: { file: eventTests, name: /what nobody reads waits, and nothing is lost/ },
  },
  {
    name: 'webhooks-cursor-from-elsewhere',
    file: `${EVENTS}/cursor.ts`,
    find: 'if (place.position <= newest.position && place.number <= newest.number) return place;',
    replace: 'if (place.position >= 0) return place;',
    why: 'After a reset of its platform a listener would miss events in silence.',
    caughtBy: { file: eventTests, name: /no cursor, size or type, or one from elsewhere/ },
  },
  {
    name: 'webhooks-cursor-stops-at-filter',
    file: `${EVENTS}/read-events.ts`,
    find: 'const position = last ? last.position : newest.position;',
    replace: 'const position = shown.at(-1)?.position ?? after;',
    why: 'Whoever filters would read the same pages again and again.',
    caughtBy: { file: eventTests, name: /a filter moves the cursor past what it leaves out/ },
  },
  {
    name: 'webhooks-missed-untold',
    file: `${EVENTS}/read-events.ts`,
    find: 'upTo - after - (await findKeptCount(sql, partnerGuid, { after, upTo }))',
    replace: '0',
    why: 'Whoever slept for longer than events are kept would not hear that some are lost.',
    caughtBy: { file: eventTests, name: /whoever comes too late is told what was missed/ },
  },
  {
    name: 'webhooks-archived-secrets-live',
    file: 'packages/server/src/webhooks/archive.ts',
    find: '    await updateAllWebhookSecretsRevoked(sql, key, at, by);\n',
    replace: '',
    why: 'Secrets of an ended endpoint would look as if they were still of use.',
    caughtBy: { file: endpointTests, name: /ends it, and what waits is dropped/ },
  },
  {
    name: 'webhooks-dry-run-sends',
    file: `${OFFICE}/replay-routes.ts`,
    find: '= isDryRun',
    replace: '= asked === null',
    why: 'Whoever only wants to count would send the events again.',
    caughtBy: { file: deliveryTests, name: /one, a range, the failed, since; counted first/ },
  },
  {
    name: 'listen-forgets-what-failed',
    file: 'packages/cli/src/commands/listen.ts',
    find: 'if (isFailed && flags.exitOnFailure) throw failed(run, heard);',
    replace:
      'if (isFailed && flags.exitOnFailure) {\n' +
      '    await keep(run, heard.cursor);\n' +
      '    throw failed(run, heard);\n' +
      '  }',
    why: 'The next run would begin behind an event that nobody took.',
    caughtBy: { file: listenTests, name: /the next run begins with what failed/ },
  },
  {
    name: 'trigger-outside-of-a-sandbox',
    file: 'packages/cli/src/commands/trigger.ts',
    find: 'if (isMovable) return;',
    replace: 'if (isMovable !== null) return;',
    why: 'A test would disconnect a restaurant of a production platform from its partner.',
    caughtBy: { file: listenTests, name: /changes nothing where no sandbox is/ },
  },
  {
    name: 'listen-begins-anew-after-a-break',
    file: 'packages/cli/src/listen/follow.ts',
    find: 'after: deps.cursor() ?? undefined',
    replace: 'after: undefined',
    why: 'What happened while a laptop slept would never reach it.',
    caughtBy: { file: listenTests, name: /a connection that breaks is made again/ },
  },
];
