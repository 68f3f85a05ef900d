import type { IssuedWebhookSecret, WebhookEndpoint, WebhookSecret } from '@servery/contract';
import { SLOW_AFTER } from '@servery/server';
import { type AnyCommand, type At, command, type PlatformCall } from '../command.ts';
import { editOf, needsFields } from '../edit.ts';
import { invalidUsage } from '../exit-codes.ts';
import { didYouMean } from '../find/did-you-mean.ts';
import { isSame } from '../find/find.ts';
import { ACTORS, namesOf } from '../find/names.ts';
import { isGuid, listOf, millisecondsOf, oneOf, quoted, words } from '../readers.ts';
import { type Columns, counted, lines, type Shown, said } from '../shown.ts';
import {
  argument,
  as,
  client,
  limit,
  naming,
  partner,
  removable,
  required,
  secretOptions,
  switchTo,
  text,
  the,
} from '../values.ts';
import { until } from '../when.ts';
import { pausedText } from './webhook-waits.ts';

const columns: Columns<WebhookEndpoint> = {
  endpoint: 'guid',
  address: 'url',
  partner: 'partnerName',
  state: stateText,
  waiting: 'queued',
  dead: 'deadLetters',
  'last day': ({ attemptsLastDay, deliveredLastDay }) =>
    attemptsLastDay === 0 ? '' : `${deliveredLastDay} of ${attemptsLastDay}`,
  why: 'stateReason',
};

const settings = {
  description: removable('description', 'what it is for'),
  events: naming(typesOf, 'eventTypes', text('<types>', 'event types separated by commas, or all')),
  connectTimeout: as(
    'connectTimeoutMs',
    text('<duration>', 'time limit to connect, for example 2s or 500ms', readTimeout),
  ),
  answerTimeout: as(
    'answerTimeoutMs',
    text('<duration>', 'time limit for a response, for example 2s or 500ms', readTimeout),
  ),
  retries: as(
    'retryDelaysSeconds',
    text('<durations>', 'delay after each attempt, for example 5m,10m, or none', readDelays),
  ),
  ordered: switchTo('isOrdered', true, 'deliver events in order, one at a time'),
  unordered: switchTo('isOrdered', false, 'deliver events independently'),
};

const states = {
  active: 'ACTIVE',
  paused: 'PAUSED',
  disabled: 'DISABLED',
  archived: 'ARCHIVED',
} as const;
const onEndpoint = { endpoint: the.endpoint };
const reason = { reason: required(text('<text>', 'reason, for the record', words)) };

