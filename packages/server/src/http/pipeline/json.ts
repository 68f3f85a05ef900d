import { nextTurn } from '@servery/support/runner.ts';
import { ApiError } from '../errors.ts';

/** Nesting that a request body may have (decisions API-9). */
const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
/** What literals mean, by their first letters. */
const LITERALS = { t: true, f: false, n: null };

/** Keys that one object may have: what walks through objects must not be kept busy by one. */
export const MAX_JSON_KEYS = 10_000;

/** How much of a text is parsed before other requests have their turn, in characters. */
const TURN_CHARACTERS = 32_768;
/** Shorter slices of a text are copies; longer ones would keep the whole text in memory. */
const COPIED_CHARACTERS = 12;
/** The largest double has 309 digits, and nobody writes more behind the point. */
const NUMBER_CHARACTERS = 400;

/**
 * Parses a JSON body that may be hostile (decisions API-9). Takes the text; gives the value.
 * Refused with a 400 that names line and column: broken syntax, nesting over 32 levels, a key
 * given twice, a `__proto__` key, an object with over 10,000 keys, a NUL character, and a number
 * that a double cannot hold.
 */
export function parseJson(text: string): unknown {
  const parser = new Parser(text);
  parser.advance(Number.POSITIVE_INFINITY);
  return parser.value;
}

/** The same, but a long text is parsed in parts, between which others have their turn. */
export async function parseJsonInTurns(text: string): Promise<unknown> {
  const parser = new Parser(text);
  while (!parser.advance(parser.at + TURN_CHARACTERS)) await nextTurn();
  // What comes next may take long as well.
  if (text.length > TURN_CHARACTERS) await nextTurn();
  return parser.value;
}

/** A list or an object whose end has not come yet; `key` is that of the value under way. */
interface Open {
  readonly list: unknown[] | null;
  readonly object: Record<string, unknown>;
  key: string;
  keyCount: number;
}

/** Walks the text once, builds its value, and refuses what JSON.parse would accept or blur. */
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

  /** Goes on to this place or a little further; gives whether the text ended. */
  advance(until: number): boolean {
    while (!this.#isDone && this.at < until) {
      if (this.#isAfterValue) this.#afterValue();
      else this.#value();
    }
    return this.#isDone;
  }

  /** Throws the 400 for the present place. */
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

  /** Puts a value that has come to its end where it belongs. */
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
    // PostgreSQL has no text with NUL in it, so that it is refused where it comes in.
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
      // The number is not repeated: a card number may stand in a wrong place (PAY-I7).
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

/** Only what looks like a property's name is repeated: misplaced data is not ours to show. */
function named(key: string): string {
  return /^[A-Za-z_]\w{0,40}$/.test(key) ? `the key "${key}"` : 'a key';
}

/**
 * True when the literal is how a double is written: by its shortest digits, or by the 17 that some
 * languages always write, such as 19.989999999999998 for 19.99.
 */
export function isExactDouble(literal: string): boolean {
  // Most numbers on this wire are short; 15 significant digits always survive a double.
  if (literal.length <= 15 && !/[eE]/.test(literal)) return true;
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  const given = significance(literal);
  return given === significance(String(value)) || given === significance(value.toPrecision(17));
}

/** Digits without leading and trailing zeros, and the power of ten of the last one. */
function significance(literal: string): string {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = withoutZerosAtEnd(digits);
  if (kept === '') return '0';
  return `${kept}e${Number(exponent) - fraction.length + (digits.length - kept.length)}`;
}

/** A pattern would try every row of zeros inside of the digits to its end. */
function withoutZerosAtEnd(digits: string): string {
  let { length } = digits;
  while (digits[length - 1] === '0') length -= 1;
  return digits.slice(0, length);
}
