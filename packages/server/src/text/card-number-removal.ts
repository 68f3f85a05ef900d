import { cardTypeOf } from '@servery/support/card-types.ts';
import { hasDigits, holdsNumber, withPlainDigits } from './spelled-number.ts';

export const REMOVED = '[card number removed]';

/** Separators that people write in card numbers, and their percent encoding. */
const MARK = '[\\s.+\\p{Pd}\\u00b7\\u200b-\\u200d\\u2060]|%(?:20|09|0[ad]|2[bde]|c2%a0)';
const DIGIT_GROUPS = new RegExp(`[0-9]+(?:(?:${MARK}){1,2}[0-9]+)*`, 'giu');
const MARKS = new RegExp(`((?:${MARK})+)`, 'iu');

/**
 * Digits as a number that is paid with may be spread. The number is then looked for among them: to
 * compile a pattern of its own for each number takes ten milliseconds and more.
 */
const SPREAD_DIGITS = /[0-9](?:[^\p{L}\p{N}]{0,3}[0-9])*/gu;

/**
 * Four groups of digits, or three (American Express), with any mark as long as it repeats. Groups
 * of other lengths don't count: a list of numbers is no card number.
 */
const SAME_MARK = /(?<same>%[0-9a-f]{2}|&[a-z]{2,6};|[^\p{L}\p{N}]{1,3})/u.source;
const LAYOUT = new RegExp(
  `(?<![0-9])[0-9]{4}${SAME_MARK}` +
    '(?:[0-9]{4}\\k<same>[0-9]{4}\\k<same>[0-9]{1,7}|[0-9]{6}\\k<same>[0-9]{4,5})(?![0-9])',
  'giu',
);

/**
 * One GUID in 4,000 contains a valid card number by chance. A GUID without letters is very rare,
 * and may be a card number in disguise.
 */
const GUID =
  /(?<![0-9a-z])(?=[0-9-]{0,35}[a-f])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/i;

/** Shorter ones are more likely phone numbers. */
const SHORTEST = 13;
const LONGEST = 19;

/** An expiry date, a security code, or both, after a card number. */
const BEHIND = new RegExp(
  `(?<=${REMOVED.replace(/[[\]]/g, '\\$&')})` +
    '(?:[^0-9]{1,12}(?:0[1-9]|1[0-2]) ?[/-] ?(?:20)?[0-9]{2}(?![0-9]))?' +
    '(?:[^0-9]{1,12}[0-9]{3,4}(?![0-9]))?',
  'g',
);

/**
 * PAY-I7. Removes `cardNumber`, the one that is paid with, in any spelling (PAY-14), or the whole
 * text when it can't be cut out. Removes other numbers only if they stand alone and have a card's
 * length, leading digits and Luhn digit, with an expiry date or security code that follows. Keeps
 * GUIDs with a letter.
 */
export function removeCardNumbers(text: string, cardNumber: string | null = null): string {
  if (cardNumber === null || !holdsNumber(text, cardNumber)) return removeOthers(text);
  const cut = text.replaceAll(SPREAD_DIGITS, (digits) => cutNumber(digits, cardNumber));
  return holdsNumber(cut, cardNumber) ? REMOVED : withoutTail(removeOthers(cut));
}

function cutNumber(written: string, number: string): string {
  const digits = written.replaceAll(/[^0-9]/g, '');
  let at = digits.indexOf(number);
  if (at === -1) return written;
  const places = Array.from(written.matchAll(/[0-9]/g), ({ index }) => index);
  let kept = '';
  let from = 0;
  for (; at !== -1; at = digits.indexOf(number, at + number.length)) {
    kept += written.slice(from, places[at]) + REMOVED;
    from = (places[at + number.length - 1] ?? 0) + 1;
  }
  return kept + written.slice(from);
}

function withoutTail(text: string): string {
  return text.replaceAll(BEHIND, '');
}

function removeOthers(text: string): string {
  const found = removeIn(text);
  if (found !== text) return found;
  const plain = withPlainDigits(text);
  const foundPlain = plain === text ? plain : removeIn(plain);
  return foundPlain === plain ? text : foundPlain;
}

function removeIn(text: string): string {
  // Most texts have too few digits.
  if (!hasDigits(text, SHORTEST)) return text;
  const removed = removeFrom(text);
  if (removed === text) return text;
  // Each piece is followed by its GUID.
  const pieces = text.split(GUID);
  const kept =
    pieces.length === 1
      ? removed
      : pieces.map((piece, at) => (at % 2 === 0 ? removeFrom(piece) : piece)).join('');
  return kept === text ? text : withoutTail(kept);
}

function removeFrom(text: string): string {
  return text.replaceAll(DIGIT_GROUPS, removeFromGroups).replaceAll(LAYOUT, removeLayout);
}

function removeLayout(...match: unknown[]): string {
  const [written] = match as [string];
  const { same = '' } = match.at(-1) as Record<string, string>;
  const digits = written.replaceAll(same, '');
  return removeFromGroups(digits) === REMOVED ? REMOVED : written;
}

function removeFromGroups(written: string): string {
  if (!hasDigits(written, SHORTEST)) return written;
  const parts = written.split(MARKS);
  const numbers = new GroupedNumbers(parts.filter((_, at) => at % 2 === 0));
  const kept: string[] = [];
  for (let group = 0; group * 2 < parts.length; ) {
    const last = numbers.endOf(group);
    kept.push(last === null ? (parts[group * 2] ?? '') : REMOVED);
    group = (last ?? group) + 1;
    kept.push(parts[group * 2 - 1] ?? '');
  }
  return kept.join('');
}

class GroupedNumbers {
  readonly #digits: string;
  readonly #before: Int32Array;
  /** By number of digits; 0 where no group ends. */
  readonly #ended: Int32Array;
  /**
   * Prefix sums with every second digit doubled (Luhn): digits at even places in the first, at odd
   * places in the second.
   */
  readonly #sums: readonly [Int32Array, Int32Array];

  constructor(groups: readonly string[]) {
    this.#digits = groups.join('');
    const { length } = this.#digits;
    this.#before = new Int32Array(groups.length);
    this.#ended = new Int32Array(length + LONGEST + 1);
    let count = 0;
    for (const [at, group] of groups.entries()) {
      this.#before[at] = count;
      count += group.length;
      this.#ended[count] = at + 1;
    }
    const [even, odd] = [new Int32Array(length + 1), new Int32Array(length + 1)];
    for (let at = 0; at < length; at += 1) {
      const digit = Number(this.#digits[at]);
      const doubled = DOUBLED[digit] ?? 0;
      even[at + 1] = (even[at] ?? 0) + (at % 2 === 0 ? doubled : digit);
      odd[at + 1] = (odd[at] ?? 0) + (at % 2 === 0 ? digit : doubled);
    }
    this.#sums = [even, odd];
  }

  endOf(group: number): number | null {
    const from = this.#before[group] ?? 0;
    for (let length = SHORTEST; length <= LONGEST; length += 1) {
      const to = from + length;
      const ended = this.#ended[to] ?? 0;
      if (ended === 0) continue;
      // Doubles the digit before the last one, whose place has the parity of `to`.
      const sums = this.#sums[to % 2 === 0 ? 0 : 1];
      if (((sums[to] ?? 0) - (sums[from] ?? 0)) % 10 !== 0) continue;
      // The brand must use this length.
      if (cardTypeOf(this.#digits.slice(from, to))?.lengths.includes(length)) return ended - 1;
    }
    return null;
  }
}

/** With the digits of numbers above 9 added up. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
