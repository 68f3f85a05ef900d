import type { AnswerOf, OperationId, RequestOf } from '@servery/contract';
import { operations } from './operations.ts';

/** Who a client is at a platform. */
export type Credentials =
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly accessToken: string }
  /** Of a person. A browser sends the cookie itself. */
  | { readonly cookie?: string; readonly csrfToken: string };

/** What a client needs; everything else has a default. */
export interface ClientOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** None for operations that need no account. */
  readonly credentials?: Credentials;
  /** Ends every request that is under way. */
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
  /** With it, a request ends when the platform is silent for too long. */
  readonly after?: After;
}

/** Calls `run` after that time, unless the function that it returns is called first. */
export type After = (durationMs: number, run: () => void) => () => void;

/** The parts of a request. Query parameters and body fields that are undefined are left out. */
export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Parameters of a query by name. A list is sent with commas between its elements. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** The same for one operation, whose path and query parameters are known. */
export interface RequestFor<Id extends OperationId> extends Omit<Request, 'params' | 'query'> {
  readonly params?: RequestOf<Id>['params'];
  readonly query?: {
    readonly [Name in keyof RequestOf<Id>['query']]?: RequestOf<Id>['query'][Name] | undefined;
  };
}

/** What the token service answers. */
export interface Token {
  readonly access_token: string;
  /** Seconds that the token has left. */
  readonly expires_in: number;
}

/** An answer with what its headers say. */
export interface Answered<Body> {
  readonly body: Body;
  readonly headers: Headers;
}

/** The items of a list of pages, up to a limit. */
export interface Listed<Item> {
  readonly results: readonly Item[];
  readonly hasMore: boolean;
}

/** The elements of the pages that an operation answers. */
export type ItemOf<Id extends OperationId> =
  AnswerOf<Id> extends {
    readonly results: readonly (infer Item)[];
  }
    ? Item
    : never;

/** What the platform says of a field of the request. */
export interface RefusedField {
  readonly code: number | null;
  /** Begins with the place of the field. */
  readonly message: string;
}

/** The platform refused a request with a status from 400 to 499. */
export class Refused extends Error {
  readonly operation: OperationId | null;
  readonly status: number;
  /** The class of the error, which the platform explains at `/errors/<code>`; null for none. */
  readonly code: number | null;
  /** What the platform says of single fields; empty when its message says all. */
  readonly faults: readonly RefusedField[];
  readonly requestId: string | null;

  constructor(
    message: string,
    { operation, status, code, faults, requestId }: Omit<Refused, keyof Error>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'Refused';
    this.operation = operation;
    this.status = status;
    this.code = code;
    this.faults = faults;
    this.requestId = requestId;
  }
}

/** The platform failed with a status from 500. */
export class PlatformFailed extends Error {
  override readonly name = 'PlatformFailed';
  readonly status: number;
  readonly requestId: string | null;

  constructor(message: string, status: number, requestId: string | null) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** No answer came. The cause is what `fetch` threw. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** Whether the request may have changed something all the same. */
  readonly isOutcomeUnknown: boolean;

