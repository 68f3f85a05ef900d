import type { Cached } from '../../freshness/cache.ts';
import { type Coding, encode, entityTag } from '../pipeline/encode.ts';

/** A body in one coding, with all that its answers have in common. */
export interface ReadyForm {
  readonly coding: Coding;
  /** The strong entity tag of the body in the coding (decisions API-11). */
  readonly tag: string;
  /** The body before compression. */
  readonly plain: Buffer;
  /** Null until it was compressed. */
  readonly bytes: Buffer | null;
  /** The same as text of one byte a character, where that is faster to send; else null. */
  readonly text: string | null;
  /** Names and values of the body's own headers in turn, such as the one for the next page. */
  readonly ownHeaders: readonly string[];
}

/** What a body and its compressed forms take, in bytes, about, for each byte of the body. */
const BYTES_WITH_CODINGS = 1.5;
/** In so many of its codings a long body is short enough to be kept as text too. */
const CODINGS = 3;
/** What a body takes beside its bytes, about. */
const BODY_BYTES = 1_000;
/**
 * A body of so many bytes travels with its headers in one write, as text; longer ones do not. Both
 * together have to fit into the 16 KiB that libuv writes without asking for memory.
 */
const TEXT_BYTES = 15_360;

/** A body that is remembered among the answers, with the key that it is found by there. */
export interface ReadyAnswer extends Cached<ReadyBody> {
  readonly key: string;
  /**
   * Finds or makes the body anew, once however many ask; throws what its making throws. Null where
   * the handler looks at more than that when the body has changed.
   */
  readonly renew: (() => Promise<Cached<ReadyBody>>) | null;
}

/**
 * The body of an answer that is ready to be sent, with headers of its own. Each compressed form is
 * made when it is asked for first, and then kept beside it.
 */
export class ReadyBody {
  readonly plain: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly #forms = new Map<Coding, ReadyForm>();
  readonly #encoding = new Map<Coding, Promise<ReadyForm>>();

  constructor(plain: Buffer, headers: Readonly<Record<string, string>> = {}) {
    this.plain = plain;
    const named = Object.entries(headers).map(([name, text]) => [name.toLowerCase(), text]);
    this.headers = Object.fromEntries(named);
  }

  /** How much it takes in memory, in bytes, about, once its compressed forms are made. */
  get sizeBytes(): number {
    const { length } = this.plain;
    const forms = BYTES_WITH_CODINGS * length;
    return BODY_BYTES + forms + Math.min(forms, CODINGS * TEXT_BYTES);
  }

  /** The body in a coding as far as it is there: compressed bytes may not be made yet. */
  formIn(coding: Coding): ReadyForm {
    const known = this.#forms.get(coding);
    return known ?? this.#keep(coding, coding === 'identity' ? this.plain : null);
  }

  /** The body in a coding; compresses it off the event loop, once however many ask. */
  async get(coding: Coding): Promise<ReadyForm> {
    const known = this.formIn(coding);
    if (known.bytes) return known;
    const underWay = this.#encoding.get(coding);
    if (underWay) return await underWay;
    const encoding = encode(this.plain, coding).then((bytes) => this.#keep(coding, bytes));
    this.#encoding.set(coding, encoding);
    try {
      return await encoding;
    } finally {
      this.#encoding.delete(coding);
    }
  }

  #keep(coding: Coding, bytes: Buffer | null): ReadyForm {
    const form = {
      coding,
      tag: this.#forms.get(coding)?.tag ?? entityTag(this.plain, coding),
      plain: this.plain,
      bytes,
      text: bytes && bytes.length <= TEXT_BYTES ? bytes.toString('latin1') : null,
      ownHeaders: Object.entries(this.headers).flat(),
    };
    this.#forms.set(coding, form);
    return form;
  }
}
