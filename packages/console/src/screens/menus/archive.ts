/** Takes files out of a ZIP archive: the browser itself inflates them. */

/** Why a file can't be imported. */
export type Unreadable = 'damaged' | 'password' | 'oldKind' | 'otherKind' | 'tooMuch' | 'noTable';

export class UnreadableFile extends Error {
  readonly why: Unreadable;

  constructor(why: Unreadable) {
    super(why);
    this.why = why;
  }
}

interface Entry {
  readonly method: number;
  readonly packedSize: number;
  readonly size: number;
  /** Where the header before the data is. */
  readonly at: number;
}

/** Of all that is taken out of one archive: a small one can hold terabytes of nothing. */
const UNPACKED_AT_MOST = 67_108_864;

const END = { signature: 0x06_05_4b_50, size: 22, count: 10, directory: 16, commentAtMost: 65_535 };
const ENTRY = { signature: 0x02_01_4b_50, size: 46 };
const HEADER_SIZE = 30;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

export class Archive {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #entries: ReadonlyMap<string, Entry>;
  #left = UNPACKED_AT_MOST;

  /** Throws UnreadableFile. */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    try {
      this.#entries = readDirectory(bytes);
    } catch (error) {
      throw error instanceof RangeError ? new UnreadableFile('damaged') : error;
    }
  }

  /** Null if there is no such file. Throws UnreadableFile. */
  async read(name: string): Promise<string | null> {
    const entry = this.#entries.get(name);
    if (!entry) return null;
    const packed = dataOf(this.#bytes, entry);
    if (entry.size > this.#left) throw new UnreadableFile('tooMuch');
    const content = entry.method === STORED ? packed : await inflate(packed, entry.size);
    this.#left -= content.length;
    return new TextDecoder().decode(content);
  }
}

function readDirectory(bytes: Uint8Array<ArrayBuffer>): ReadonlyMap<string, Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = bytes.length - END.size;
  let end = last;
  while (view.getUint32(end, true) !== END.signature) {
    end -= 1;
    if (end < last - END.commentAtMost) throw new UnreadableFile('damaged');
  }
  const entries = new Map<string, Entry>();
  let at = view.getUint32(end + END.directory, true);
  for (let count = view.getUint16(end + END.count, true); count > 0; count -= 1) {
    if (view.getUint32(at, true) !== ENTRY.signature) throw new UnreadableFile('damaged');
    if (view.getUint16(at + 8, true) & ENCRYPTED) throw new UnreadableFile('password');
    const [nameSize = 0, extraSize = 0, commentSize = 0] = [28, 30, 32].map((place) =>
      view.getUint16(at + place, true),
    );
    const name = new TextDecoder().decode(bytes.subarray(at + ENTRY.size).subarray(0, nameSize));
    entries.set(name, {
      method: view.getUint16(at + 10, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    });
    at += ENTRY.size + nameSize + extraSize + commentSize;
  }
  return entries;
}

function dataOf(bytes: Uint8Array<ArrayBuffer>, { at, packedSize, method }: Entry) {
  if (method !== STORED && method !== DEFLATED) throw new UnreadableFile('damaged');
  const [nameLow = 0, nameHigh = 0, extraLow = 0, extraHigh = 0] = bytes.subarray(at + 26, at + 30);
  const start = at + HEADER_SIZE + nameLow + 256 * nameHigh + extraLow + 256 * extraHigh;
  return bytes.subarray(start, start + packedSize);
}

/** Stops as soon as there is more than the archive says. */
async function inflate(packed: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array> {
  const content = new Uint8Array(size);
  let filled = 0;
  try {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    for await (const chunk of stream) {
      // Throws a RangeError if it doesn't fit.
      content.set(chunk, filled);
      filled += chunk.length;
    }
  } catch {
    throw new UnreadableFile('damaged');
  }
  if (filled < size) throw new UnreadableFile('damaged');
  return content;
}
