const HEAD_END = '\r\n\r\n';
const STATUS_OFFSET = 'HTTP/1.1 '.length;
/** Statuses from here on tell why in their bodies. */
const LEAST_ERROR = 400;
const NO_BODY = Buffer.alloc(0);
/** Statuses whose answers have no body, whatever their headers say. */
const WITHOUT_BODY = [204, 304];

/**
 * Reads the answers of one connection, one after the other, as cheaply as JavaScript can: the load
 * must not be what is measured. It knows `content-length` and chunks, and nothing else of HTTP.
 */
export class AnswerReader {
  /** Whether the body of the next answer is wanted; else only its length, but for an error's. */
  keepsBody = false;
  /** Of the last whole answer. */
  status = 0;
  length = 0;
  body: Buffer = NO_BODY;
  /** Whether the server ends the connection after it. */
  closes = false;

  /** What came of a head, or of chunks, that is not whole yet. */
  #begun: Buffer = NO_BODY;
  #isInBody = false;
  #isChunked = false;
  #left = 0;
  #pieces: Buffer[] = [];

  /**
   * Takes bytes of the connection, and keeps none of them: true when they end an answer. Throws
   * when bytes come after it, which nobody asked for, and when an answer has no length.
   */
  read(chunk: Buffer): boolean {
    if (!this.#isInBody) return this.#readHead(chunk);
    return this.#isChunked ? this.#readChunks(chunk) : this.#readBody(chunk);
  }

  #readHead(chunk: Buffer): boolean {
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) {
      this.#begun = Buffer.from(bytes);
      return false;
    }
    this.#begun = NO_BODY;
    const head = bytes.toString('latin1', STATUS_OFFSET, headEnd).toLowerCase();
    this.status = Number(head.slice(0, 3));
    this.closes = head.includes('\r\nconnection: close');
    this.length = 0;
    this.#pieces = [];
    this.#isChunked = head.includes('\r\ntransfer-encoding: chunked');
    this.#left = WITHOUT_BODY.includes(this.status) ? 0 : this.#lengthIn(head);
    this.#isInBody = true;
    return this.read(bytes.subarray(headEnd + HEAD_END.length));
  }

  #lengthIn(head: string): number {
    const at = head.indexOf('\r\ncontent-length: ');
    if (at >= 0) return Number.parseInt(head.slice(at + 18, at + 30), 10);
    if (this.#isChunked) return 0;
    throw new Error(`an answer ${this.status} says nothing of its length`);
  }

  #readBody(chunk: Buffer): boolean {
    if (chunk.length > this.#left) throw new Error('bytes came after the end of an answer');
    this.#left -= chunk.length;
    this.length += chunk.length;
    if (this.#isWanted()) this.#pieces.push(Buffer.from(chunk));
    return this.#left === 0 && this.#finish();
  }

  /** The slow way: everything is looked at again with each piece. Only peers answer in chunks. */
  #readChunks(chunk: Buffer): boolean {
    this.#begun = Buffer.concat([this.#begun, chunk]);
    for (;;) {
      const lineEnd = this.#begun.indexOf('\r\n');
      if (lineEnd < 0) return false;
      const size = Number.parseInt(this.#begun.toString('latin1', 0, lineEnd), 16);
      const end = lineEnd + 2 + size + 2;
      if (this.#begun.length < end) return false;
      const piece = this.#begun.subarray(lineEnd + 2, end - 2);
      this.#begun = this.#begun.subarray(end);
      if (size === 0) return this.#finish();
      this.length += size;
      if (this.#isWanted()) this.#pieces.push(piece);
    }
  }

  #isWanted(): boolean {
    return this.keepsBody || this.status >= LEAST_ERROR;
  }

  #finish(): boolean {
    this.#isInBody = false;
    this.#begun = NO_BODY;
    this.body = this.#pieces.length === 1 ? (this.#pieces[0] ?? NO_BODY) : this.#joined();
    return true;
  }

  #joined(): Buffer {
    return this.#pieces.length === 0 ? NO_BODY : Buffer.concat(this.#pieces);
  }
}
