import { instantOf, type Token, typeOf } from './access-token.ts';
import type { Connection } from './connection.ts';
import { CommandFailure, exitCodes, Interrupted, invalidUsage } from './exit-codes.ts';
import { PERHAPS_DONE, unreachable } from './unreachable.ts';

/** A platform that a command talks to over HTTP, as one account or person. */
export interface Remote {
  readonly baseUrl: string;
  /** Null for a person, and where only an access token is known. */
  readonly clientId: string | null;
  /**
   * GET or POST at a path below the base address; gives the JSON of the answer, which the
   * contract describes. Query parameters that are undefined are left out.
   */
  get<Body>(path: string, query?: Query): Promise<Body>;
  post<Body>(path: string, body?: unknown): Promise<Body>;
  /** The same with another method. */
  send<Body>(method: Method, path: string, body?: unknown): Promise<Body>;
  /** GET of an answer that is lines of text: gives each as it comes, without its line feed. */
  lines(path: string, query?: Query, headers?: Headers): AsyncIterable<string>;
  /** The access token that requests are sent with. Throws CommandFailure for a person. */
  accessToken(): Promise<string>;
  /** The kind of account that the access token is of, or PERSON; null when it does not say. */
  accountType(): Promise<string | null>;
  /** The present instant of the environment by its own clock, in epoch milliseconds. */
  nowMs(): Promise<number>;
  /** The brand in the names of its headers, in small letters, as the last answer had it. */
  brand(): string;
}

/** Parameters of a query by name. */
export type Query = Readonly<Record<string, string | undefined>>;

/** Headers of a request by name. */
type Headers = Readonly<Record<string, string>>;

/** The methods of the platform's operations. */
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One place of a request that is wrong, as the platform tells it. */
export type Faults = readonly string[];

/** A request that the platform refused, and the reason in its own words. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly method: Method;
  /** Below the base address, with its query. */
  readonly path: string;
}

/** Gives the reason of a refusal in the words of the command line. */
export type Reword = (refusal: Refusal) => string;

/** What is thrown when the platform refused; carries what it said, place by place. */
export class PlatformRefusal extends CommandFailure {
  readonly status: number;
  readonly faults: Faults;
  /** ` (request …)` for the end of a sentence; empty for an answer without its id. */
  readonly request: string;

  /** Takes what a person is told, the status of the answer, its faults, and the request. */
  constructor(message: string, status: number, faults: Faults, request: string) {
    super(message, exitCodes.refused);
    this.status = status;
    this.faults = faults;
    this.request = request;
  }
}

/** A request below the base address. */
interface Sent {
  readonly method: Method;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string;
  /** What a person may do when nothing answers; begins with a space. */
  readonly wayOut?: string;
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly requestId: string | null;
  readonly brand: string | null;
  /** What it has a browser keep. */
  readonly cookies: readonly string[];
}

/** Sends a request and reads the JSON of its answer; `check` looks at any answer before. */
type Ask = <Body>(sent: Sent, check?: (answered: Answered) => void) => Promise<Body>;

/**
 * Talks to the platform as the client of the connection; logs in when it is first asked for
 * something. What it throws is a CommandFailure in one sentence: the platform refused (exit code
 * 3), for the reason that `reword` gives, or cannot be reached or understood (1).
 */
