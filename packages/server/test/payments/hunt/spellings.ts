/** A way to write a card number. */
export interface Spelling {
  readonly name: string;
  readonly write: (number: string) => string;
}

const each = (write: (digit: number) => string) => (number: string) =>
  [...number].map((digit) => write(Number(digit)));
const from = (zero: number) => each((digit) => String.fromCodePoint(zero + digit));
const of = (symbols: string) => each((digit) => [...symbols][digit] ?? '');
const code = (digit: number) => 0x30 + digit;
const hex = (digit: number) => code(digit).toString(16);
const fullWidth = (digit: number) => String.fromCodePoint(0xff10 + digit);
const english = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** How the digits are written, one by one. */
const digits: Record<string, (number: string) => string[]> = {
  plain: from(0x30),
  'full-width': from(0xff10),
  'Arabic-Indic': from(0x660),
  'Eastern Arabic': from(0x6f0),
  Devanagari: from(0x966),
  Thai: from(0xe50),
  Adlam: from(0x1e950),
  'bold mathematical': from(0x1d7ce),
  monospace: from(0x1d7f6),
  segmented: from(0x1fbf0),
  tags: from(0xe0030),
  circled: of('⓪①②③④⑤⑥⑦⑧⑨'),
  'black circled': of('⓿❶❷❸❹❺❻❼❽❾'),
  superscript: of('⁰¹²³⁴⁵⁶⁷⁸⁹'),
  subscript: of('₀₁₂₃₄₅₆₇₈₉'),
  ideographic: of('〇一二三四五六七八九'),
  keycap: each((digit) => `${digit}\ufe0f\u20e3`),
  'in words': each((digit) => `${english[digit]} `),
  'percent-encoded': each((digit) => `%${hex(digit)}`),
  'percent-encoded twice': each((digit) => `%25${hex(digit)}`),
  'percent-encoded three times': each((digit) => `%2525${hex(digit)}`),
  'percent-encoded full-width': each((digit) => encodeURIComponent(fullWidth(digit))),
  'quoted-printable': each((digit) => `=${hex(digit)}`),
  'decimal entities': each((digit) => `&#${code(digit)};`),
  'padded entities': each((digit) => `&#00${code(digit)};`),
  'hexadecimal entities': each((digit) => `&#x${hex(digit)};`),
  'entities twice': each((digit) => `&amp;#${code(digit)};`),
  'entities of full-width': each((digit) => `&#${0xff10 + digit};`),
  'JSON escapes': each((digit) => `\\u00${hex(digit)}`),
  'JSON escapes of full-width': each((digit) => `\\uff1${digit}`),
  'code point escapes': each((digit) => `\\u{${hex(digit)}}`),
  'hexadecimal escapes': each((digit) => `\\x${hex(digit)}`),
  'octal escapes': each((digit) => `\\0${code(digit).toString(8)}`),
  'hexadecimal codes': each((digit) => `0x${hex(digit)},`),
  'decimal codes': each((digit) => `${code(digit)} `),
  'code points': each((digit) => `U+00${hex(digit)} `),
};

/** What stands between them, in groups of so many digits. */
const marks: Record<string, readonly [mark: string, group: number]> = {
  nothing: ['', 4],
  blanks: [' ', 4],
  hyphens: ['-', 4],
  tabs: ['\t', 4],
  'no-break spaces': ['\u00a0', 4],
  'narrow spaces': ['\u202f', 4],
  'zero-width spaces': ['\u200b', 1],
  'soft hyphens': ['\u00ad', 2],
  'word joiners': ['\u2060', 1],
  commas: [',', 3],
  slashes: ['/', 4],
  backslashes: ['\\', 4],
  underscores: ['_', 4],
  dots: ['.', 1],
  colons: [':', 2],
  stars: [' * ', 4],
  'plus signs': ['+', 4],
  'line breaks': ['\r\n', 6],
  dashes: [' — ', 4],
  letters: ['x', 1],
  'a word': [' and ', 4],
  'a long gap': [' '.repeat(40), 8],
  'encoded blanks': ['%20', 4],
  'encoded tabs': ['%09', 4],
  'encoded no-break spaces': ['%C2%A0', 4],
  'blanks encoded twice': ['%2520', 4],
  'entities of blanks': ['&nbsp;', 4],
  'JSON syntax': ['","', 4],
  tags: ['<b></b>', 4],
  'percent signs': ['%', 16],
  emoji: ['💳', 4],
  'combining marks': ['\u0301', 1],
};

