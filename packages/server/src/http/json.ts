import { ApiError } from './errors.ts';

/** Nesting that a request body may have (decisions C9). */
export const MAX_JSON_DEPTH = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;

/**
 * Parses a JSON body that may be hostile (decisions C9). Takes the text; gives the value.
 * Refused with a 400 that names line and column: broken syntax, nesting over 32 levels, a key
 * given twice, a `__proto__` key, a NUL character, and a number that a double cannot hold.
 */
export function parseJson(text: string): unknown {
  const scanner = new Scanner(text);
  scanner.skipWhiteSpace();
  scanner.value(1);
  scanner.skipWhiteSpace();
  if (scanner.at < text.length) scanner.refuse('has more text after its end: send one JSON value');
  return JSON.parse(text);
}

/** Walks the text once and refuses what JSON.parse would accept or blur; it builds nothing. */
class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Throws the 400 for the present place. */
  refuse(what: string, at = this.at): never {
    const before = this.text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - before.lastIndexOf('\n');
    throw new ApiError('badRequest', `The JSON body ${what} (line ${line}, column ${column}).`);
  }

  skipWhiteSpace(): void {
    while (WHITE_SPACE.has(this.text.charCodeAt(this.at))) this.at += 1;
  }

  value(depth: number): void {
    const first = this.text[this.at];
    if (first === '{') this.object(depth);
    else if (first === '[') this.array(depth);
    else if (first === '"') this.string();
    else if (!this.match(LITERAL)) this.number();
  }

  private object(depth: number): void {
    this.enter(depth);
    const keys = new Set<string>();
    this.members('}', () => {
      if (this.text[this.at] !== '"') this.refuse('needs a key in double quotes here');
      const keyAt = this.at;
      const key = this.string();
      if (key === '__proto__') this.refuse('has the key "__proto__", which is not allowed', keyAt);
      if (keys.has(key)) this.refuse(`has ${named(key)} twice in one object`, keyAt);
      keys.add(key);
      this.skipWhiteSpace();
      if (this.text[this.at] !== ':') this.refuse('needs a ":" after the key here');
      this.at += 1;
      this.skipWhiteSpace();
      this.value(depth + 1);
    });
  }

  private array(depth: number): void {
    this.enter(depth);
    this.members(']', () => this.value(depth + 1));
  }

  private enter(depth: number): void {
    if (depth > MAX_JSON_DEPTH) {
      this.refuse(`is nested deeper than ${MAX_JSON_DEPTH} levels: send a flatter one`);
    }
    this.at += 1;
    this.skipWhiteSpace();
  }

  private members(close: string, member: () => void): void {
    if (this.text[this.at] === close) {
      this.at += 1;
      return;
    }
    for (;;) {
      member();
      this.skipWhiteSpace();
      const next = this.text[this.at];
      if (next !== ',' && next !== close) this.refuse(`needs a "," or "${close}" here`);
      this.at += 1;
      if (next === close) return;
      this.skipWhiteSpace();
    }
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (Number.isNaN(code)) this.refuse('ends inside a string', start);
      if (code === QUOTE) break;
      if (code < 0x20) this.refuse('has a control character inside a string: escape it');
      this.at += code === BACKSLASH ? 2 : 1;
    }
    this.at += 1;
    return this.decoded(start);
  }

  private decoded(start: number): string {
    const raw = this.text.slice(start, this.at);
    if (!raw.includes('\\')) return raw.slice(1, -1);
    const decoded = parsedString(raw);
    if (decoded === null) this.refuse('has a broken escape inside a string', start);
    // PostgreSQL has no text with NUL in it, so that it is refused where it comes in.
    if (decoded.includes('\u0000')) this.refuse('has a NUL character inside a string', start);
    return decoded;
  }

  private number(): void {
    const start = this.at;
    if (!this.match(NUMBER)) {
      this.refuse(start >= this.text.length ? 'ends too early' : 'is not valid JSON here');
    }
    const literal = this.text.slice(start, this.at);
    if (!isExactDouble(literal)) {
      // The number is not repeated: a card number may stand in a wrong place (I7).
      this.refuse('has a number beyond double precision: send fewer digits', start);
    }
  }

  private match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
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
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${kept}e${Number(exponent) - fraction.length + (digits.length - kept.length)}`;
}