export function connect(connection: Connection, signal: AbortSignal, reword: Reword): Remote {
  const { baseUrl } = connection;
  let brand = 'platform';
  const ask: Ask = async <Body>(sent: Sent, check?: (answered: Answered) => void) => {
    const answered = await exchange(baseUrl, sent, signal);
    brand = answered.brand ?? brand;
    check?.(answered);
    return read<Body>(baseUrl, answered, (refusal) => reword({ ...sent, ...refusal }));
  };
  let login: Promise<Token> | undefined;
  const token = () => {
    login ??= logIn(connection, ask);
    return login;
  };
  const session = 'session' in connection ? connection.session : null;
  const wayOut = session?.wayOut ?? '';
  const credentials = async (method: Method): Promise<Record<string, string>> => {
    if (!session) return { authorization: `Bearer ${(await token()).access_token}` };
    const { csrfHeaderName } = await import('@servery/contract');
    const cookie = session.cookie.reveal();
    return method === 'GET' ? { cookie } : { cookie, [csrfHeaderName]: session.csrfToken.reveal() };
  };
  const send = async <Body>(method: Method, path: string, body?: unknown): Promise<Body> => {
    const headers = await credentials(method);
    if (body === undefined) return await ask<Body>({ method, path, headers, wayOut });
    headers['content-type'] = 'application/json';
    return await ask<Body>({ method, path, headers, wayOut, body: JSON.stringify(body) });
  };
  return {
    baseUrl,
    clientId: 'clientId' in connection ? connection.clientId : null,
    get: (path, query = {}) => send('GET', path + queryText(query)),
    post: (path, body) => send('POST', path, body),
    send,
    lines: async function* (path, query = {}, more = {}) {
      const open = async () => {
        const headers = { ...more, ...(await credentials('GET')) };
        const sent: Sent = { method: 'GET', path: path + queryText(query), headers, wayOut };
        return { sent, response: await request(baseUrl, sent, signal) };
      };
      const hadToken = login !== undefined;
      let { sent, response } = await open();
      if (response.status === UNAUTHORIZED && hadToken && 'clientSecret' in connection) {
        // Whoever listens for longer than a token holds needs another one.
        await response.body?.cancel();
        login = undefined;
        ({ sent, response } = await open());
      }
      if (!response.ok) {
        const answered = await textOf(response);
        read(baseUrl, answered, (refusal) => reword({ ...sent, ...refusal }));
      }
      yield* linesOf(response, baseUrl, signal);
    },
    accessToken: async () => {
      if (session) throw noToken(session.email);
      return (await token()).access_token;
    },
    accountType: async () => (session ? 'PERSON' : typeOf(await token())),
    nowMs: async () => {
      if (!session) return instantOf(await token(), baseUrl);
      return Date.parse((await send<{ now: string }>('GET', '/backoffice/v1/clock')).now);
    },
    brand: () => brand,
  };
}

/** Sends one request without an account; gives the JSON of the answer, and the cookies it sets. */
export async function askOnce<Body>(
  baseUrl: string,
  sent: Sent,
  signal: AbortSignal,
): Promise<{ readonly json: Body; readonly cookies: readonly string[] }> {
  const answered = await exchange(baseUrl, sent, signal);
  const json = read<Body>(baseUrl, answered, ({ reason }) => reason);
  return { json, cookies: answered.cookies };
}

function noToken(email: string): CommandFailure {
  return invalidUsage(
    `${email} is logged in as a person, who has a session and no access token: name an API ` +
      'account with --client-id, or a profile of one with --profile.',
  );
}

/** One path segment, as it stands in a URL. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}

/** Reads every page of a list, up to `limit` objects. */
export async function readPages<Item>(
  remote: Remote,
  path: string,
  query: Query,
  limit: number,
): Promise<{ readonly results: Item[]; readonly hasMore: boolean }> {
  const results: Item[] = [];
  const pageSize = String(Math.min(PAGE_SIZE, limit));
  let pageToken: string | undefined;
  do {
    const page = await remote.get<{ results: Item[]; nextPageToken: string | null }>(path, {
      ...query,
      pageSize,
      pageToken,
    });
    results.push(...page.results);
    pageToken = page.nextPageToken ?? undefined;
  } while (pageToken !== undefined && results.length < limit);
  const hasMore = pageToken !== undefined || results.length > limit;
  return { results: results.slice(0, limit), hasMore };
}

const PAGE_SIZE = 200;
const OK = 200;
/** A lost answer to these needs no follow-up. */
const LOGINS = ['/oauth/token', '/backoffice/v1/sessions'];
const REQUEST_ID = /-request-id$/;
const UNAUTHORIZED = 401;

function queryText(query: Query): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

async function logIn(connection: Connection, ask: Ask): Promise<Token> {
  if ('session' in connection) throw noToken(connection.session.email);
  if ('accessToken' in connection) {
    return { access_token: connection.accessToken.reveal(), expires_in: Number.NaN };
  }
  const { baseUrl, clientId, clientSecret } = connection;
  // The standard door needs no brand. Its credentials are form-encoded first (RFC 6749, 2.3.1).
  const pair = [clientId, clientSecret.reveal()].map(encodeURIComponent).join(':');
  const sent: Sent = {
    method: 'POST',
    path: '/oauth/token',
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  };
  const token = await ask<Token>(sent, (answered) => requireTokenService(baseUrl, answered));
  if (typeof token.access_token !== 'string') throw notOurs(baseUrl, OK);
  return token;
}

/** A platform answers at any path, but a token service only at its own (RFC 6749, 5.2). */
function requireTokenService(baseUrl: string, { status, text }: Answered): void {
  const { origin, pathname } = new URL(baseUrl);
  if (pathname === '/' || status < 400 || status >= 500) return;
  const json = parse(text);
  if (typeof json === 'object' && json !== null && 'error' in json) return;
  throw new CommandFailure(
    `${origin} answers, but there is no platform at ${pathname}: leave that out of the address.`,
    exitCodes.failure,
  );
}