/** In UTF-16 only where it has a byte of nothing for each character. */
const wide = (text: string) => Buffer.from(text, /[^\0-\x7f]/.test(text) ? 'utf8' : 'utf16le');
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** What is done with all of it. */
const wraps: Record<string, (text: string) => string> = {
  nothing: (text) => text,
  'zeros before': (text) => `0000${text}`,
  'zeros behind': (text) => `${text}0000`,
  'digits around': (text) => `98${text}76`,
  'a word around': (text) => `ref${text}end`,
  base64,
  'base64 from the second byte on': (text) => base64(`a${text}`),
  'base64 from the third byte on': (text) => base64(`ab${text}`),
  'base64 of a sentence': (text) => base64(`The card is ${text}, thank you.`),
  'base64 behind a word': (text) => `id${base64(text)}`,
  'base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
  'base64 in lines': (text) => base64(text).replaceAll(/(.{10})/g, '$1\r\n'),
  'base64 of base64': (text) => base64(base64(text)),
  'base64 of UTF-16': (text) => wide(text).toString('base64'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'capital hexadecimal': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'hexadecimal of base64': (text) => Buffer.from(base64(text)).toString('hex'),
  'percent encoding': (text) => encodeURIComponent(text),
  'percent encoding of base64': (text) => encodeURIComponent(base64(text)),
  'a JSON document': (text) => JSON.stringify({ card: text }),
  'an address': (text) => `https://example.com/?card=${text}&x=1`,
};

function spelling(digit: string, mark: string, wrap: string): Spelling {
  return {
    name: `${digit} digits, ${mark} between them, ${wrap} around`,
    write: (number) => {
      const [between, group] = marks[mark] ?? ['', 4];
      const written = digits[digit]?.(number) ?? [];
      const groups = Array.from({ length: Math.ceil(written.length / group) }, (_, at) =>
        written.slice(at * group, (at + 1) * group).join(''),
      );
      return wraps[wrap]?.(groups.join(between)) ?? '';
    },
  };
}

const names = {
  digits: Object.keys(digits),
  marks: Object.keys(marks),
  wraps: Object.keys(wraps),
};

/** A spelling that is put together by three numbers. */
export function spellingOf(digit: number, mark: number, wrap: number): Spelling {
  const pick = (list: readonly string[], at: number) => list[at % list.length] ?? '';
  return spelling(pick(names.digits, digit), pick(names.marks, mark), pick(names.wraps, wrap));
}

/** Backwards is the only spelling that is not put together. */
const backwards: Spelling = {
  name: 'backwards',
  write: (number) => [...number].reverse().join(''),
};

/** So many spellings: first each way by itself, then ways together. */
export function spellings(count: number): Spelling[] {
  const alone = [
    backwards,
    ...names.digits.map((digit) => spelling(digit, 'nothing', 'nothing')),
    ...names.marks.slice(1).map((mark) => spelling('plain', mark, 'nothing')),
    ...names.wraps.slice(1).map((wrap) => spelling('plain', 'nothing', wrap)),
  ];
  const missing = Math.max(count - alone.length, 0);
  // Steps that share no factor with the lists, so that each way meets many others.
  const together = Array.from({ length: missing }, (_, at) =>
    spellingOf(1 + at * 5, 1 + at * 7, 1 + at * 11),
  );
  return [...alone, ...together].slice(0, count);
}
