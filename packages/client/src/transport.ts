import type { AnswerOf, OperationId, RequestOf } from '@servery/contract';
import {
  errorAnswer,
  InvalidInput,
  NoAnswer,
  NotAPlatform,
  type RefusedField,
  Silence,
} from './errors.ts';
import { presentMs } from './present.ts';
import type { StoredToken, Token, TokenAnswer, TokenPlatform, Tokens } from './tokens.ts';

/** Method and path of operations by their ids. */
export type Operations = Readonly<Record<string, readonly [string, string, 'body'?]>>;

/** Who a client is at a platform. */
export type Credentials =
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly accessToken: string }
  /** The session of a person. The browser sends the cookie. */
  | { readonly cookie?: string; readonly csrfToken: string };

/** What a transport needs; everything else has a default. */
export interface TransportOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly operations: Operations;
  /** Leave it out for operations that need no account. */
  readonly credentials?: Credentials;
  /** Aborts every request in progress. */
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Needed to end requests when the platform is silent for too long. */
  readonly after?: After;
  /** How long the platform may be silent, by operation. */
  readonly silenceMs?: (id: string) => number;
  /** Needed for credentials that are exchanged for a token. */
  readonly tokensOf?: (platform: TokenPlatform) => Tokens | null;
  readonly hooks?: Hooks | undefined;
  readonly nowMs?: () => number;
  /** The brand in the names of the platform's headers. Default: that of the first response. */
  readonly brand?: string;
}

/** Called with what is sent and received, for logs and metrics, without bodies or secrets. */
export interface Hooks {
  readonly onRequest?: (sent: SentRequest) => void;
  readonly onResponse?: (received: ReceivedResponse) => void;
  readonly onRetry?: (retry: Retry) => void;
}

export interface SentRequest {
  readonly operation: OperationId;
  readonly method: string;
  readonly url: string;
}

export interface ReceivedResponse extends SentRequest {
  readonly status: number;
  readonly requestId: string | null;
  readonly durationMs: number;
}

export interface Retry {
  readonly operation: OperationId;
  /** The number of the failed attempt, from 1. */
  readonly attempt: number;
  readonly pauseMs: number;
  readonly error: unknown;
}

/** Calls `run` after that time, unless you call the returned function first. */
export type After = (durationMs: number, run: () => void) => () => void;

/** The parts of a request. Query parameters and body fields that are undefined are left out. */
export interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts only this request. */
  readonly signal?: AbortSignal | undefined;
  /** The restaurant to name in the restaurant header. */
  readonly restaurant?: string | undefined;
  /** Whether the request is idempotent. Default: all methods but POST. */
  readonly isRepeatable?: boolean;
  /** JSON text to send instead of `body`. */
  readonly text?: string | null;
  /** Called with the error before the request is sent again. */
  readonly onRetry?: (error: unknown) => void;
}

/** Parameters of a query by name. A list is sent with commas between its elements. */
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The same for one operation, whose path and query parameters are known. */
export interface RequestFor<Id extends OperationId> extends Omit<Request, 'params' | 'query'> {
  readonly params?: RequestOf<Id>['params'];
  readonly query?: {
    readonly [Name in keyof RequestOf<Id>['query']]?: RequestOf<Id>['query'][Name] | undefined;
  };
}

/** A response with the information in its headers. */
export interface Answered<Body> {
  readonly body: Body;
  readonly headers: Headers;
}

/** The header that protects a session from cross-site request forgery. */
const CSRF_HEADER = 'x-csrf-token';
const UNAUTHORIZED = 401;
/** The start of this header's name is the brand, which differs from platform to platform. */
const REQUEST_ID = /-request-id$/;
/** The error code of a path outside of every interface (API-2). */
const UNKNOWN_INTERFACE = 10_022;
/** How long the platform may be silent. A stream has a line every 15 seconds. */
const SILENCE_MS = 60_000;
/** If the response to one of these is lost, nothing needs to be checked. */
const LOGINS: readonly OperationId[] = ['auth.token', 'backOffice.sessions.begin'];

/** Sends requests to one platform as one account. It logs in when it first needs to. */
export class Transport {
  readonly baseUrl: string;
  readonly credentials: Credentials | undefined;
  readonly nowMs: () => number;
  /** The brand in the names of the platform's headers, in lower case, once a response came. */
  brand: string;
  readonly #operations: Operations;
  readonly #signal: AbortSignal | null;
  readonly #fetch: typeof fetch;
  readonly #after: After | null;
  readonly #silenceMs: (id: string) => number;
  readonly #hooks: Hooks;
  readonly #tokens: Tokens | null;

