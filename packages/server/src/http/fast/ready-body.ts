import type { Cached } from '../../freshness/cache.ts';
import { type Coding, encode, entityTag } from '../pipeline/encode.ts';

export interface ReadyForm {
  readonly coding: Coding;
  readonly tag: string;
  readonly plain: Buffer;
  readonly bytes: Buffer | null;
  readonly text: string | null;
  readonly ownHeaders: readonly string[];
}

const BYTES_WITH_CODINGS = 1.5;
const CODINGS = 3;
const BODY_BYTES = 1_000;
/**
 * Short bodies travel with their headers in one write: both fit into the 16 KiB that libuv writes
 * without an allocation.
 */
const TEXT_BYTES = 15_360;

export interface ReadyAnswer extends Cached<ReadyBody> {
  readonly key: string;
  /** Null if the handler must look at more when the body has changed. */
  readonly renew: (() => Promise<Cached<ReadyBody>>) | null;
}

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

  get sizeBytes(): number {
    const { length } = this.plain;
    const forms = BYTES_WITH_CODINGS * length;
    return BODY_BYTES + forms + Math.min(forms, CODINGS * TEXT_BYTES);
  }

  formIn(coding: Coding): ReadyForm {
    const known = this.#forms.get(coding);
    return known ?? this.#keep(coding, coding === 'identity' ? this.plain : null);
  }

  /** Compresses off the event loop, once for simultaneous callers. */
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