async function exchange(baseUrl: string, sent: Sent, signal: AbortSignal): Promise<Answered> {
  const response = await request(baseUrl, sent, signal);
  try {
    return await textOf(response);
  } catch (error) {
    throw lost(baseUrl, sent, signal, error);
  }
}

async function request(baseUrl: string, sent: Sent, signal: AbortSignal): Promise<Response> {
  const { method, path, headers, body = null } = sent;
  signal.throwIfAborted();
  try {
    return await fetch(baseUrl + path, {
      ...{ method, headers, body, signal },
      // A token must not follow to another place.
      redirect: 'manual',
    });
  } catch (error) {
    throw lost(baseUrl, sent, signal, error);
  }
}

async function textOf(response: Response): Promise<Answered> {
  const [name, requestId = null] =
    [...response.headers].find(([one]) => REQUEST_ID.test(one)) ?? [];
  const brand = name?.replace(REQUEST_ID, '') ?? null;
  const cookies = response.headers.getSetCookie();
  return { status: response.status, text: await response.text(), requestId, brand, cookies };
}

/** What to throw when there is no answer; whatever changes something may have been done. */
function lost(
  baseUrl: string,
  { method, path, wayOut = '' }: Sent,
  signal: AbortSignal,
  error: unknown,
): unknown {
  const isLost = method !== 'GET' && !LOGINS.includes(path);
  if (signal.aborted) return interrupted(signal, isLost);
  return unreachable(baseUrl, error, { isLost, wayOut });
}

async function* linesOf(
  { body }: Response,
  baseUrl: string,
  signal: AbortSignal,
): AsyncIterable<string> {
  if (body === null) return;
  let rest = '';
  try {
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      yield* lines.map((line) => line.replace(/\r$/, ''));
    }
  } catch (error) {
    throw signal.aborted
      ? signal.reason
      : unreachable(baseUrl, error, { isLost: false, wayOut: '' });
  }
  if (rest !== '') yield rest;
}

function interrupted({ reason }: AbortSignal, isLost: boolean): unknown {
  if (!isLost || !(reason instanceof Interrupted) || reason.message === '') return reason;
  return new Interrupted(`ended before the platform answered. ${PERHAPS_DONE}`, reason.exitCode);
}

function read<Body>(
  baseUrl: string,
  answered: Answered,
  reword: (refused: Pick<Refusal, 'status' | 'reason'>) => string,
): Body {
  const { status, text } = answered;
  const json = parse(text);
  if (status >= 200 && status < 300 && json !== undefined) return json as Body;
  const reason = reasonOf(json);
  if (reason === null) throw notOurs(baseUrl, status);
  const { requestId } = answered;
  const where = requestId === null ? '' : ` (request ${requestId})`;
  const isRefusal = status < 500;
  if (!isRefusal) {
    const message = `the platform failed with ${status}: ${reason}${where}`;
    throw new CommandFailure(message, exitCodes.failure);
  }
  const faults = faultsOf(json);
  const isSaid = faults.every((fault) => {
    const [place = fault, ...message] = fault.split(': ');
    return reason.includes(place) || (message.length > 0 && reason.includes(message.join(': ')));
  });
  const listed = isSaid ? [] : faults;
  const told = [`${reword({ status, reason })}${where}`, ...listed].join('\n  - ');
  throw new PlatformRefusal(`the platform refused with ${status}: ${told}`, status, faults, where);
}

/** What an ErrorMessage says of single places, when it names more than its own sentence does. */
function faultsOf(json: unknown): Faults {
  const { errors } = json as { readonly errors?: unknown };
  if (!Array.isArray(errors)) return [];
  return errors.flatMap(({ message }: { message?: unknown }) =>
    typeof message === 'string' ? [message] : [],
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The reason in each of the shapes of an error: of most interfaces, of credit cards, of OAuth. */
function reasonOf(json: unknown): string | null {
  if (typeof json !== 'object' || json === null) return null;
  const fields = json as Readonly<Record<string, unknown>>;
  const texts = [fields.message, fields.error_description, fields.description, fields.error];
  const reason = texts.find((text) => typeof text === 'string' && text !== '');
  return typeof reason === 'string' ? reason : null;
}

function notOurs(baseUrl: string, status: number): CommandFailure {
  return new CommandFailure(
    `${baseUrl} answers, but not as a platform does (status ${status}): check the address.`,
    exitCodes.failure,
  );
}