  constructor(options: TransportOptions) {
    const { baseUrl, credentials, fetch: own } = options;
    this.baseUrl = baseUrl;
    this.credentials = credentials;
    this.nowMs = options.nowMs ?? presentMs;
    this.brand = options.brand?.toLowerCase() ?? 'platform';
    this.#operations = options.operations;
    this.#signal = options.signal ?? null;
    this.#fetch = own ?? ((...given) => globalThis.fetch(...given));
    this.#after = options.after ?? null;
    this.#silenceMs = options.silenceMs ?? (() => SILENCE_MS);
    this.#hooks = options.hooks ?? {};
    this.#tokens =
      options.tokensOf?.({
        ...{ baseUrl, nowMs: this.nowMs },
        ask: (headers, text) => this.#askForToken(headers, text),
      }) ?? null;
  }

  /**
   * Calls an operation. Throws Refused, PlatformFailed, NoAnswer, NotAPlatform, or the reason of the
   * signal.
   */
  async call<Id extends OperationId>(id: Id, request: RequestFor<Id> = {}): Promise<AnswerOf<Id>> {
    return (await this.send(id, request)).body;
  }

  /** The same, with the headers of the response. */
  async send<Id extends OperationId>(
    id: Id,
    request: RequestFor<Id> = {},
  ): Promise<Answered<AnswerOf<Id>>> {
    const given = { ...(request as Request), text: request.text ?? textOf(request.body) };
    const response = await this.#open(id, given);
    const text = await response.text().catch((error) => this.#lost(id, given, error));
    return { body: this.#read<AnswerOf<Id>>(id, response, text), headers: response.headers };
  }

  /** The lines of a streamed response, without their line feeds. */
  async *lines<Id extends OperationId>(
    id: Id,
    request: RequestFor<Id> = {},
  ): AsyncIterable<string> {
    const given = request as Request;
    const response = await this.#open(id, { ...given, text: textOf(given.body) });
    if (!response.ok) this.#read(id, response, await response.text());
    let rest = '';
    try {
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const lines = (rest + piece).split('\n');
        rest = lines.pop() ?? '';
        yield* lines.map((line) => line.replace(/\r$/, ''));
      }
    } catch (error) {
      this.#lost(id, given, error);
    }
    if (rest !== '') yield rest;
  }

  /** The token that requests are sent with. Throws for a session, which has none. */
  async token(): Promise<Token> {
    const { credentials } = this;
    if (credentials && 'accessToken' in credentials) {
      return { access_token: credentials.accessToken, expires_in: Number.NaN };
    }
    if (!this.#tokens) throw new Error('A session has no token.');
    const { accessToken, expiresInSeconds } = await this.#tokens.current();
    return { access_token: accessToken, expires_in: expiresInSeconds };
  }

  /** The request for a token, which is sent without one. */
  async #askForToken(headers: Record<string, string>, sent: string): Promise<TokenAnswer> {
    const response = await this.#fetchOnce('auth.token', { headers, text: sent });
    const text = await response.text().catch((error) => this.#lost('auth.token', {}, error));
    const read = () => this.#read<Token>('auth.token', response, text);
    return { status: response.status, json: parse(text), read, brand: this.brand };
  }

  /** Sends a request. Replaces the token once if the platform no longer accepts it. */
  async #open(id: OperationId, request: Prepared): Promise<Response> {
    const logins = this.#tokens?.logins;
    const token = await this.#tokens?.current();
    const response = await this.#authorized(id, request, token);
    const isNew = this.#tokens?.logins !== logins;
    if (response.status !== UNAUTHORIZED || isNew || !this.#tokens || !token) return response;
    await response.body?.cancel();
    return await this.#authorized(id, request, await this.#tokens.replace(token.accessToken));
  }

  async #authorized(
    id: OperationId,
    { headers, ...request }: Prepared,
    token: StoredToken | undefined,
  ): Promise<Response> {
    // A stored token may be older than this process, which has seen no response yet.
    if (token) this.brand = token.brand;
    const { restaurant, text } = request;
    return await this.#fetchOnce(id, {
      ...request,
      headers: {
        ...(restaurant === undefined
          ? {}
          : { [`${this.brand}-restaurant-external-id`]: restaurant }),
        ...headers,
        ...this.#proof(id, token),
        ...(text === null ? {} : { 'content-type': 'application/json' }),
      },
    });
  }

  #proof(id: OperationId, token: StoredToken | undefined): Record<string, string> {
    const { credentials } = this;
    if (!credentials) return {};
    if (token) return { authorization: `Bearer ${token.accessToken}` };
    if ('accessToken' in credentials) {
      return { authorization: `Bearer ${credentials.accessToken}` };
    }
    if (!('csrfToken' in credentials)) return {};
    const { cookie, csrfToken } = credentials;
    const sent = cookie === undefined ? {} : { cookie };
    return this.methodOf(id) === 'GET' ? sent : { ...sent, [CSRF_HEADER]: csrfToken };
  }

  async #fetchOnce(id: OperationId, request: Prepared): Promise<Response> {
    for (const each of signalsOf(this.#signal, request.signal)) each.throwIfAborted();
    const patience = this.#after && new Patience(this.#after, this.#silenceMs(id));
    const signals = signalsOf(this.#signal, request.signal, patience?.signal);
    const method = this.methodOf(id);
    const url = this.baseUrl + targetOf(id, this.#operations[id]?.[1] ?? '', request);
    const sent = { operation: id, method, url };
    this.#hooks.onRequest?.(sent);
    const sentAtMs = this.nowMs();
    try {
      const asked = this.#fetch(url, {
        ...{ method, headers: request.headers ?? {}, signal: joined(signals) },
        ...{ body: request.text, redirect: 'manual' as const },
      });
      const response = patience ? await patience.answered(asked) : await asked;
      const name = [...response.headers.keys()].find((one) => REQUEST_ID.test(one));
      this.brand = name?.replace(REQUEST_ID, '') ?? this.brand;
      this.#hooks.onResponse?.({
        ...{ ...sent, status: response.status, requestId: this.#requestIdOf(response.headers) },
        durationMs: this.nowMs() - sentAtMs,
      });
      return response;
    } catch (error) {
      return this.#lost(id, request, error);
    }
  }

  methodOf(id: string): string {
    return this.#operations[id]?.[0] ?? 'GET';
  }

  #requestIdOf(headers: Headers): string | null {
    return headers.get(`${this.brand}-request-id`);
  }

  #lost(id: OperationId, { signal }: Request, error: unknown): never {
    const isOutcomeUnknown = this.methodOf(id) !== 'GET' && !LOGINS.includes(id);
    const aborted = signalsOf(this.#signal, signal).find((each) => each.aborted);
    const cause = aborted ? aborted.reason : error;
    if (aborted && !isOutcomeUnknown) throw cause;
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
    throw errorAnswer(reason, {
      ...{ operation, status, code: codeOf(json), faults: faultsOf(json) },
      requestId: this.#requestIdOf(headers),
      link: linkOf(json),
      retryAfterMs: retryAfterMsOf(headers),
    });
  }
}

