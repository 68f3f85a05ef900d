/** One answer of the platform, read whole. */
export interface Answer {
  readonly method: string;
  /** Path and query as they were asked for. */
  readonly path: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  /** Empty when the answer is compressed. */
  readonly text: string;
  /** The parsed body when it is JSON and not compressed. */
  readonly json: unknown;
}

/** The text of a header, or undefined; a repeated header counts as its joined text. */
export function header(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}
