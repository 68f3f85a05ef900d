import { nextTurn } from '@servery/support/runner.ts';
import { ApiError } from '../errors.ts';

const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const LITERALS = { t: true, f: false, n: null };

/** One object must not keep the event loop busy. */
export const MAX_JSON_KEYS = 10_000;

const TURN_CHARACTERS = 32_768;
/** A longer slice would keep the whole text in memory. */
const COPIED_CHARACTERS = 12;
const NUMBER_CHARACTERS = 400;

/**
 * For hostile bodies (API-9). Throws a 400 with line and column for broken syntax, deep nesting,
 * duplicate or `__proto__` keys, too many keys, NUL, and numbers beyond a double.
 */
export function parseJson(text: string): unknown {
  const parser = new Parser(text);
  parser.advance(Number.POSITIVE_INFINITY);
  return parser.value;
}

/** Parses a long text in parts, so that other requests get their turn. */
export async function parseJsonInTurns(text: string): Promise<unknown> {
  const parser = new Parser(text);
  while (!parser.advance(parser.at + TURN_CHARACTERS)) await nextTurn();
  // The next step may take long too.
  if (text.length > TURN_CHARACTERS) await nextTurn();
  return parser.value;
}

interface Open {
  readonly list: unknown[] | null;
  readonly object: Record<string, unknown>;
  key: string;
  keyCount: number;
}

/** Refuses what JSON.parse would accept or blur. */
class Parser {
  readonly text: string;
  at = 0;
  value: unknown;
  readonly #open: Open[] = [];
  #isAfterValue = false;
  #isDone = false;

  constructor(text: string) {
    this.text = text;
    this.#skipWhiteSpace();
  }

  advance(until: number): boolean {
    while (!this.#isDone && this.at < until) {
      if (this.#isAfterValue) this.#afterValue();
      else this.#value();
    }
    return this.#isDone;
  }

  #refuse(what: string, at = this.at): never {
    let line = 1;
    let lineStart = 0;
    for (let feed = this.text.indexOf('\n'); feed >= 0 && feed < at; ) {
      line += 1;
      lineStart = feed + 1;
      feed = this.text.indexOf('\n', lineStart);
    }
    const column = at - lineStart + 1;
    throw new ApiError('badRequest', `The JSON body ${what} (line ${line}, column ${column}).`);
  }

