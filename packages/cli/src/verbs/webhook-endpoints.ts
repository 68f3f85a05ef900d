import type {
  IssuedWebhookSecret,
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointEdit,
} from '@servery/contract';
import { isGuid, wordsOf } from '../arguments.ts';
import { readPages } from '../back-office.ts';
import { counted } from '../counted.ts';
import { isoDuration } from '../duration.ts';
import { invalidUsage } from '../exit-codes.ts';
import type { Column } from '../table.ts';
import { didYouMean } from './did-you-mean.ts';
import { isSame } from './one-of.ts';
import { rows, type Shown, said } from './shown.ts';
import { type Call, flag, limitFlag, needed, type Verb, verb } from './verb.ts';
import { endpointPath, endpointWord, WEBHOOKS } from './webhook-names.ts';
import { endpointShown } from './webhook-shown.ts';
import { stateText } from './webhook-words.ts';
import { instantOf } from './when.ts';

interface ListFlags {
  readonly partner?: string;
  readonly client?: string;
  readonly state?: string;
  readonly limit: number;
}

interface SettingFlags {
  readonly description?: string;
  readonly events?: string;
  readonly connectTimeout?: string;
  readonly answerTimeout?: string;
  readonly retries?: string;
  readonly ordered?: boolean;
  readonly unordered?: boolean;
}

interface SecretFlags {
  readonly label?: string;
  readonly expires?: string;
  readonly othersExpire?: string;
}

type State = WebhookEndpoint['state'];

const STATES: Readonly<Record<string, State>> = {
  active: 'ACTIVE',
  paused: 'PAUSED',
  disabled: 'DISABLED',
  archived: 'ARCHIVED',
};

const settings = [
  flag('--description <text>', 'what it is for'),
  flag('--events <types>', 'separated by commas, or all'),
  flag('--connect-timeout <duration>', 'how long connecting may take: 2s, 500ms'),
  flag('--answer-timeout <duration>', 'how long the answer may take: 2s, 500ms'),
  flag('--retries <durations>', 'after each attempt: 5m,10m; or none'),
  flag('--ordered', 'an event waits until the one before is over'),
  flag('--unordered', 'events go out by themselves'),
];

const NONE_YET =
  'There is no endpoint yet: "servery webhooks create <address> --client <account>" makes one.';

const columns: readonly Column<WebhookEndpoint>[] = [
  { title: 'endpoint', cell: ({ guid }) => guid },
  { title: 'address', cell: ({ url }) => url, breaks: true },
  { title: 'partner', cell: ({ partnerName }) => partnerName, breaks: true },
  { title: 'state', cell: stateText },
  { title: 'waiting', cell: ({ queued }) => String(queued) },
  { title: 'dead', cell: ({ deadLetters }) => String(deadLetters) },
  { title: 'last day', cell: dayText },
  { title: 'why', cell: ({ stateReason }) => stateReason ?? '', breaks: true },
];

const reads: readonly Verb[] = [
  verb<ListFlags>({
    name: 'list',
    says: 'the endpoints within reach, newest first, with what waits',
    example: 'servery webhooks list --state paused',
    isDefault: true,
    flags: [
      flag('--partner <partner>', 'of a partner: its name or GUID'),
      flag('--client <client>', 'of an account: its id, name, or name in demo.json'),
      flag('--state <state>', 'active, paused, disabled or archived', readState),
      limitFlag(),
    ],
    run: async ({ remote, find, flags: { partner, client, state, limit } }) => {
      const query = {
        partnerGuid: partner === undefined ? undefined : await find.partner(partner),
        clientId: client === undefined ? undefined : await find.client(client),
        state,
      };
      const path = `${WEBHOOKS}/endpoints`;
      const page = await readPages<WebhookEndpoint>(remote, path, query, limit);
      const isAsked = [partner, client, state].some((filter) => filter !== undefined);
      return rows(columns, page, isAsked ? 'There is no such endpoint within reach.' : NONE_YET);
    },
  }),
  verb<object>({
    name: 'show',
    says: 'one endpoint: its settings, state, queue and secrets',
    example: 'servery webhooks show hooks.example.com',
    words: [endpointWord],
    run: async (call) => endpointShown(call, await call.remote.get(await endpointPath(call))),
  }),
];

