import {
  NoAnswer,
  NotAPlatform,
  PlatformFailed,
  Refused,
  Silence,
} from '@servery/client/back-office';
import type { Connection } from './connection.ts';
import { CommandFailure, exitCodes, Interrupted } from './exit-codes.ts';
import { mainAddress } from './sandbox-accounts.ts';
import { counted } from './shown.ts';

export type Labels = ReadonlyMap<string, string> | undefined;

export interface Asker {
  readonly connection: Pick<Connection, 'baseUrl' | 'person'>;
  readonly labels?: Labels;
  /** The names of the other environments beside the one that was asked. */
  readonly others?: () => readonly string[];
}

const ORDERS = 'backOffice.orders.';
const SANDBOXES = 'backOffice.sandboxes.';
const REQUESTS = 'backOffice.requests.';
const OTHERS_SHOWN = 6;
const NO_SANDBOX = /^(There is no sandbox|The sandbox \S+ (expired|has no snapshot)) /;

/** What an operation could not find, by how its id begins, and the command that lists such things. */
const missing: readonly (readonly [begins: string, thing: string, list: string])[] = [
  ['backOffice.payments.', 'payment at this restaurant', 'servery payments list'],
  ['backOffice.alarms.', 'alarm', 'servery alarms --all'],
  ['backOffice.cardKeys.list', 'API account', 'servery clients list'],
  ['backOffice.cardKeys.issue', 'API account', 'servery clients list'],
  ['backOffice.cardKeys.', 'card key of this account', 'servery keys list <client>'],
  [ORDERS, 'order at this restaurant', 'servery orders list'],
  ['backOffice.stock.undo', 'change at this restaurant', 'servery stock history'],
  ['backOffice.connections.', 'connection of this restaurant', 'servery connections list'],
  [
    'backOffice.configuration.publications.',
    'publication of this restaurant',
    'servery config history',
  ],
  [
    'backOffice.configuration.objects.',
    'object at this restaurant',
    'servery config objects <collection>',
  ],
  ['backOffice.managementGroups.', 'management group', 'servery groups list'],
  ['backOffice.configuration.publishGroup', 'management group', 'servery groups list'],
  ['backOffice.partners.', 'partner', 'servery partners list'],
  ['backOffice.webhooks.deliveries.', 'delivery', 'servery webhooks deliveries'],
  ['backOffice.webhooks.', 'endpoint or secret', 'servery webhooks list'],
  ['backOffice.clients.', 'API account or secret', 'servery clients list'],
  ['backOffice.people.', 'person or role', 'servery people list'],
  [REQUESTS, 'request', 'servery requests list'],
  ['backOffice.faults.', 'rule', 'servery faults list'],
  ['backOffice.', 'restaurant', 'servery restaurants list'],
];

const PART_OF_ORDER = /^The order has no (such [^:]+|top-level selection \S+):/;

const OUTCOME_UNKNOWN = 'It is not known whether it was done. Check before you send it again.';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up right now',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  ETIMEDOUT: 'the host does not answer',
  'bad port': 'HTTP does not use that port',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted (see NODE_EXTRA_CA_CERTS)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted (see NODE_EXTRA_CA_CERTS)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted (see NODE_EXTRA_CA_CERTS)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks HTTP, not HTTPS: use http://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it speaks HTTP, not HTTPS: use http://',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};
/** How long `fetch` itself waits. */
const SILENT: readonly string[] = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const CUT: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'terminated'];

/** What a person is told of an error of the client; other errors come back as they are. */
export function failureOf(error: unknown, asker: Asker): unknown {
  const { baseUrl } = asker.connection;
  if (error instanceof Refused) {
    // As for other names, which are looked up here.
    const isUnknownName = error.status === 404 && NO_SANDBOX.test(error.message);
    const exitCode = isUnknownName ? exitCodes.invalid : exitCodes.refused;
    return new CommandFailure(refusalText(error, asker), exitCode, { cause: error });
  }
  if (error instanceof NoAnswer) return noAnswer(error, asker);
  if (error instanceof PlatformFailed) {
    const { status, message } = error;
    return failure(`the platform failed with ${status}: ${message}${requestOf(error)}`, error);
  }
  if (!(error instanceof NotAPlatform)) return error;
  const { origin, pathname } = new URL(baseUrl);
  return failure(
    error.isPathWrong
      ? `${origin} answers, but there is no platform at ${pathname}. Leave that path out.`
      : `${baseUrl} answers, but not as a platform does (status ${error.status}). Check the address.`,
    error,
  );
}

