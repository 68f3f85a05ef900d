/** What is searched for, in one of the ways in which it can be written. */
interface Needle {
  readonly bytes: Buffer;
  /** What it is and how it is written, for the report. */
  readonly name: string;
}

/** A needle is looked up by its first bytes. */
const PREFIX_BYTES = 3;

/**
 * Things that must be nowhere, and the search for them. All needles are looked for in one pass, so
 * that a whole data folder can be searched for hundreds of them.
 */
export class ByteSearch {
  readonly #needles = new Map<number, Needle[]>();
  readonly #isPrefix = new Uint8Array(1 << (8 * PREFIX_BYTES));

  /** Adds a card number: as text, in groups, packed, and as a binary number. */
  addCardNumber(cardNumber: string): void {
    this.addText(cardNumber);
    for (const mark of [' ', '-', '.']) {
      for (const grouped of [/(\d{4})(?=\d)/g, /^(\d{4})(\d{6})(?=\d)/g]) {
        const written = cardNumber.replace(grouped, (...parts) =>
          parts
            .slice(1, -2)
            .map((group) => `${group}${mark}`)
            .join(''),
        );
        this.#add(`${cardNumber} in groups`, Buffer.from(written));
      }
    }
    const even = cardNumber.length % 2 === 0;
    this.#add(`${cardNumber} packed`, Buffer.from(even ? cardNumber : `0${cardNumber}`, 'hex'));
    const words = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(8)];
    words[0]?.writeBigInt64BE(BigInt(cardNumber) % 2n ** 63n);
    words[1]?.writeBigInt64LE(BigInt(cardNumber) % 2n ** 63n);
    words[2]?.writeDoubleBE(Number(cardNumber));
    words[3]?.writeDoubleLE(Number(cardNumber));
    for (const word of words) this.#add(`${cardNumber} as a number`, word);
  }

  /** Adds a text in the usual encodings, inside of longer ones too. */
  addText(text: string): void {
    const bytes = Buffer.from(text);
    this.#add(text, bytes);
    this.#addEncoded(text, bytes);
    const wide = Buffer.from(text, 'utf16le');
    this.#add(`${text} in UTF-16`, wide);
    this.#add(`${text} in UTF-16, big-endian`, Buffer.from(wide).swap16());
    this.#addEncoded(`${text} in UTF-16`, wide);
  }

  /** Adds a text as it is, and as JSON has it; no other encoding is looked for. */
  addPiece(name: string, text: string): void {
    for (const each of new Set([text, JSON.stringify(text).slice(1, -1)])) {
      this.#add(name, Buffer.from(each));
    }
  }

  /** Adds card data as they were sent, encrypted: base64, a compact or a flattened JWE. */
  addEnvelope(envelope: unknown): void {
    const texts =
      typeof envelope === 'string' ? envelope.split('.') : Object.values(envelope as object);
    // The header of a JWE names a public key and is no secret; its short parts are too common.
    const secret = texts.length === 1 ? texts : texts.slice(1);
    for (const text of secret.filter((part) => part.length >= 40)) {
      const bytes = Buffer.from(text, 'base64');
      for (const at of [0, Math.trunc(bytes.length / 2)]) {
        const piece = bytes.subarray(at, at + 18);
        this.#add(`card data ${text}`, piece);
        this.#addEncoded(`card data ${text}`, piece);
      }
    }
  }

  /** The names of all that is in the bytes, each once. */
  findIn(bytes: Uint8Array): string[] {
    const found = new Set<string>();
    const isPrefix = this.#isPrefix;
    const mask = isPrefix.length - 1;
    let prefix = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      prefix = ((prefix << 8) | (bytes[at] ?? 0)) & mask;
      if (isPrefix[prefix] === 0) continue;
      const from = at - PREFIX_BYTES + 1;
      for (const needle of this.#needles.get(prefix) ?? []) {
        if (startsAt(bytes, from, needle.bytes)) found.add(needle.name);
      }
    }
    return [...found];
  }

  #addEncoded(name: string, bytes: Buffer): void {
    const hex = bytes.toString('hex');
    this.#add(`${name} in hexadecimal`, Buffer.from(hex));
    this.#add(`${name} in hexadecimal`, Buffer.from(hex.toUpperCase()));
    for (const shift of [0, 1, 2]) {
      // Wherever it begins in what is encoded, these characters depend on it alone.
      const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
      const end = Math.floor(((shift + bytes.length) * 8) / 6);
      const inner = encoded.slice(Math.ceil((shift * 8) / 6), end);
      this.#add(`${name} in base64`, Buffer.from(inner));
      const forUrl = inner.replaceAll('+', '-').replaceAll('/', '_');
      if (forUrl !== inner) this.#add(`${name} in base64url`, Buffer.from(forUrl));
    }
  }

  #add(name: string, bytes: Buffer): void {
    const prefix = bytes.readUIntBE(0, PREFIX_BYTES);
    this.#isPrefix[prefix] = 1;
    this.#needles.set(prefix, [...(this.#needles.get(prefix) ?? []), { name, bytes }]);
  }
}

/** From the end: needles begin alike, card numbers all with the same digits. */
function startsAt(bytes: Uint8Array, from: number, needle: Buffer): boolean {
  if (from < 0 || from + needle.length > bytes.length) return false;
  for (let index = needle.length - 1; index >= 0; index -= 1) {
    if (bytes[from + index] !== needle[index]) return false;
  }
  return true;
}