const changes: readonly Verb[] = [
  verb<SettingFlags & SecretFlags & { readonly client?: string }>({
    name: 'create',
    says: 'send the events of a partner to an address; shows the secret, once',
    example: 'servery webhooks create https://hooks.example.com/servery --client partner',
    words: [{ name: '<address>', says: 'where to: https://…' }],
    flags: [
      needed('--client <client>', 'whose it is: a PARTNER account, by id or name'),
      ...settings,
      flag('--label <text>', 'what the secret is called'),
    ],
    run: async (call) => {
      const { remote, find, flags, words } = call;
      const [url = ''] = words;
      const clientId = await find.client(flags.client ?? '');
      const { label } = flags;
      const body: NewWebhookEndpoint = {
        ...{ clientId, url },
        ...settingsOf(flags),
        ...(label === undefined ? {} : { secret: { label } }),
      };
      const made = await remote.post<IssuedWebhookSecret>(`${WEBHOOKS}/endpoints`, body);
      return issued(made, `Events go to ${made.endpoint.url} (${made.endpoint.guid}) from now on.`);
    },
  }),
  verb<SettingFlags & { readonly to?: string }>({
    name: 'edit',
    says: 'change the address or the settings of an endpoint',
    example: 'servery webhooks edit hooks.example.com --retries 1m,5m,1h --ordered',
    words: [endpointWord],
    flags: [flag('--to <address>', 'send to this address from now on'), ...settings],
    run: async (call) => {
      const { to, ...flags } = call.flags;
      const edit: WebhookEndpointEdit = {
        ...settingsOf(flags),
        ...(to === undefined ? {} : { url: to }),
      };
      if (Object.keys(edit).length === 0) {
        throw invalidUsage('what is to change? Say it with --to, --events, --retries or another.');
      }
      const path = await endpointPath(call);
      return endpointShown(call, await call.remote.send('PATCH', path, edit));
    },
  }),
  stateVerb('pause', 'send nothing for a while; events wait, and none is lost', 'paused'),
  stateVerb('disable', 'send nothing, and let nothing wait', 'disabled'),
  verb<object>({
    name: 'resume',
    says: 'send again; what waits goes out in its order',
    example: 'servery webhooks resume hooks.example.com',
    words: [endpointWord],
    run: async (call) => {
      const path = await endpointPath(call);
      const before = await call.remote.get<WebhookEndpoint>(path);
      const after = await call.remote.post<WebhookEndpoint>(`${path}/resume`);
      const { url, queued } = after;
      const again = `${url} is sent events again; ${queued} waited.`;
      const asBefore = `${url} was sent events all the time; ${queued} on their way.`;
      return said(after, before.state === 'ACTIVE' ? asBefore : again);
    },
  }),
  verb<object>({
    name: 'archive',
    says: 'end an endpoint and its secrets for good; what waits is dropped',
    example: 'servery webhooks archive hooks.example.com',
    words: [endpointWord],
    run: async (call) => {
      const after = await call.remote.post<WebhookEndpoint>(`${await endpointPath(call)}/archive`);
      return said(after, `${after.url} is sent nothing any more.`);
    },
  }),
];

const secrets: readonly Verb[] = [
  verb<SecretFlags>({
    name: 'secrets add',
    says: 'make a second secret and show it, once; both sign from now on',
    example: 'servery webhooks secrets add hooks.example.com --others-expire 7d',
    words: [endpointWord],
    flags: [
      flag('--label <text>', 'what it is called'),
      flag('--expires <when>', 'when it ends: 90d, or ISO 8601'),
      flag('--others-expire <when>', 'when the one that lives now ends: the overlap'),
    ],
    run: async (call) => {
      const { label, expires, othersExpire } = call.flags;
      const at = async (name: string, text: string | undefined) =>
        text === undefined ? undefined : await instantOf(name, text, call.remote);
      const body = {
        label,
        expiresAt: await at('--expires', expires),
        othersExpireAt: await at('--others-expire', othersExpire),
      };
      const path = `${await endpointPath(call)}/secrets`;
      const made = await call.remote.post<IssuedWebhookSecret>(path, body);
      return issued(made, `${made.endpoint.url} has ${livingText(made.endpoint)}.`);
    },
  }),
  verb<object>({
    name: 'secrets revoke',
    says: 'sign with a secret no more, at once',
    example: 'servery webhooks secrets revoke hooks.example.com 0192…',
    words: [
      endpointWord,
      {
        name: '<secret>',
        says: 'its GUID or label: see servery webhooks show',
      },
    ],
    run: async (call) => {
      const path = await endpointPath(call);
      const secret = await secretOf(call, path);
      const after = await call.remote.post<WebhookEndpoint>(`${path}/secrets/${secret}/revoke`);
      return said(after, `The secret is revoked; ${after.url} has ${livingText(after)}.`);
    },
  }),
];