/** ` (request …)` for the end of a sentence; empty for an answer without its id. */
export function requestOf({ requestId }: Pick<Refused, 'requestId'>): string {
  return requestId === null ? '' : ` (request ${requestId})`;
}

/** Why no connection came about or stayed, in a few words; null for what is not known. */
export function shortReasonOf(error: unknown): string | null {
  const code = codeOf(error);
  return reasons[code] ?? (CUT.includes(code) ? 'the connection was cut' : null);
}

function failure(message: string, cause: unknown): CommandFailure {
  return new CommandFailure(message, exitCodes.failure, { cause });
}

function noAnswer({ cause, isOutcomeUnknown }: NoAnswer, { connection }: Asker): unknown {
  if (cause instanceof Interrupted) {
    if (cause.message === '') return cause;
    return new Interrupted(
      `interrupted before the platform answered. ${OUTCOME_UNKNOWN}`,
      cause.exitCode,
    );
  }
  const { baseUrl, person } = connection;
  const isSilent = cause instanceof Silence || SILENT.includes(codeOf(cause));
  if (isSilent) {
    const waited = cause instanceof Silence ? counted(cause.durationMs / 60_000, 'minute') : 'long';
    return failure(
      `nothing arrived from ${baseUrl} for ${waited}, so this command gave up. ` +
        (isOutcomeUnknown ? OUTCOME_UNKNOWN : 'Try again later.'),
      cause,
    );
  }
  const reason = reasons[codeOf(cause)];
  return failure(
    reason
      ? `cannot reach a platform at ${baseUrl}: ${reason}. Start one with "servery start", or name ` +
          `another with --url or SERVERY_URL.${person?.wayOut ?? ''}`
      : `the connection to ${baseUrl} broke before the answer (${codeOf(cause)}). ` +
          (isOutcomeUnknown ? OUTCOME_UNKNOWN : 'Try again.'),
    cause,
  );
}

/** What `fetch` throws has the reason inside, sometimes one for each address of the host. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return codeOf(error.cause);
  const { code } = error as NodeJS.ErrnoException;
  return code ?? error.message;
}

function refusalText(refused: Refused, asker: Asker): string {
  const { status, message } = refused;
  const faults = refused.faults.map((fault) => fault.message);
  const isSaid = faults.every((fault) => {
    const [place = fault, ...rest] = fault.split(': ');
    return message.includes(place) || (rest.length > 0 && message.includes(rest.join(': ')));
  });
  const reason = `${reasonOf(refused, asker)}${requestOf(refused)}`;
  const told = [reason, ...(isSaid ? [] : faults)].join('\n  - ');
  return `the platform refused with ${status}: ${told}`;
}

function reasonOf(refused: Refused, asker: Asker): string {
  const { status, operation } = refused;
  const { person } = asker.connection;
  const message = refused.message
    .replaceAll('that expectedState is from', 'that --expect is from')
    .replaceAll('send "existingAccount": true', 'add --existing-account')
    .replaceAll(/"into": "([^"]+)"/g, '--into $1')
    .replaceAll('without "into"', 'without --into');
  if (status === 404) return whatIsMissing(refused, asker);
  if (operation?.startsWith(ORDERS)) {
    return message.replaceAll(/\bvoid(?:Payment|Selection)\b/g, orderCommandOf);
  }
  if (status === 401 && operation === 'auth.token') {
    const own = isSandbox(asker.connection.baseUrl)
      ? ' A sandbox has its own accounts, with other secrets.'
      : '';
    return `${message}${own} "servery env show" says which account it was, and why.`;
  }
  if (status === 401 && person) {
    return `${message} Run "servery login --profile ${person.profile}".${person.wayOut}`;
  }
  return status === 400 || status === 422 ? withLabels(message, asker.labels) : message;
}

function isSandbox(baseUrl: string): boolean {
  return mainAddress(baseUrl) !== baseUrl;
}

/** The moves of orders have other names as commands. */
export function orderCommandOf(move: string): string {
  return { voidPayment: 'void-payment', voidSelection: 'void-item' }[move] ?? move;
}

