export class JsonValue {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** A `${…}` of a statement: a parameter, or a piece of SQL with its own parameters. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array
  | JsonValue
  | Statement<readonly unknown[]>
  | readonly SqlValue[];

/** The rows of an answer; `count` is how many the statement found or changed. */
export type Rows<T extends readonly unknown[]> = T & { readonly count: number };

// biome-ignore lint/suspicious/noExplicitAny: only the statement knows what PostgreSQL answers
export type Row = Record<string, any>;

/** Sends a template with its values, or with `values` null a text as it is. */
export type Send = (
  strings: TemplateStringsArray | string,
  values: readonly SqlValue[] | null,
) => Promise<Rows<Row[]>>;

/**
 * The SQL tag of a pool or of one transaction. `` sql<Row[]>`select …` `` sends its values as
 * parameters when it is awaited; not awaited, it is a piece for another statement.
 * Types: `uuid`, `numeric`, `date` → string; `bigint` → number (an error beyond 2⁵³);
 * `timestamptz` → Date; `json` → parsed, unless the column is read as `::text`.
 */
export interface Sql extends SqlTag {
  /** A value for a `json` column, key order kept. For JSON text write `${text}::text::json`. */
  json(value: unknown): JsonValue;
  unsafe(text: string): Promise<Rows<Row[]>>;
}

export type SqlTag = <T extends readonly unknown[] = Row[]>(
  strings: TemplateStringsArray,
  ...values: readonly SqlValue[]
) => Statement<T>;

export function makeSql(send: Send): Sql {
  const tag: SqlTag = (strings, ...values) => new Statement(send, strings, values);
  return Object.assign(tag, {
    json: (value: unknown) => new JsonValue(value),
    unsafe: (text: string) => send(text, null),
  });
}

/** A name in the text of a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A statement that is sent once, when somebody awaits it. */
export class Statement<T extends readonly unknown[]> implements Promise<Rows<T>> {
  readonly [Symbol.toStringTag] = 'Statement';
  readonly strings: TemplateStringsArray;
  readonly values: readonly SqlValue[];
  readonly #send: Send;
  #answer: Promise<Rows<T>> | undefined;

  constructor(send: Send, strings: TemplateStringsArray, values: readonly SqlValue[]) {
    this.#send = send;
    this.strings = strings;
    this.values = values;
    rememberOrigin(strings);
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement that nobody awaits must not be sent
  then<A = Rows<T>, B = never>(
    onAnswer?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#sendOnce().then(onAnswer, onError);
  }

  catch<B = never>(onError: (error: unknown) => B | PromiseLike<B>): Promise<Rows<T> | B> {
    return this.#sendOnce().catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Rows<T>> {
    return this.#sendOnce().finally(onEnd);
  }

  #sendOnce(): Promise<Rows<T>> {
    const answer = this.#answer ?? this.#sendWithOrigin();
    this.#answer = answer;
    return answer;
  }

  async #sendWithOrigin(): Promise<Rows<T>> {
    try {
      // Only the author of the statement knows the type of its rows.
      return (await this.#send(this.strings, this.values)) as unknown as Rows<T>;
    } catch (error) {
      throw withOrigin(error, this.strings);
    }
  }
}

// An error arrives on the stack of the socket, which does not show where the statement is. So each
// error gets that place as `origin`, which is looked up once for each template.
const origins = new WeakMap<TemplateStringsArray, string>();

function rememberOrigin(strings: TemplateStringsArray): void {
  if (origins.has(strings)) return;
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, Statement);
  const frames = (holder.stack ?? '').split('\n').map((line) => line.trim());
  // The first frame is the tag itself.
  origins.set(strings, frames.filter((line) => line.startsWith('at '))[1] ?? '');
}

function withOrigin(error: unknown, strings: TemplateStringsArray): unknown {
  const origin = origins.get(strings);
  return error instanceof Error ? Object.assign(error, { origin }) : error;
}
