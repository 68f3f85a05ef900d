/** An answer as it came, not decompressed; names of headers are in small letters. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
}

const HEAD_END = '\r\n\r\n';
const STATUS_OFFSET = 'HTTP/1.1 '.length;
const NOTHING = Buffer.alloc(0);
/** Statuses whose answers have no body, whatever their headers say. */
const WITHOUT_BODY = [204, 304];

/** Reads the answers of one connection, one after the other. It knows `content-length` alone. */
export class AnswerReader {
  /** What came of a head that is not whole yet. */
  #begun = NOTHING;
  #answer: WireAnswer | null = null;
  #filled = 0;

  /**
   * Takes bytes of the connection, and keeps none of them; gives the answer that they end. Throws
   * an Error for an answer without a length, and for bytes behind its end.
   */
  read(chunk: Buffer): WireAnswer | null {
    if (this.#answer) return this.#fill(this.#answer, chunk);
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) {
      this.#begun = Buffer.from(bytes);
      return null;
    }
    this.#begun = NOTHING;
    this.#answer = headOf(bytes.toString('latin1', STATUS_OFFSET, headEnd));
    this.#filled = 0;
    return this.#fill(this.#answer, bytes.subarray(headEnd + HEAD_END.length));
  }

  #fill(answer: WireAnswer, chunk: Buffer): WireAnswer | null {
    if (this.#filled + chunk.length > answer.bytes.length) {
      throw new Error('bytes came behind the end of an answer');
    }
    this.#filled += chunk.copy(answer.bytes, this.#filled);
    if (this.#filled < answer.bytes.length) return null;
    this.#answer = null;
    return answer;
  }
}

/** An answer with room for its body. */
function headOf(head: string): WireAnswer {
  const [first = '', ...lines] = head.split('\r\n');
  const status = Number(first.slice(0, 3));
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const { 'content-length': length } = headers;
  const isEmpty = WITHOUT_BODY.includes(status);
  if (length === undefined && !isEmpty) throw new Error(`a ${status} says nothing of its length`);
  return { status, headers, bytes: Buffer.allocUnsafe(isEmpty ? 0 : Number(length)) };
}