/** Durations as a command takes them: `30d` for `P30D`. */
function asTyped(message: string): string {
  return message
    .replaceAll('an ISO 8601 duration', 'a duration')
    .replaceAll(/\bP(?:T?\d+[DHMS])+\b/g, (iso) => iso.replaceAll(/[PT]/g, '').toLowerCase());
}

/** Nobody wrote a path: what the platform says of one is for programs. */
function whatIsMissing({ message, operation }: Refused, { others }: Asker): string {
  // The platform names what there is.
  if (operation?.startsWith(SANDBOXES) || NO_SANDBOX.test(message)) return message;
  if (operation?.startsWith('backOffice.faults.') && / \/backoffice\//.test(message)) {
    return 'This platform is not a sandbox, so no fault can be injected.';
  }
  if (operation === 'backOffice.requests.replay' && / \/backoffice\//.test(message)) {
    return 'This platform is not a sandbox, so no request can be replayed.';
  }
  const [begins, thing, list] = missing.find(([prefix]) => operation?.startsWith(prefix)) ?? [];
  if (begins === undefined) return message;
  const [, part] = PART_OF_ORDER.exec(message) ?? [];
  if (part) return `The order has no ${part}. "servery orders show" shows what it has.`;
  if (message.startsWith('The restaurant has no such published')) {
    return `${message.replace(/:.*/, '')}. "servery config objects" shows what there is.`;
  }
  const [elsewhere = ''] = ['payment', 'order']
    .filter((one) => begins.endsWith(`${one}s.`))
    .map(
      (one) =>
        ` ${one === 'order' ? 'An order' : 'A payment'} at another restaurant needs --restaurant.`,
    );
  const refusal = `There is no such ${thing}, or you don't have access to it.`;
  const beside = begins === REQUESTS ? besideText(others?.() ?? []) : '';
  return `${refusal}${elsewhere} "${list}" shows what there is.${beside}`;
}

/** Each environment has a log of its own. */
function besideText(names: readonly string[]): string {
  const [first, ...more] = names;
  if (first === undefined) return '';
  const choice = more.length === 0 ? ` ${first}` : ` and one of ${listedText(names)}`;
  return ` It may be in another environment: add --sandbox${choice}.`;
}

function listedText(names: readonly string[]): string {
  const shown = names.slice(0, OTHERS_SHOWN).join(', ');
  return names.length > OTHERS_SHOWN ? `${shown}, …` : shown;
}

/** Places as --set takes them: `--set 'The body=…'` for `set["The body"]`. */
function asAssigned(message: string): string {
  return message.replaceAll(
    /(^|; )set(?:\.(\w+)|\[("(?:[^"\\]|\\.)+")\])/g,
    (_, before: string, name?: string, place = '') =>
      `${before}--set ${name === undefined ? `'${JSON.parse(place)}=…'` : `${name}=…`}`,
  );
}

/**
 * The name of a field begins a sentence, or what follows a semicolon. One with a dot stands for
 * nothing else anywhere.
 */
function withLabels(message: string, labels: Labels): string {
  const told = asTyped(labels?.has('set') ? asAssigned(message) : message)
    .replaceAll(/(^|; | go with )([\w.]+)(?=[ :,])/g, (all, before: string, name: string) =>
      labels?.has(name) ? `${before}${labels.get(name)}` : all,
    )
    .replaceAll(/\b\w+(?:\.\w+)+/g, (name) => labels?.get(name) ?? name);
  const parts = told.replace(/\.$/, '').split(/(?<= is required and missing); /);
  const names = parts.map((part) => /^(\S+) is required and missing$/.exec(part)?.[1]);
  const last = names.pop();
  if (names.length === 0 || last === undefined || names.includes(undefined)) return told;
  return `${names.join(', ')} and ${last} are missing.`;
}
