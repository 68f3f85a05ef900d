import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Answer } from './answer.ts';
import { checkAnswer } from './checks.ts';
import type { DemoClient, DemoClientName } from './demo.ts';
import { refuseBeyondLevel } from './level.ts';
import { NotChecked } from './not-checked.ts';
import { type ExpectedOperation, expectedOperation } from './operations.ts';
import type { Platform } from './platform.ts';
import { suiteSettings } from './settings.ts';

const REFUSALS_TO_WAIT_OUT = 5;
const connections = new Agent({
  ...{ connections: 32, keepAliveTimeout: 1_000, keepAliveMaxTimeout: 10_000 },
  // A busy machine may hold either side for seconds.
  connect: { timeout: 60_000 },
});

/** What a call may say beside its operation. */
export interface CallOptions {
  /** Values for the `{parameters}` of the path; percent-encoded by the client. */
  readonly params?: Readonly<Record<string, string>>;
  /** Query parameters, or the query as it must stand after the question mark. */
  readonly query?: Readonly<Record<string, string | number | boolean>> | string;
  /** A value to send as JSON. */
  readonly json?: unknown;
  /** Fields to send as a form. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** Bytes to send as they are. */
  readonly bytes?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** The restaurant of the restaurant header. */
  readonly restaurant?: string;
  /** Another token than the client's; null sends none. */
  readonly token?: string | null;
  /** The path to call in place of the operation's, for what the contract does not know. */
  readonly path?: string;
  readonly method?: string;
  /** True: a 429 is the answer, not a reason to wait and ask again. */
  readonly withoutRetry?: boolean;
}

function pathOf(operation: ExpectedOperation, options: CallOptions): string {
  const path = (options.path ?? operation.path).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = options.params?.[name];
    assert.ok(value !== undefined, `the test gives no ${name} for ${operation.id}`);
    return encodeURIComponent(value);
  });
  if (options.query === undefined) return path;
  const query =
    typeof options.query === 'string'
      ? options.query
      : new URLSearchParams(
          Object.entries(options.query).map(([key, value]): [string, string] => [
            key,
            String(value),
          ]),
        ).toString();
  return `${path}?${query}`;
}

function bodyOf(options: CallOptions): { body: string | Buffer | null; type: string | null } {
  if (options.json !== undefined) {
    return { body: JSON.stringify(options.json), type: 'application/json' };
  }
  if (options.form !== undefined) {
    const body = new URLSearchParams(options.form).toString();
    return { body, type: 'application/x-www-form-urlencoded' };
  }
  return {
    body: options.bytes ?? null,
    type: options.bytes === undefined ? null : 'application/json',
  };
}

/** Logs in an API account and gives its access token. */
export async function logIn(platform: Platform, account: DemoClient): Promise<string> {
  const { clientId, clientSecret, userAccessType } = account;
  const answer = await new Client(platform).call('auth.login', 200, {
    json: { clientId, clientSecret, userAccessType },
  });
  const { token } = answer.json as { token: { accessToken: string } };
  return token.accessToken;
}

/**
 * A caller of the platform, with the token of one API account or with none. It checks every answer
 * against the contract and fails the test that asked when the answer breaks it.
 */
export class Client {
  readonly platform: Platform;
  readonly token: string | null;
  /** The account that is missing: then every call throws NotChecked. */
  readonly #missing: string | null;

  constructor(platform: Platform, token: string | null = null, missing: string | null = null) {
    this.platform = platform;
    this.token = token;
    this.#missing = missing;
  }

  /**
   * Calls an operation and asserts its status. Waits and asks again when a rate limit refuses,
   * so that the suite also runs against a platform with the default limits.
   */
  async call(operationId: string, status: number, options: CallOptions = {}): Promise<Answer> {
    const operation = expectedOperation(operationId);
    const answer = await this.send(operation, { withoutRetry: status === 429, ...options });
    const text = `${answer.method} ${answer.path}: ${answer.text.slice(0, 600)}`;
    assert.equal(answer.status, status, text);
    return answer;
  }

  /** Calls an operation and gives whatever it answers, as far as it keeps the contract. */
  async send(operation: ExpectedOperation, options: CallOptions = {}): Promise<Answer> {
    for (let refusals = 0; ; refusals += 1) {
      const answer = await this.#once(operation, options);
      checkAnswer(this.platform, operation, answer);
      const refused = answer.status === 429 && !options.withoutRetry;
      if (!refused || refusals === REFUSALS_TO_WAIT_OUT) return answer;
      await wait(Number(answer.headers['retry-after']) * 1000);
    }
  }

  async #once(operation: ExpectedOperation, options: CallOptions): Promise<Answer> {
    if (this.#missing) throw new NotChecked(`the platform file has no account ${this.#missing}`);
    const path = pathOf(operation, options);
    const method = options.method ?? operation.method;
    refuseBeyondLevel(suiteSettings().level, operation, method);
    const { body, type } = bodyOf(options);
    const token = options.token === undefined ? this.token : options.token;
    const headers: Record<string, string> = {};
    if (type !== null) headers['content-type'] = type;
    if (token !== null) headers.authorization = `Bearer ${token}`;
    if (options.restaurant !== undefined) {
      headers[`${this.platform.brand}-Restaurant-External-ID`] = options.restaurant;
    }
    for (const [name, value] of Object.entries(options.headers ?? {})) headers[name] = value;
    const response = await request(this.platform.baseUrl + path, {
      method,
      headers,
      body,
      dispatcher: connections,
    });
    const bytes = isEndless(response.headers)
      ? await firstPiece(response.body)
      : Buffer.from(await response.body.arrayBuffer());
    return readAnswer(method, path, response.statusCode, response.headers, bytes);
  }
}

/** Whether an answer goes on for as long as its reader stays. */
function isEndless(headers: Answer['headers']): boolean {
  return String(headers['content-type'] ?? '').startsWith('text/event-stream');
}

/** What comes first of an answer without an end, which is hung up on then. */
async function firstPiece(body: AsyncIterable<Buffer>): Promise<Buffer> {
  for await (const piece of body) return piece;
  return Buffer.alloc(0);
}

function readAnswer(
  method: string,
  path: string,
  status: number,
  headers: Answer['headers'],
  bytes: Buffer,
): Answer {
  const text = headers['content-encoding'] === undefined ? bytes.toString('utf8') : '';
  const isJson = /^application\/(\S+\+)?json/.test(String(headers['content-type'] ?? ''));
  const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
  return { method, path, status, headers, bytes, text, json };
}

/** Logged-in callers of the demo accounts; each logs in once per test process. */
export class DemoCallers {
  readonly platform: Platform;
  readonly #known = new Map<DemoClientName, Promise<Client>>();

  constructor(platform: Platform) {
    this.platform = platform;
  }

  /** The caller of the account of this name. */
  as(name: DemoClientName): Promise<Client> {
    const known = this.#known.get(name);
    if (known) return known;
    const { platform } = this;
    const { clients } = platform.demo;
    const made = Reflect.has(clients, name)
      ? logIn(platform, clients[name]).then((token) => new Client(platform, token))
      : Promise.resolve(new Client(platform, null, name));
    this.#known.set(name, made);
    return made;
  }

  /** A caller without a token. */
  anonymous(): Client {
    return new Client(this.platform);
  }
}