export const endpointCommands: readonly AnyCommand[] = [
  command({
    name: 'list',
    summary: 'List endpoints, newest first, with what is waiting',
    examples: ['servery webhooks list --state paused'],
    isDefault: true,
    options: {
      partner: partner(text('<partner>', 'name or GUID')),
      client: client(text('<client>', 'client ID, name, or name in demo.json')),
      state: text('<state>', 'active, paused, disabled, or archived', oneOf(states)),
      limit,
    },
    operation: 'backOffice.webhooks.endpoints.list',
    pages: {
      columns,
      empty: ({ request }) =>
        Object.keys(request.query ?? {}).length > 0
          ? 'No endpoint matches.'
          : 'There are no endpoints yet. Create one: "servery webhooks create <address> --client <account>".',
    },
  }),
  command({
    name: 'show',
    summary: 'Show an endpoint: its settings, state, queue, and secrets',
    examples: ['servery webhooks show hooks.example.com'],
    arguments: onEndpoint,
    operation: 'backOffice.webhooks.endpoints.get',
    show: endpointShown,
  }),
  command({
    name: 'create',
    summary: 'Send the events of a partner to an address, and show the secret once',
    examples: ['servery webhooks create https://hooks.example.com/servery --client partner'],
    arguments: { address: as('url', argument('for example https://hooks.example.com/servery')) },
    options: {
      client: required(client(text('<client>', 'its PARTNER account: client ID or name'))),
      ...settings,
      label: as('secret.label', secretOptions.label),
    },
    check: checkOrder,
    operation: 'backOffice.webhooks.endpoints.create',
    show: (made) => issued(made, `Events now go to ${made.endpoint.url} (${made.endpoint.guid}).`),
  }),
  command({
    name: 'edit',
    summary: 'Change the address or the settings of an endpoint',
    examples: ['servery webhooks edit hooks.example.com --retries 1m,5m,1h --ordered'],
    arguments: onEndpoint,
    options: { to: as('url', text('<address>', 'send events to this address')), ...settings },
    check: async (call) => {
      checkOrder(call);
      await needsFields()(call);
    },
    operation: 'backOffice.webhooks.endpoints.update',
    run: async (call) => endpointShown(await call.ask({ body: editOf(call) }), call),
  }),
  command({
    name: 'pause',
    summary: 'Pause deliveries; events wait, and none is lost',
    examples: ['servery webhooks pause hooks.example.com --reason "moving servers"'],
    arguments: onEndpoint,
    options: reason,
    operation: 'backOffice.webhooks.endpoints.pause',
    show: (after) => said(after, `${after.url} is paused.`),
  }),
  command({
    name: 'disable',
    summary: 'Stop deliveries, and queue no events',
    examples: ['servery webhooks disable hooks.example.com --reason "not needed"'],
    arguments: onEndpoint,
    options: reason,
    operation: 'backOffice.webhooks.endpoints.disable',
    show: (after) => said(after, `${after.url} is disabled.`),
  }),
  command({
    name: 'resume',
    summary: 'Resume deliveries; waiting events are sent in order',
    examples: ['servery webhooks resume hooks.example.com'],
    arguments: onEndpoint,
    operation: 'backOffice.webhooks.endpoints.resume',
    run: async ({ ask, read }) => {
      const before = await read('backOffice.webhooks.endpoints.get');
      const after = await ask();
      const { url, queued } = after;
      return said(
        after,
        before.state === 'ACTIVE'
          ? `${url} was already active; ${counted(queued, 'event')} on the way.`
          : `${url} receives events again; ${counted(queued, 'event')} waited.`,
      );
    },
  }),
  command({
    name: 'archive',
    summary: 'Archive an endpoint and its secrets for good; waiting events are dropped',
    examples: ['servery webhooks archive hooks.example.com'],
    arguments: onEndpoint,
    operation: 'backOffice.webhooks.endpoints.archive',
    show: (after) => said(after, `${after.url} no longer receives events.`),
  }),
  command({
    name: 'secrets add',
    summary: 'Add a second secret and show it once; from now on, both sign',
    examples: ['servery webhooks secrets add hooks.example.com --others-expire 7d'],
    arguments: onEndpoint,
    options: {
      ...secretOptions,
      othersExpire: until(
        text('<when>', 'when the current secret expires: 7d, or ISO 8601'),
        'othersExpireAt',
      ),
    },
    operation: 'backOffice.webhooks.secrets.add',
    show: (made) => issued(made, `${made.endpoint.url} has ${secretsText(made.endpoint)}.`),
  }),
  command({
    name: 'secrets revoke',
    summary: 'Stop signing with a secret at once',
    examples: ['servery webhooks secrets revoke hooks.example.com 0192…'],
    arguments: {
      ...onEndpoint,
      secret: naming(
        findSecret,
        'secretGuid',
        argument('GUID or label: see servery webhooks show'),
      ),
    },
    operation: 'backOffice.webhooks.secrets.revoke',
    show: (after) => said(after, `Revoked the secret. ${after.url} has ${secretsText(after)}.`),
  }),
];

async function findSecret(written: string, { client: at, given }: At): Promise<string> {
  if (isGuid(written)) return written.toLowerCase();
  const params = { endpointGuid: String(given.endpoint) };
  const endpoint = await at.call('backOffice.webhooks.endpoints.get', { params });
  const found = endpoint.secrets.filter(({ label }) => isSame(label, written));
  const [only, ...others] = found;
  if (only && others.length === 0) return only.guid;
  const { guid, url, secrets } = endpoint;
  const labels = secrets.map(({ label }) => label);
  throw invalidUsage(
    only
      ? `both secrets of ${url} have the label ${quoted(written)}. Use a GUID:` +
          found.map((one) => `\n  ${one.guid}, created at ${one.createdAt}`).join('')
      : `${url} has no live secret with the label ${quoted(written)}` +
          `${didYouMean(written, labels) || '.'} "servery webhooks show ${guid}" shows them.`,
  );
}

function secretsText({ secrets: { length } }: WebhookEndpoint): string {
  return counted(length, 'live secret');
}

function checkOrder({
  options: { ordered, unordered },
}: {
  readonly options: Readonly<Record<'ordered' | 'unordered', boolean | undefined>>;
}): void {
  if (!ordered || !unordered) return;
  throw invalidUsage('--ordered and --unordered contradict each other. Leave one out.');
}

function typesOf(written: string): string[] | null {
  return written === 'all' ? null : listOf(written);
}