type Prepared = Request & { readonly text: string | null };

export function textOf(body: unknown): string | null {
  return body === undefined ? null : JSON.stringify(body);
}

/** Some edge workers lack `AbortSignal.any`, and most requests have one signal. */
export function joined(signals: AbortSignal[]): AbortSignal | null {
  const [first = null, second] = signals;
  return second ? AbortSignal.any(signals) : first;
}

export function signalsOf(...all: readonly (AbortSignal | null | undefined)[]): AbortSignal[] {
  return all.filter((each) => each instanceof AbortSignal);
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

  /** The response, whose body has the same time limit for each of its chunks. */
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
    let forget = () => {};
    const silent = new Promise<never>((_, reject) => {
      forget = this.#after(this.#limitMs, () => {
        const silence = new Silence(this.#limitMs);
        reject(silence);
        this.#ending.abort(silence);
      });
    });
    try {
      return await Promise.race([coming, silent]);
    } finally {
      forget();
    }
  }
}

/** Where an operation is, below the base address. */
function targetOf(id: string, template: string, { params = {}, query = {} }: Request): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new InvalidInput(name, `is missing: ${id} needs it.`);
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

function linkOf(json: unknown): string | null {
  const { link } = json as { readonly link?: unknown };
  return typeof link === 'string' ? link : null;
}

/** In seconds, as the platform writes it. */
function retryAfterMsOf(headers: Headers): number | null {
  const seconds = Number.parseFloat(headers.get('retry-after') ?? '');
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}
