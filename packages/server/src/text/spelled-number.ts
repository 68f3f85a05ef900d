/**
 * Whether the digits of `number` stand in a text one after the other, in whatever spelling (PAY-14).
 * Everything but digits may stand between them, and other digits around them. The text is read as
 * it is and decoded: digits of every script, digits in English words, character codes, percent
 * encoding, the escapes of HTML and JSON, base64 and hexadecimal, also one inside the other.
 *
 * Letters between the digits do not matter, because sixteen known digits in a row are no accident:
 * fewer than one in a billion random texts of 1,000 digits has them. The time taken is linear.
 */
export function holdsNumber(text: string, number: string): boolean {
  return holdsBelow(text, number, MOST_ENCODINGS);
}

/** So many encodings, for example base64 of base64, are taken off one after the other. */
const MOST_ENCODINGS = 2;
/** So often escapes are taken off that give other escapes. */
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
/** Marks on letters, and two ligatures that normalization would make very long. */
const MARKS = /[\p{M}\ufdfa\ufdfb]+/gu;
/** Digits that normalization leaves as they are. */
const SYMBOLS = '⓿❶-❾➀-➈➊-➒⓵-⓽🄋🄌〇零一二三四五六七八九\u{e0030}-\u{e0039}';
const OTHER_DIGIT = new RegExp(`(?![0-9])[\\p{Nd}${SYMBOLS}]`, 'gu');
const IDEOGRAPHS = '〇一二三四五六七八九';

/** The text with digits of other scripts and forms as ASCII digits. */
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
  // The digits of a script stand in a row of ten.
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero -= 1;
  return String(code - zero);
}

const ZEROS = '⓿🄋🄌零';
const ONES = ['❶', '➀', '➊', '⓵'].map((symbol) => symbol.codePointAt(0) ?? 0);
const TAG_ZERO = 0xe0030;

/** Percent encoding, of percent signs too, and escapes of HTML and of programs. */
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

/** English. */
const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const WORD = new RegExp(WORDS.join('|'), 'gi');

/** Whether the number can be read in a text, its ASCII digits one by one. */
function isReadable(text: string, number: string): boolean {
  const withWords = text.replaceAll(WORD, (word) => String(WORDS.indexOf(word.toLowerCase())));
  if (isSpelled(withWords, number)) return true;
  if (withWords !== text && isSpelled(text, number)) return true;
  const backwards = [...number].reverse().join('');
  return text.replaceAll(/[^0-9]+/g, '').includes(backwards);
}

const ZERO = '0'.charCodeAt(0);

/** The ASCII codes of each digit, in hexadecimal, decimal and octal: two digits each. */
const CODES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) =>
  [16, 10, 8].map((base) => Number((ZERO + digit).toString(base))),
);

/**
 * Whether digits of a text spell the number, each as itself or as its ASCII code. Between them may
 * be anything but digits, zeros that fill a code up, and codes like %20 and =20. All readings are
 * followed at once: of what can have been read before a place in the text, bit n stands for n
 * digits.
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

/** The ASCII digit at a place of a text; -1 for anything else. */
function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

function isPercentCode(text: string, at: number): boolean {
  const mark = text[at];
  return (mark === '%' || mark === '=') && /^[0-9a-f]{2}/i.test(text.slice(at + 1, at + 3));
}

/** Whether a text has that many ASCII digits. */
export function hasDigits(text: string, count: number): boolean {
  let missing = count;
  for (let at = 0; missing > 0 && at < text.length; at += 1) {
    if (digitAt(text, at) >= 0) missing -= 1;
  }
  return missing === 0;
}

/** A base64 of twelve digits has sixteen characters; what is broken into lines is one run. */
const LINE_BREAK = /[\r\n]\s*/g;
const BASE64_RUN = /[\w+/-]{16,}/g;
const HEX_RUN = /[0-9a-f]{24,}/gi;

/**
 * What base64 and hexadecimal of a text stand for. A run may have begun anywhere, in the middle of
 * a word too, so that it is decoded from each of its first characters on. Without NUL, UTF-16 reads
 * like UTF-8; what is no text is left out.
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