function readDelays(written: string, flag = ''): number[] {
  if (written === 'none') return [];
  return listOf(written).map((each) => millisecondsOf(each, flag) / MS_PER_SECOND);
}

function readTimeout(written: string, flag = ''): number {
  const [, count] = /^(\d{1,6})ms$/.exec(written.trim()) ?? [];
  if (count !== undefined) return Number(count);
  if (!/^\d+$/.test(written.trim())) return millisecondsOf(written, flag);
  throw invalidUsage(`${flag}${written} has no unit. Use, for example, 2s or 500ms.`);
}

/** A signing secret, which is never shown again. */
function issued(made: IssuedWebhookSecret, sentence: string): Shown {
  return said(made, `${sentence} The secret is shown only once:\n  ${made.secret}`);
}

function stateText(endpoint: Pick<WebhookEndpoint, 'state' | 'pauseReason'>): string {
  return `${endpoint.state} ${pausedText(endpoint)}`.trimEnd();
}

async function endpointShown(
  endpoint: WebhookEndpoint,
  call: Pick<PlatformCall, 'client' | 'flags'>,
): Promise<Shown> {
  const { clientId, createdBy, createdAt } = endpoint;
  const nameOf = await namesOf(call, [clientId, createdBy], ACTORS);
  const account = nameOf(clientId) === clientId ? clientId : `${nameOf(clientId)} (${clientId})`;
  return lines(endpoint, [
    ['endpoint', endpoint.guid],
    ['address', endpoint.url],
    ['for', endpoint.description ?? ''],
    ['partner', endpoint.partnerName],
    ['account', account],
    ...settingLines(endpoint),
    ...stateLines(endpoint),
    ...endpoint.secrets.map((secret) => ['secret', secretText(secret)] as const),
    ['created', `${createdAt} by ${nameOf(createdBy)}`],
    ['changed', endpoint.modifiedAt],
  ]);
}

function settingLines(endpoint: WebhookEndpoint): (readonly [string, string])[] {
  const { eventTypes, isOrdered, retryDelaysSeconds, connectTimeoutMs, answerTimeoutMs } = endpoint;
  const retries = retryDelaysSeconds.map((seconds) => durationText(seconds * MS_PER_SECOND));
  const connect = `${durationText(connectTimeoutMs)} to connect`;
  return [
    ['events', eventTypes === null ? 'all' : eventTypes.join(', ')],
    ['ordered', isOrdered ? 'yes: one event at a time' : 'no'],
    ['retries', retries.length === 0 ? 'none' : `after ${retries.join(', ')}`],
    ['timeouts', `${connect}, ${durationText(answerTimeoutMs)} to answer`],
  ];
}

function stateLines(endpoint: WebhookEndpoint): (readonly [string, string])[] {
  const { consecutiveFailures, queued, oldestQueuedAt, attemptsLastDay } = endpoint;
  const slowed = consecutiveFailures < SLOW_AFTER ? '' : '; deliveries go out one at a time';
  const oldest = oldestQueuedAt === null ? '' : `, the oldest since ${oldestQueuedAt}`;
  const accepted = `${endpoint.deliveredLastDay} of ${counted(attemptsLastDay, 'attempt')} accepted`;
  return [
    ['state', `${stateText(endpoint)}, since ${endpoint.stateSince}`],
    ['why', endpoint.stateReason ?? ''],
    ['next probe', endpoint.nextProbeAt ?? ''],
    ['failures', consecutiveFailures === 0 ? '' : `${consecutiveFailures} in a row${slowed}`],
    ['waiting', `${queued}${oldest}`],
    ['dead letters', String(endpoint.deadLetters)],
    ['last day', attemptsLastDay === 0 ? 'no attempts' : accepted],
    ['last accepted', endpoint.lastDeliveredAt ?? ''],
  ];
}

function secretText({ guid, label, createdAt, expiresAt }: WebhookSecret): string {
  const called = label === null ? '' : `${quoted(label)}, `;
  const end = expiresAt === null ? '' : `, until ${expiresAt}`;
  return `${guid}  ${called}since ${createdAt}${end}`;
}

const MS_PER_SECOND = 1_000;
const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: MS_PER_SECOND, ms: 1 };

/** A duration as options take it: `1h30m`, `500ms`. */
function durationText(durationMs: number): string {
  let leftMs = durationMs;
  let shown = '';
  for (const [sign, lengthMs] of Object.entries(UNITS)) {
    const count = Math.floor(leftMs / lengthMs);
    leftMs -= count * lengthMs;
    if (count > 0) shown += `${count}${sign}`;
  }
  return shown;
}
