import type { Static } from 'typebox';
import { alarmKinds } from './back-office-terms.ts';
import { answer, choice, dateTime, decimal, epoch, list, orNull, text, whole } from './field.ts';

const count = (description: string) => whole(description);
const milliseconds = (description: string) =>
  decimal(`In milliseconds: ${description}.`, { minimum: 0 });
const latency = (share: string) =>
  orNull(
    milliseconds(
      `${share} of the requests took at most this long, rounded up to the next step of the ` +
        'histogram (2.5, 5, 10, 25, 50, 100, 250, 500 and so on up to 10,000); null if ' +
        'there were no requests, or if it was more',
    ),
  );

export const HealthMinute = answer('What all processes together did in one minute.', {
  at: dateTime('When the minute began, in real time.'),
  requests: answer('Requests, by outcome.', {
    succeeded: count('Answered with 2xx or 3xx.'),
    refused: count('Answered with 4xx, except those over a limit.'),
    limited: count('Answered with 429: over a limit.'),
    failed: count('Answered with 5xx.'),
    p50Ms: latency('half'),
    p99Ms: latency('99%'),
  }),
  payments: answer('Payments that reached a state.', {
    authorized: count('Approved by the processor.'),
    denied: count('Denied by the processor or a velocity limit.'),
    unknown: count('Without a result from the processor.'),
    captured: count('Captured.'),
    voided: count('Voided.'),
    review: count('Sent to review: a person must decide.'),
  }),
  webhooks: answer('Attempts to deliver webhooks.', {
    delivered: count('Accepted by the receiver.'),
    failed: count('Refused by the receiver, or not delivered.'),
  }),
  processes: answer('The processes of the server.', {
    count: count('How many reported.'),
    memoryBytes: epoch('Memory of all of them.'),
    cpuShare: decimal('CPU time of all of them in a second; 1 is one core.', { minimum: 0 }),
    eventLoopLagP99Ms: milliseconds(
      '99% of the event loop delays of the slowest process were shorter than this',
    ),
  }),
  database: answer('The database.', {
    connections: count('Connections of all processes.'),
    roundTripMs: milliseconds('the longest time that an empty statement took'),
    sizeBytes: epoch('Size of the database.'),
  }),
});
export type HealthMinute = Static<typeof HealthMinute>;

export const HealthProcess = answer('A process, as it last reported.', {
  name: text('Its host and process id.'),
  version: text('The version that it runs.'),
  startedAt: dateTime('When it started to serve this environment, in real time.'),
  reportedAt: dateTime('When the minute of its last report began.'),
  memoryBytes: epoch('Its memory.'),
  cpuShare: decimal('CPU time in a second; 1 is one core.', { minimum: 0 }),
  eventLoopLagP99Ms: milliseconds('99% of its event loop delays were shorter than this'),
});
export type HealthProcess = Static<typeof HealthProcess>;

export const Health = answer('The health of the platform in the last hour.', {
  minutes: list(
    HealthMinute,
    'The complete minutes of the last hour, oldest first. A minute in which no process reported ' +
      'is left out.',
    { maxItems: 60 },
  ),
  processes: list(
    HealthProcess,
    'The processes that reported in the last two minutes, oldest first. A process that was killed ' +
      'stays in the list that long.',
  ),
  webhookQueue: answer('Deliveries that are waiting.', {
    count: count('How many there are, at the 1,000 endpoints that have waited longest.'),
    oldestAt: orNull(
      dateTime(
        'When the oldest was queued, by the clock of the environment; null if none is waiting.',
      ),
    ),
  }),
  openAlarms: list(
    answer('Open alarms of one kind.', {
      kind: choice('The kind of problem.', alarmKinds),
      count: count('How many.'),
    }),
    'Open alarms, by kind; kinds without one are left out.',
  ),
});
export type Health = Static<typeof Health>;
