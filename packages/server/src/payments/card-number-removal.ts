import { cardTypeOf } from './card-types.ts';

const REMOVED = '[card number removed]';

/** Digits with single marks between them that people write into card numbers. */
const DIGIT_GROUPS = /[0-9]+(?:[ .-]{1,2}[0-9]+)*/g;

/**
 * Its digits may look like anything: of 4,000 GUIDs one has what would be a card number. Without a
 * letter it is none that anybody draws, but perhaps a card number in its clothes.
 */
const GUID =
  /(?<![0-9a-z])(?=[0-9-]{0,35}[a-f])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-z])/i;

/** Shorter ones are more likely a telephone number. */
const SHORTEST = 13;
const LONGEST = 19;

/** An expiry date, a security code, or one after the other, behind a card number. */
const BEHIND = new RegExp(
  `(?<=${REMOVED.replace(/[[\]]/g, '\\$&')})` +
    '(?:[^0-9]{1,12}(?:0[1-9]|1[0-2]) ?[/-] ?(?:20)?[0-9]{2}(?![0-9]))?' +
    '(?:[^0-9]{1,12}[0-9]{3,4}(?![0-9]))?',
  'g',
);

/**
 * Takes card numbers out of a text that is to be stored (I7): `cardNumber`, the one that is paid
 * with (if any), wherever its digits stand, and whatever else stands by itself and is a card number
 * by its length, its leading digits and the Luhn check. What follows one and looks like an expiry
 * date or a security code goes with it. A GUID with a letter stays.
 */
export function removeCardNumbers(text: string, cardNumber: string | null = null): string {
  // Nearly every text has too few digits for any of them.
  if (!hasDigits(text, Math.min(SHORTEST, cardNumber?.length ?? SHORTEST))) return text;
  const own = cardNumber && new RegExp([...cardNumber].join('[ .-]*'), 'g');
  const withoutOwn = own ? text.replaceAll(own, REMOVED) : text;
  const removed = withoutOwn.replaceAll(DIGIT_GROUPS, removeFrom);
  if (removed === text) return text;
  const kept = GUID.test(withoutOwn) ? removeBesideGuids(withoutOwn) : removed;
  return kept === text ? text : kept.replaceAll(BEHIND, '');
}

function removeBesideGuids(text: string): string {
  // Behind every piece of the text stands the GUID that follows it.
  return text
    .split(GUID)
    .map((piece, at) => (at % 2 === 0 ? piece.replaceAll(DIGIT_GROUPS, removeFrom) : piece))
    .join('');
}

function hasDigits(text: string, count: number): boolean {
  let missing = count;
  for (let at = 0; missing > 0 && at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) missing -= 1;
  }
  return missing === 0;
}

const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);

/** Takes the card numbers out of groups of digits; one begins and ends where a group does. */
function removeFrom(groups: string): string {
  // Groups, with the marks between them at the odd places.
  const parts = groups.split(/([ .-]+)/);
  const kept: string[] = [];
  for (let from = 0; from < parts.length; ) {
    const to = endOfCardNumber(parts, from);
    kept.push(to === null ? (parts[from] ?? '') : REMOVED, parts[(to ?? from) + 1] ?? '');
    from = (to ?? from) + 2;
  }
  return kept.join('');
}

/**
 * Where the card number ends that begins with the group at `from`; null when none does. Its sums
 * grow with the digits, so that a megabyte of single digits is looked through in a moment.
 */
function endOfCardNumber(parts: readonly string[], from: number): number | null {
  let digits = '';
  // By the Luhn check every second digit from the right is doubled: which, the length tells.
  let [evenDoubled, oddDoubled] = [0, 0];
  for (let to = from; to < parts.length && digits.length < LONGEST; to += 2) {
    const group = parts[to] ?? '';
    if (digits.length + group.length > LONGEST) return null;
    for (const text of group) {
      const [plain, doubled] = [Number(text), DOUBLED[Number(text)] ?? 0];
      const isEven = digits.length % 2 === 0;
      evenDoubled += isEven ? doubled : plain;
      oddDoubled += isEven ? plain : doubled;
      digits += text;
    }
    if (digits.length < SHORTEST) continue;
    const sum = digits.length % 2 === 0 ? evenDoubled : oddDoubled;
    // The brand must give numbers of this length.
    if (sum % 10 === 0 && cardTypeOf(digits)?.lengths.includes(digits.length)) return to;
  }
  return null;
}

/** What doubling makes of each digit, the digits of ten and more added up. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