  #skipWhiteSpace(): void {
    while (isWhiteSpace(this.text.charCodeAt(this.at))) this.at += 1;
  }

  #value(): void {
    const first = this.text[this.at];
    if (first === '{' || first === '[') this.#begin(first === '[');
    else if (first === '"') this.#end(this.#string());
    else if (this.#match(LITERAL)) this.#end(LITERALS[first as keyof typeof LITERALS]);
    else this.#end(this.#number());
  }

  #begin(isList: boolean): void {
    if (this.#open.length >= MAX_JSON_DEPTH) {
      this.#refuse(`is nested deeper than ${MAX_JSON_DEPTH} levels: send a flatter one`);
    }
    const open = { list: isList ? [] : null, object: {}, key: '', keyCount: 0 };
    this.#open.push(open);
    this.at += 1;
    this.#skipWhiteSpace();
    if (this.text[this.at] === closeOf(open)) this.#close();
    else if (!isList) this.#key(open);
  }

  #close(): void {
    const closed = this.#open.pop();
    this.at += 1;
    this.#end(closed?.list ?? closed?.object);
  }

  #end(value: unknown): void {
    const open = this.#open.at(-1);
    if (open) {
      if (open.list) open.list.push(value);
      else open.object[open.key] = value;
      this.#isAfterValue = true;
      return;
    }
    this.#skipWhiteSpace();
    if (this.at < this.text.length) {
      this.#refuse('has more text after its end: send one JSON value');
    }
    this.value = value;
    this.#isDone = true;
  }

  #afterValue(): void {
    this.#skipWhiteSpace();
    const open = this.#open.at(-1) as Open;
    const next = this.text[this.at];
    if (next === closeOf(open)) {
      this.#close();
      return;
    }
    if (next !== ',') this.#refuse(`needs a "," or "${closeOf(open)}" here`);
    this.at += 1;
    this.#skipWhiteSpace();
    if (!open.list) this.#key(open);
    this.#isAfterValue = false;
  }

  #key(open: Open): void {
    if (this.text[this.at] !== '"') this.#refuse('needs a key in double quotes here');
    const keyAt = this.at;
    const key = this.#string();
    if (key === '__proto__') this.#refuse('has the key "__proto__", which is not allowed', keyAt);
    if (Object.hasOwn(open.object, key)) {
      this.#refuse(`has ${named(key)} twice in one object`, keyAt);
    }
    open.keyCount += 1;
    if (open.keyCount > MAX_JSON_KEYS) {
      this.#refuse(`has an object with more than ${MAX_JSON_KEYS} keys: send fewer`, keyAt);
    }
    open.key = key;
    this.#skipWhiteSpace();
    if (this.text[this.at] !== ':') this.#refuse('needs a ":" after the key here');
    this.at += 1;
    this.#skipWhiteSpace();
  }

  #string(): string {
    const start = this.at;
    let hasEscape = false;
    for (this.at += 1; ; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (code === QUOTE) break;
      if (Number.isNaN(code)) this.#refuse('ends inside a string', start);
      if (code < 0x20) this.#refuse('has a control character inside a string: escape it');
      if (code !== BACKSLASH) continue;
      hasEscape = true;
      this.at += 1;
    }
    this.at += 1;
    if (!hasEscape && this.at - start - 2 <= COPIED_CHARACTERS) {
      return this.text.slice(start + 1, this.at - 1);
    }
    const decoded = parsedString(this.text.slice(start, this.at));
    if (decoded === null) this.#refuse('has a broken escape inside a string', start);
    // PostgreSQL text cannot hold NUL.
    if (hasEscape && decoded.includes('\u0000')) {
      this.#refuse('has a NUL character inside a string', start);
    }
    return decoded;
  }

  #number(): number {
    const start = this.at;
    if (!this.#match(NUMBER)) {
      this.#refuse(start >= this.text.length ? 'ends too early' : 'is not valid JSON here');
    }
    const literal = this.text.slice(start, this.at);
    if (literal.length > NUMBER_CHARACTERS || !isExactDouble(literal)) {
      // Does not repeat the number, which may be a card number (PAY-I7).
      this.#refuse('has a number beyond double precision: send fewer digits', start);
    }
    return Number(literal);
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
}

function closeOf({ list }: Open): string {
  return list ? ']' : '}';
}

function isWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function parsedString(raw: string): string | null {
  try {
    return JSON.parse(raw) as string;
  } catch {
    return null;
  }
}

/** Repeats only what looks like a property name; other text may be misplaced data. */
function named(key: string): string {
  return /^[A-Za-z_]\w{0,40}$/.test(key) ? `the key "${key}"` : 'a key';
}

/**
 * Accepts the shortest digits, or the 17 that some languages write, such as 19.989999999999998 for
 * 19.99.
 */
export function isExactDouble(literal: string): boolean {
  // 15 significant digits always survive a double.
  if (literal.length <= 15 && !/[eE]/.test(literal)) return true;
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  const given = significance(literal);
  return given === significance(String(value)) || given === significance(value.toPrecision(17));
}

function significance(literal: string): string {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = withoutZerosAtEnd(digits);
  if (kept === '') return '0';
  return `${kept}e${Number(exponent) - fraction.length + (digits.length - kept.length)}`;
}

/** A pattern would be quadratic in runs of inner zeros. */
function withoutZerosAtEnd(digits: string): string {
  let { length } = digits;
  while (digits[length - 1] === '0') length -= 1;
  return digits.slice(0, length);
}
