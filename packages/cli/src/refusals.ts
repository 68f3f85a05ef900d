import type { DemoFile } from '@servery/server/sandbox/demo-file.ts';
import type { Refusal, Reword } from './back-office.ts';

/** What a person said on the command line, and what is known of the platform that refused. */
export interface Asker {
  readonly baseUrl: string;
  /** Who asked; null for a person, and where only an access token is known. */
  readonly clientId: string | null;
  /** The session of the person who asked, and the profile that keeps it. */
  readonly session: {
    readonly email: string;
    readonly profile: string;
    readonly wayOut: string;
  } | null;
  readonly demo: DemoFile | null;
  /** What `--restaurant` says; undefined when it was left out. */
  readonly restaurant: string | undefined;
}

/** What stood where in a path: the segments that came from arguments, in their order. */
type Say = (asker: Asker, ...parts: string[]) => string;

/** Nobody wrote a path: what is not there is told by the argument that names it. */
const notFound: readonly (readonly [RegExp, Say])[] = [
  [/^\/backoffice\/v1\/merchants\/([^/]+)\/payments\/([^/]+)/, noPayment],
  [/^\/backoffice\/v1\/alarms\/([^/]+)\/acknowledge$/, noAlarm],
  [/^\/backoffice\/v1\/clients\/([^/]+)\/cardKeys$/, noClient],
  [/^\/backoffice\/v1\/clients\/([^/]+)\/cardKeys\/([^/]+)\//, noCardKey],
  [/^\/backoffice\/v1\/clients\/([^/]+)(?:\/(?:secrets|usage|revoke))?$/, noAccount],
];

/** The command that lists what may be named in a path, by how that path begins. */
const listedBy: readonly (readonly [RegExp, string])[] = [
  [/^\/backoffice\/v1\/restaurants\/[^/]+\/stock\/history/, 'servery stock history'],
  [/^\/backoffice\/v1\/restaurants\/[^/]+\/connections\//, 'servery connections list'],
  [/^\/backoffice\/v1\/restaurants\/[^/]+\/configuration\/publications/, 'servery config history'],
  [/^\/backoffice\/v1\/restaurants\/[^/]+\/configuration\/objects/, 'servery config objects'],
  [/^\/backoffice\/v1\/restaurants\//, 'servery restaurants list'],
  [/^\/backoffice\/v1\/managementGroups\//, 'servery groups list'],
  [/^\/backoffice\/v1\/partners\//, 'servery partners list'],
  [/^\/backoffice\/v1\/webhooks\/endpoints\//, 'servery webhooks list'],
  [/^\/backoffice\/v1\/webhooks\/deliveries\//, 'servery webhooks deliveries'],
  [/^\/backoffice\/v1\/clients\//, 'servery clients list'],
  [/^\/backoffice\/v1\/people\//, 'servery people list'],
  [/^\/backoffice\/v1\/requests\//, 'servery requests list'],
];

/** What a platform says of a path that none of its operations has. */
const NO_OPERATION = /^(There is no [A-Z]+ \/|No interface answers at )/;

/** The arguments by the fields and parameters that the platform names when it refuses them. */
const argumentOf: Readonly<Record<string, string>> = {
  now: 'the instant',
  duration: 'the duration',
  checkGuid: '--check',
  reason: '--reason',
  note: '--note',
  notAfter: '--not-after',
  algorithm: '--algorithm',
  legacy: '--legacy',
  clientId: '--client',
  merchantUuid: '--restaurant',
  createdFrom: '--created-from',
  createdTo: '--created-to',
  dueBefore: '--due-before',
  expiresAt: '--expires',
  othersExpireAt: '--others-expire',
  email: 'the e-mail address',
  restaurantGuid: '--restaurant',
  managementGroupGuid: '--group',
  partnerGuid: '--partner',
  subjectKind: '--kind',
};

/** The flags that make a restaurant; a command that changes one names the fields themselves. */
const restaurantFlags: Readonly<Record<string, string>> = {
  'general.name': '--name',
  'general.timeZone': '--time-zone',
  'general.currencyCode': '--currency',
  'general.managementGroupGuid': '--group',
};

/** The arguments of single commands, by the request that each sends. */
const ownArguments: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [/^POST \/backoffice\/v1\/restaurants$/, restaurantFlags],
  [/^GET \/backoffice\/v1\/payments$/, { state: '--payment-state' }],
  [/^GET \/backoffice\/v1\/webhooks\/(endpoints|deliveries)$/, { state: '--state' }],
];

/**
 * Gives what says the reasons of a platform's refusals in the words of the command line: which
 * argument was wrong, what was looked for and where, and what to write instead. What is about no
 * argument is said as the platform says it.
 */
export function inWordsOf(asker: Asker): Reword {
  return (refusal) => {
    if (refusal.status === 404) return whatIsMissing(asker, refusal);
    const reason = withOptions(refusal.reason);
    if (refusal.status === 401 && refusal.path === '/oauth/token') {
      return `${reason} "servery env show" says which account it was, and why.`;
    }
    if (refusal.status === 401 && asker.session) {
      const { profile, wayOut } = asker.session;
      return `${reason} Run "servery login --profile ${profile}".${wayOut}`;
    }
    if (refusal.status !== 400 && refusal.status !== 422) return reason;
    return withArguments(reason, { ...argumentOf, ...ownArgumentsOf(refusal) });
  };
}

/** The arguments that only the command behind this request has. */
function ownArgumentsOf({ method, path }: Refusal): Readonly<Record<string, string>> {
  const asked = `${method} ${path.split('?')[0]}`;
  return ownArguments.find(([pattern]) => pattern.test(asked))?.[1] ?? {};
}

function whatIsMissing(asker: Asker, { method, path, reason }: Refusal): string {
  const [pathname = ''] = path.split('?');
  for (const [pattern, say] of notFound) {
    const match = pattern.exec(pathname);
    if (match) return say(asker, ...match.slice(1).map(decodeURIComponent));
  }
  const list = listedBy.find(([pattern]) => pattern.test(pathname));
  if (list && !NO_OPERATION.test(reason)) {
    const missing = reason.replace(/: (check|the history) [^:]*$/, '.');
    return `${missing} "${list[1]}" shows what there is.`;
  }
  return (
    `${asker.baseUrl} has no ${method} ${pathname}: it is another version than this command, or ` +
    'the address is not all right (--url, SERVERY_URL).'
  );
}

/** What the platform says of a field, by the name of the option that fills it. */
function withOptions(reason: string): string {
  return reason
    .replaceAll('that expectedState is from', 'that --expect is from')
    .replaceAll('send "existingAccount": true', 'add --existing-account');
}

/** The name of a field begins a sentence, or what follows a semicolon. */
function withArguments(reason: string, names: Readonly<Record<string, string>>): string {
  const told = reason.replaceAll(/(^|; )([\w.]+)(?= )/g, (all, before: string, name: string) =>
    Object.hasOwn(names, name) ? `${before}${names[name]}` : all,
  );
  return missingTogether(told);
}

/** Several things that were left out, in one sentence. */
function missingTogether(reason: string): string {
  const parts = reason.replace(/\.$/, '').split(/(?<= is required and missing); /);
  const names = parts.map((part) => /^(\S+) is required and missing$/.exec(part)?.[1]);
  const last = names.pop();
  if (names.length === 0 || last === undefined || names.includes(undefined)) return reason;
  return `${names.join(', ')} and ${last} are missing.`;
}

function noPayment(asker: Asker, merchant: string, payment: string): string {
  const { demo, restaurant } = asker;
  const list = '"servery payments list" shows those of all restaurants.';
  const known = demo?.restaurants.find(({ guid }) => guid === merchant);
  if (!known) {
    return (
      `there is no payment ${payment} at the restaurant ${merchant}, or no such restaurant ` +
      `within reach of ${nameOfSelf(asker)}. ${list}`
    );
  }
  const place = `there is no payment ${payment} at ${known.name}`;
  return restaurant === undefined
    ? `${place}, where it is looked for without --restaurant. ${list}`
    : `${place}. ${list}`;
}

function noAlarm(asker: Asker, alarm: string): string {
  const reach = `within reach of ${nameOfSelf(asker)}`;
  return `there is no alarm ${alarm} ${reach}. "servery alarms --all" shows them.`;
}

function noClient(asker: Asker, client: string): string {
  const { demo } = asker;
  const name = nameOf(demo, client) ?? client;
  const missing = `there is no client ${name} with card keys within reach of ${nameOfSelf(asker)}`;
  const names = keyHolders(demo);
  return names.length === 0
    ? `${missing}. "servery clients list" shows the accounts.`
    : `${missing}: write a clientId, or a name in demo.json: ${names.join(', ')}.`;
}

function noAccount(asker: Asker, client: string): string {
  return (
    `there is no API account ${nameOf(asker.demo, client) ?? client} within reach of ` +
    `${nameOfSelf(asker)}. "servery clients list" shows what there is.`
  );
}

function noCardKey(asker: Asker, client: string, keyId: string) {
  const name = nameOf(asker.demo, client);
  if (name === undefined || !keyHolders(asker.demo).includes(name)) return noClient(asker, client);
  return `the client ${name} has no card key ${keyId}. "servery keys list ${name}" shows them.`;
}

/** Accounts of the back office have no card keys. */
function keyHolders(demo: DemoFile | null): string[] {
  return Object.entries(demo?.clients ?? {})
    .filter(([, { type }]) => type !== 'BACK_OFFICE')
    .map(([name]) => name);
}

function nameOfSelf({ demo, clientId, session }: Asker): string {
  if (session) return session.email;
  return clientId === null ? 'this token' : `the client ${nameOf(demo, clientId) ?? clientId}`;
}

function nameOf(demo: DemoFile | null, clientId: string): string | undefined {
  return Object.entries(demo?.clients ?? {}).find(([, one]) => one.clientId === clientId)?.[0];
}