/** The verbs of `servery webhooks` about endpoints. */
export const endpointVerbs: readonly Verb[] = [...reads, ...changes, ...secrets];

/** The GUID of the secret that the second word names, by its label too. */
async function secretOf({ remote, words }: Call<object>, path: string): Promise<string> {
  const [, text = ''] = words;
  if (isGuid(text)) return text.toLowerCase();
  const { guid, url, secrets: living } = await remote.get<WebhookEndpoint>(path);
  const found = living.filter(({ label }) => isSame(label, text));
  const [only, ...others] = found;
  if (only && others.length === 0) return only.guid;
  throw invalidUsage(
    only
      ? `both secrets of ${url} are called ${JSON.stringify(text)}; write a GUID:` +
          found.map((one) => `\n  ${one.guid}, made at ${one.createdAt}`).join('')
      : `${url} has no live secret called ${JSON.stringify(text)}` +
          `${
            didYouMean(
              text,
              living.map(({ label }) => label),
            ) || '.'
          } "servery webhooks show ${guid}" shows them.`,
  );
}

function livingText({ secrets: { length } }: WebhookEndpoint): string {
  return `${counted(length, 'secret')} that ${length === 1 ? 'lives' : 'live'}`;
}

function stateVerb(name: 'pause' | 'disable', says: string, done: string): Verb {
  return verb<{ readonly reason: string }>({
    name,
    says,
    example: `servery webhooks ${name} hooks.example.com --reason "we move"`,
    words: [endpointWord],
    flags: [needed('--reason <text>', 'for whoever reads it later', wordsOf('--reason'))],
    run: async (call) => {
      const { reason } = call.flags;
      const path = `${await endpointPath(call)}/${name}`;
      const after = await call.remote.post<WebhookEndpoint>(path, { reason });
      return said(after, `${after.url} is ${done}.`);
    },
  });
}

function settingsOf(flags: SettingFlags): WebhookEndpointEdit {
  const { description, events, connectTimeout, answerTimeout, retries } = flags;
  if (flags.ordered && flags.unordered) {
    throw invalidUsage('--ordered and --unordered contradict each other: leave one out.');
  }
  const eventTypes = events === undefined ? undefined : typesOf(events);
  const given = {
    description: description === '' ? null : description,
    eventTypes,
    connectTimeoutMs: milliseconds('--connect-timeout', connectTimeout),
    answerTimeoutMs: milliseconds('--answer-timeout', answerTimeout),
    retryDelaysSeconds: retries === undefined ? undefined : delaysOf(retries),
    isOrdered: flags.ordered ? true : flags.unordered ? false : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function typesOf(text: string): WebhookEndpoint['eventTypes'] {
  if (text === 'all') return null;
  // The platform tells which names are none.
  return text.split(',').map((type) => type.trim()) as WebhookEndpoint['eventTypes'];
}

function delaysOf(text: string): number[] {
  if (text === 'none') return [];
  return text.split(',').map((each) => seconds(each.trim()));
}

function seconds(text: string): number {
  return Temporal.Duration.from(isoDuration(text)).total({
    unit: 'seconds',
    relativeTo: '2026-01-01',
  });
}

function milliseconds(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count] = /^(\d{1,6})ms$/.exec(text.trim()) ?? [];
  if (count !== undefined) return Number(count);
  if (/^\d+$/.test(text.trim())) throw invalidUsage(`${name} ${text}: of what? Write 2s or 500ms.`);
  return seconds(text) * 1_000;
}

function readState(text: string): string {
  const state = STATES[text.toLowerCase()];
  if (state) return state;
  const all = Object.keys(STATES).join(', ');
  throw invalidUsage(`${JSON.stringify(text)} is no state: write one of ${all}.`);
}

function dayText({ attemptsLastDay, deliveredLastDay }: WebhookEndpoint): string {
  return attemptsLastDay === 0 ? '' : `${deliveredLastDay} of ${attemptsLastDay}`;
}

/** A signing secret, which is shown only once. */
function issued(made: IssuedWebhookSecret, sentence: string): Shown {
  return said(made, `${sentence} The secret is shown only here:\n  ${made.secret}`);
}