  constructor(message: string, isOutcomeUnknown: boolean, cause: unknown) {
    super(message, { cause });
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

/** Why no answer came: nothing arrived for that long. */
export class Silence extends Error {
  override readonly name = 'Silence';
  readonly durationMs: number;

  constructor(durationMs: number) {
    super(`Nothing arrived for ${durationMs / 1_000} seconds.`);
    this.durationMs = durationMs;
  }
}

/** Something answered that is not a platform. */
export class NotAPlatform extends Error {
  override readonly name = 'NotAPlatform';
  readonly status: number;
  /** True when the host may have a platform, but not below the path of the address. */
  readonly isPathWrong: boolean;

  constructor(baseUrl: string, status: number, isPathWrong = false) {
    super(`What answers at ${baseUrl} is not a platform (status ${status}).`);
    this.status = status;
    this.isPathWrong = isPathWrong;
  }
}

/** The header that proves that a request of a session was meant. */
const CSRF_HEADER = 'x-csrf-token';
const PAGE_SIZE_AT_MOST = 200;
const UNAUTHORIZED = 401;
/** The brand in the name of this header differs from platform to platform. */
const REQUEST_ID = /-request-id$/;
/** The error code of a path outside of every interface (API-2). */
const UNKNOWN_INTERFACE = 10_022;
const IN_SANDBOX = /\/sandboxes\/[^/]+$/;
/** How long the platform may be silent. A stream has a line every 15 seconds. */
const SILENCE_MS = 60_000;
/** For what the platform may work on for minutes before it answers. */
const LONG_SILENCE_MS = 300_000;
const WORKED_ON: readonly OperationId[] = [
  'backOffice.audit.export',
  'backOffice.audit.verify',
  'backOffice.clock.advance',
  'backOffice.clock.next',
  'backOffice.clock.run',
  'backOffice.clock.set',
  'backOffice.configuration.apply',
  'backOffice.configuration.plan',
  'backOffice.configuration.publications.publish',
  'backOffice.configuration.publications.rollBack',
  'backOffice.configuration.publishGroup',
  'backOffice.requests.replay',
  'backOffice.sandboxes.create',
  'backOffice.sandboxes.diff',
  'backOffice.sandboxes.drop',
  'backOffice.sandboxes.restore',
  'backOffice.sandboxes.snapshots.create',
  'backOffice.webhooks.replay',
];
/** Losing the answer to these leaves nothing to look after. */
const LOGINS: readonly OperationId[] = ['auth.token', 'backOffice.sessions.begin'];

/** Calls the operations of one platform as one account. It logs in when it first has to. */
export class Client {
  readonly baseUrl: string;
  readonly credentials: Credentials | undefined;
  /** The brand in the names of the platform's headers, in lower case, once an answer came. */
  brand = 'platform';
  readonly #signal: AbortSignal | null;
  readonly #fetch: typeof fetch;
  readonly #after: After | null;
  #login: Promise<Token> | null = null;

  constructor({ baseUrl, credentials, signal, fetch: own, after }: ClientOptions) {
    this.baseUrl = baseUrl;
    this.credentials = credentials;
    this.#signal = signal ?? null;
    this.#fetch = own ?? ((...given) => globalThis.fetch(...given));
    this.#after = after ?? null;
  }

  /**
   * Calls an operation. Throws Refused, PlatformFailed, NoAnswer, NotAPlatform, or the reason of the
   * signal.
   */
  async call<Id extends OperationId>(id: Id, request: RequestFor<Id> = {}): Promise<AnswerOf<Id>> {
    return (await this.send(id, request)).body;
  }

  /** The same, with the headers of the answer. */
  async send<Id extends OperationId>(
    id: Id,
    request: RequestFor<Id> = {},
  ): Promise<Answered<AnswerOf<Id>>> {
    const response = await this.#open(id, request as Request);
    const text = await response.text().catch((error) => this.#lost(id, error));
    return { body: this.#read<AnswerOf<Id>>(id, response, text), headers: response.headers };
  }

  /** Reads the pages of a list until there are `limit` items. */
  async list<Id extends OperationId>(
    id: Id,
    request: RequestFor<Id>,
    limit: number,
  ): Promise<Listed<ItemOf<Id>>> {
    const results: ItemOf<Id>[] = [];
    const pageSize = Math.min(PAGE_SIZE_AT_MOST, limit);
    let pageToken: string | undefined;
    do {
      const query = { ...request.query, pageSize, pageToken };
      const page = (await this.call(id, { ...request, query } as RequestFor<Id>)) as unknown as {
        readonly results: readonly ItemOf<Id>[];
        readonly nextPageToken: string | null;
      };
      results.push(...page.results);
      pageToken = page.nextPageToken ?? undefined;
    } while (pageToken !== undefined && results.length < limit);
    const hasMore = pageToken !== undefined || results.length > limit;
    return { results: results.slice(0, limit), hasMore };
  }

  /** The lines of an answer that is sent piece by piece, without their line feeds. */
  async *lines<Id extends OperationId>(
    id: Id,
    request: RequestFor<Id> = {},
  ): AsyncIterable<string> {
    const response = await this.#open(id, request as Request);
    if (!response.ok) this.#read(id, response, await response.text());
    let rest = '';
    try {
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const lines = (rest + piece).split('\n');
        rest = lines.pop() ?? '';
        yield* lines.map((line) => line.replace(/\r$/, ''));
      }
    } catch (error) {
      this.#lost(id, error);
    }
    if (rest !== '') yield rest;
  }

  /** The token that requests are sent with. Throws for a session, which has none. */
  async token(): Promise<Token> {
    const { credentials } = this;
    if (credentials && 'accessToken' in credentials) {
      return { access_token: credentials.accessToken, expires_in: Number.NaN };
    }
    if (!credentials || !('clientId' in credentials)) throw new Error('A session has no token.');
    this.#login ??= this.#logIn(credentials).catch((error) => {
      this.#login = null;
      throw error;
    });
    return await this.#login;
  }

  async #logIn({ clientId, clientSecret }: { clientId: string; clientSecret: string }) {
    // OAuth form-encodes the credentials before Base64 (RFC 6749, 2.3.1).
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
    const response = await this.#fetchOnce('auth.token', {
      headers: {
        authorization: `Basic ${btoa(pair)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const text = await response.text().catch((error) => this.#lost('auth.token', error));
    // Below a wrong path a platform answers too, but not as a token service does (RFC 6749, 5.2).
    const isError = response.status >= 400 && response.status < 500;
    const { pathname } = new URL(this.baseUrl);
    // A sandbox that is not there is told as such.
    const mayBeWrong = pathname !== '/' && !IN_SANDBOX.test(pathname);
    if (isError && mayBeWrong && !has(parse(text), 'error')) {
      throw new NotAPlatform(this.baseUrl, response.status, true);
    }
    const token = this.#read<Token>('auth.token', response, text);
    if (typeof token.access_token !== 'string') throw new NotAPlatform(this.baseUrl, 200);
    return token;
  }

  /** Sends a request; a token that has expired meanwhile is replaced once. */
  async #open(id: OperationId, request: Request): Promise<Response> {
    const isFirst = this.#login === null;
    const response = await this.#authorized(id, request);
    if (response.status !== UNAUTHORIZED || isFirst || this.#login === null) return response;
    await response.body?.cancel();
    this.#login = null;
    return await this.#authorized(id, request);
  }

  async #authorized(id: OperationId, { body, headers, ...target }: Request): Promise<Response> {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    return await this.#fetchOnce(id, {
      ...target,
      headers: { ...headers, ...(await this.#proof(id)), ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #proof(id: OperationId): Promise<Record<string, string>> {
    const { credentials } = this;
    if (!credentials) return {};
    if (!('csrfToken' in credentials)) {
      return { authorization: `Bearer ${(await this.token()).access_token}` };
    }
    const { cookie, csrfToken } = credentials;
    const sent = cookie === undefined ? {} : { cookie };
    return operations[id][0] === 'GET' ? sent : { ...sent, [CSRF_HEADER]: csrfToken };
  }

  async #fetchOnce(id: OperationId, request: Request & { body?: string }): Promise<Response> {
    this.#signal?.throwIfAborted();
    const patience = this.#after && new Patience(this.#after, patienceMs(id));
    const signals = [this.#signal, patience?.signal].filter((each) => each instanceof AbortSignal);
    try {
      const asked = this.#fetch(this.baseUrl + targetOf(id, request), {
        ...{ method: operations[id][0], headers: request.headers ?? {} },
        ...{ signal: AbortSignal.any(signals) },
        ...{ body: request.body ?? null, redirect: 'manual' as const },
      });
      const response = patience ? await patience.answered(asked) : await asked;
      const name = [...response.headers.keys()].find((one) => REQUEST_ID.test(one));
      this.brand = name?.replace(REQUEST_ID, '') ?? this.brand;
      return response;
    } catch (error) {
      return this.#lost(id, error);
    }
  }

  #lost(id: OperationId, error: unknown): never {
    const isOutcomeUnknown = operations[id][0] !== 'GET' && !LOGINS.includes(id);
    const cause = this.#signal?.aborted ? this.#signal.reason : error;
    if (this.#signal?.aborted && !isOutcomeUnknown) throw cause;
    throw new NoAnswer(`${this.baseUrl} did not answer.`, isOutcomeUnknown, cause);
  }

  #read<Body>(operation: OperationId, { status, headers }: Response, text: string): Body {
    const json = parse(text);
    if (status >= 200 && status < 300 && json !== undefined) return json as Body;
    const reason = reasonOf(json);
    if (reason === null) throw new NotAPlatform(this.baseUrl, status);
    if (codeOf(json) === UNKNOWN_INTERFACE) {
      throw new NotAPlatform(this.baseUrl, status, true);
    }
    const requestId = headers.get(`${this.brand}-request-id`);
    if (status >= 500) throw new PlatformFailed(reason, status, requestId);
    const [code, faults] = [codeOf(json), faultsOf(json)];
    throw new Refused(reason, { operation, status, code, faults, requestId });
  }
}

function patienceMs(id: OperationId): number {
  return WORKED_ON.includes(id) ? LONG_SILENCE_MS : SILENCE_MS;
}

/** Ends a request in which nothing arrives for too long. */
class Patience {
  readonly #after: After;
  readonly #limitMs: number;
  readonly #ending = new AbortController();

  constructor(after: After, limitMs: number) {
    this.#after = after;
    this.#limitMs = limitMs;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** The answer, with a body that has the same limit for each of its pieces. */
  async answered(asked: Promise<Response>): Promise<Response> {
    const response = await this.#hear(asked);
    if (!response.body) return response;
    const reader = response.body.getReader();
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await this.#hear(reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return new Response(body, response);
  }

  async #hear<Heard>(coming: Promise<Heard>): Promise<Heard> {
    const { promise: silent, reject } = Promise.withResolvers<never>();
    const forget = this.#after(this.#limitMs, () => {
      const silence = new Silence(this.#limitMs);
      reject(silence);
      this.#ending.abort(silence);
    });
    try {
      return await Promise.race([coming, silent]);
    } finally {
      forget();
    }
  }
}

/** What an access token says of itself; nothing for other text. The platform proves it. */
export function claimsOf({ access_token }: Token): Readonly<Record<string, unknown>> {
  const [, payload = ''] = access_token.split('.');
  try {
    const bytes = Uint8Array.fromBase64(payload, { alphabet: 'base64url' });
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}

/** The type of account that the token tells. Its claim is named after the brand. */
export async function accountTypeOf(client: Client): Promise<string | null> {
  if (client.credentials && 'csrfToken' in client.credentials) return 'PERSON';
  const claims = Object.entries(claimsOf(await client.token()));
  const [, type] = claims.find(([name]) => /^https?:.*\/type$/.test(name)) ?? [];
  return typeof type === 'string' ? type : null;
}

/** Where an operation is, below the base address. */
function targetOf(id: OperationId, { params = {}, query = {} }: Request): string {
  const path = operations[id][1].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${id} needs ${name} in its path.`);
    return encodeURIComponent(value);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function has(json: unknown, name: string): boolean {
  return typeof json === 'object' && json !== null && name in json;
}

/** The reason in any of the error shapes: of most interfaces, of credit cards, of OAuth. */
function reasonOf(json: unknown): string | null {
  if (typeof json !== 'object' || json === null) return null;
  const { message, error_description, description, error } = json as Record<string, unknown>;
  const reason = [message, error_description, description, error].find(
    (text) => typeof text === 'string' && text !== '',
  );
  return typeof reason === 'string' ? reason : null;
}

function codeOf(json: unknown): number | null {
  const { code } = json as { readonly code?: unknown };
  return typeof code === 'number' ? code : null;
}

function faultsOf(json: unknown): readonly RefusedField[] {
  const { errors } = json as { readonly errors?: unknown };
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error: { readonly message?: unknown }) =>
    typeof error.message === 'string' ? [{ code: codeOf(error), message: error.message }] : [],
  );
}
