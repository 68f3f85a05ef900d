/**
 * Finds the digits of `number` in order, in any spelling (PAY-14), with anything but digits between
 * them. Reads the text as it is and decoded, also nested: digits of all scripts, English words,
 * character codes, percent encoding, HTML and JSON escapes, base64 and hexadecimal. Sixteen known
 * digits in a row are no accident: fewer than one in a billion random texts of 1,000 digits has
 * them. Takes linear time.
 */
export function holdsNumber(text: string, number: string): boolean {
  return holdsBelow(text, number, MOST_ENCODINGS);
}

const MOST_ENCODINGS = 2;
/** Escapes can give other escapes. */
const MOST_ESCAPES = 4;

function holdsBelow(text: string, number: string, encodings: number): boolean {
  if (text.length < number.length) return false;
  const asSent = withPlainDigits(text);
  let view = asSent;
  for (let round = 0; ; round += 1) {
    if (isReadable(view, number)) return true;
    const next = withPlainDigits(view.replaceAll(ESCAPE, unescaped));
    if (next === view || round === MOST_ESCAPES) break;
    view = next;
  }
  if (encodings === 0) return false;
  const views = view === asSent ? [view] : [asSent, view];
  return views.some((each) =>
    decodings(each).some((decoded) => holdsBelow(decoded, number, encodings - 1)),
  );
}

const ASCII_ONLY = /^[\0-\x7f]*$/;
/** With two ligatures that normalization would make very long. */
const MARKS = /[\p{M}\ufdfa\ufdfb]+/gu;
/** Digits that normalization doesn't convert. */
const SYMBOLS = '⓿❶-❾➀-➈➊-➒⓵-⓽🄋🄌〇零一二三四五六七八九\u{e0030}-\u{e0039}';
const OTHER_DIGIT = new RegExp(`(?![0-9])[\\p{Nd}${SYMBOLS}]`, 'gu');
const IDEOGRAPHS = '〇一二三四五六七八九';

export function withPlainDigits(text: string): string {
  if (ASCII_ONLY.test(text)) return text;
  return text.replaceAll(MARKS, '').normalize('NFKC').replaceAll(OTHER_DIGIT, plainDigit);
}

function plainDigit(symbol: string): string {
  const ideograph = IDEOGRAPHS.indexOf(symbol);
  if (ideograph >= 0) return String(ideograph);
  if (ZEROS.includes(symbol)) return '0';
  const code = symbol.codePointAt(0) ?? 0;
  const one = ONES.find((first) => code >= first && code <= first + 8);
  if (one !== undefined) return String(code - one + 1);
  if (code >= TAG_ZERO) return String(code - TAG_ZERO);
  // Each script has its ten digits in a row.
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero -= 1;
  return String(code - zero);
}

const ZEROS = '⓿🄋🄌零';
const ONES = ['❶', '➀', '➊', '⓵'].map((symbol) => symbol.codePointAt(0) ?? 0);
const TAG_ZERO = 0xe0030;

/** Also matches encoded percent signs. */
const ESCAPE = new RegExp(
  [
    '(?<bytes>(?:%(?:25)*[0-9a-f]{2})+)',
    '&#(?<decimal>[0-9]{1,7});?',
    '(?:&#x|\\\\u\\{)(?<hex>[0-9a-f]{1,6})[;}]?',
    '\\\\u(?<unit>[0-9a-f]{4})',
    '\\\\x(?<byte>[0-9a-f]{2})',
    '&amp;',
  ].join('|'),
  'gi',
);
const PERCENTS = /%(?:25)*(?=[0-9a-f]{2})/gi;

function unescaped(...match: unknown[]): string {
  const { bytes, decimal, ...codes } = match.at(-1) as Record<string, string | undefined>;
  if (bytes !== undefined) return Buffer.from(bytes.replaceAll(PERCENTS, ''), 'hex').toString();
  const hex = codes.hex ?? codes.unit ?? codes.byte;
  if (decimal === undefined && hex === undefined) return '&';
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const WORD = new RegExp(WORDS.join('|'), 'gi');

function isReadable(text: string, number: string): boolean {
  const withWords = text.replaceAll(WORD, (word) => String(WORDS.indexOf(word.toLowerCase())));
  if (isSpelled(withWords, number)) return true;
  if (withWords !== text && isSpelled(text, number)) return true;
  const backwards = [...number].reverse().join('');
  return text.replaceAll(/[^0-9]+/g, '').includes(backwards);
}

const ZERO = '0'.charCodeAt(0);

const CODES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) =>
  [16, 10, 8].map((base) => Number((ZERO + digit).toString(base))),
);

/**
 * Each digit can be itself or its ASCII code, with padding zeros and codes like %20 and =20
 * between. Follows all readings at once: bit n means that n digits can have been read up to this
 * place.
 */
function isSpelled(text: string, number: string): boolean {
  if (!hasDigits(text, number.length)) return false;
  const single = new Array<number>(10).fill(0);
  const coded = new Array<number>(100).fill(0);
  for (let at = 0; at < number.length; at += 1) {
    const digit = digitAt(number, at);
    single[digit] = (single[digit] ?? 0) | (1 << at);
    for (const code of CODES[digit] ?? []) coded[code] = (coded[code] ?? 0) | (1 << at);
  }
  const whole = 1 << number.length;
  let [here, after1, after2, after3] = [1, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const digit = digitAt(text, at);
    if (digit < 0) {
      after1 |= here;
      if (isPercentCode(text, at)) after3 |= here;
    } else {
      const following = digitAt(text, at + 1);
      after1 |= (here & (single[digit] ?? 0)) << 1;
      if (digit === 0) after1 |= here;
      if (following >= 0) after2 |= (here & (coded[digit * 10 + following] ?? 0)) << 1;
    }
    if ((after1 & whole) !== 0) return true;
    [here, after1, after2, after3] = [after1 | 1, after2, after3, 0];
  }
  return false;
}

function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

function isPercentCode(text: string, at: number): boolean {
  const mark = text[at];
  return (mark === '%' || mark === '=') && /^[0-9a-f]{2}/i.test(text.slice(at + 1, at + 3));
}

export function hasDigits(text: string, count: number): boolean {
  let missing = count;
  for (let at = 0; missing > 0 && at < text.length; at += 1) {
    if (digitAt(text, at) >= 0) missing -= 1;
  }
  return missing === 0;
}

/** Base64 with line breaks is one run; twelve digits take sixteen characters. */
const LINE_BREAK = /[\r\n]\s*/g;
const BASE64_RUN = /[\w+/-]{16,}/g;
const HEX_RUN = /[0-9a-f]{24,}/gi;

/**
 * A run can begin in the middle of a word, so it is decoded from each of its first characters on.
 * UTF-16 without NUL reads like UTF-8.
 */
function decodings(text: string): string[] {
  const lines = text.replaceAll(LINE_BREAK, '');
  const decode = (run: RegExp, encoding: 'base64' | 'hex', starts: readonly number[]) => {
    const runs = lines.match(run) ?? [];
    if (runs.length === 0) return [];
    return starts.map((start) =>
      runs.map((each) => readable(Buffer.from(each.slice(start), encoding))).join('\n'),
    );
  };
  return [...decode(BASE64_RUN, 'base64', [0, 1, 2, 3]), ...decode(HEX_RUN, 'hex', [0, 1])];
}

function readable(bytes: Buffer): string {
  return bytes.toString().replaceAll(/[\0\ufffd]+/g, '');
}
