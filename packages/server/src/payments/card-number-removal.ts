import cardValidator from 'card-validator';
import { passesLuhn } from './card-data.ts';

const REMOVED = '[card number removed]';

/** Digits with single marks between them that people write into card numbers. */
const DIGIT_GROUPS = /[0-9]+(?:[ .-]{1,2}[0-9]+)*/g;

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
 * date or a security code goes with it.
 */
export function removeCardNumbers(text: string, cardNumber: string | null = null): string {
  const own = cardNumber && new RegExp([...cardNumber].join('[ .-]*'), 'g');
  const withoutOwn = own ? text.replaceAll(own, REMOVED) : text;
  const removed = withoutOwn.replaceAll(DIGIT_GROUPS, removeFrom);
  return removed === text ? text : removed.replaceAll(BEHIND, '');
}

/** Takes the card numbers out of groups of digits; one begins and ends where a group does. */
function removeFrom(groups: string): string {
  const parts = groups.split(/([ .-]+)/);
  for (let from = 0; from < parts.length; from += 2) {
    let digits = '';
    for (let to = from; to < parts.length && digits.length < LONGEST; to += 2) {
      digits += parts[to];
      if (isCardNumber(digits)) {
        parts.splice(from, to - from + 1, REMOVED);
        break;
      }
    }
  }
  return parts.join('');
}

function isCardNumber(digits: string): boolean {
  if (digits.length < SHORTEST || digits.length > LONGEST || !passesLuhn(digits)) return false;
  // It finds the brand by the leading digits, and knows how many digits the brand gives.
  return cardValidator.number(digits).isValid;
}
