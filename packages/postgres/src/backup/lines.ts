import { SECTION_END } from './format.ts';

const LINE_FEED = 0x0a;
const END = Buffer.from(SECTION_END);
const END_INSIDE = Buffer.from(`\n${SECTION_END}`);

/** The longest line of JSON. Rows are read in pieces, not as lines. */
const LINE_BYTES_AT_MOST = 16 * 1024 * 1024;

export class BackupLines {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #onBytes: (bytes: Uint8Array) => void;
  #rest: Buffer = Buffer.alloc(0);

  /** Calls `onBytes` with everything that is read, in order, before it is passed on. */
  constructor(source: AsyncIterable<Uint8Array>, onBytes: (bytes: Uint8Array) => void) {
    this.#source = source[Symbol.asyncIterator]();
    this.#onBytes = onBytes;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  /** The next line without its line feed; null at the end. Bytes without a line feed are no line. */
  async line(): Promise<{ readonly text: string; readonly bytes: Buffer } | null> {
    for (;;) {
      const end = this.#rest.indexOf(LINE_FEED);
      if (end >= 0) {
        const bytes = this.#rest.subarray(0, end + 1);
        this.#rest = this.#rest.subarray(end + 1);
        return { text: bytes.toString('utf8', 0, end), bytes };
      }
      if (this.#rest.length > LINE_BYTES_AT_MOST || !(await this.#more())) return null;
    }
  }

  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#more());
  }

  /** Pieces of complete rows up to the line that ends them; returns false if that never comes. */
  async *rows(): AsyncGenerator<Buffer, boolean> {
    for (;;) {
      const whole = this.#rest.lastIndexOf(LINE_FEED) + 1;
      const lines = this.#rest.subarray(0, whole);
      const end = endOf(lines);
      const rows = lines.subarray(0, end ?? whole);
      this.#rest = this.#rest.subarray(end === null ? whole : end + END.length);
      if (rows.length > 0) {
        this.#onBytes(rows);
        yield rows;
      }
      if (end !== null) {
        this.#onBytes(END);
        return true;
      }
      if (!(await this.#more())) return false;
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    this.#rest = this.#rest.length === 0 ? Buffer.from(value) : Buffer.concat([this.#rest, value]);
    return true;
  }
}

/** Where the line that ends a section starts; null if it is not among these lines. */
function endOf(lines: Buffer): number | null {
  if (lines.subarray(0, END.length).equals(END)) return 0;
  const at = lines.indexOf(END_INSIDE);
  return at < 0 ? null : at + 1;
}
