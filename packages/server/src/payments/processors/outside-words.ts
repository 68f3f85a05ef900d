import type {
  Approved,
  OutcomeUnknown,
  ProcessorAnswer,
  WireCard,
} from '@servery/card-simulator/messages.ts';
import { passesLuhn } from '../cards/card-data.ts';

/** Used only to recognize the card in an answer; never stored. */
type QuotedCard = Pick<WireCard, 'number' | 'securityCode'>;

interface AnsweredCall {
  readonly key: string;
  readonly authorizationKey?: string;
  readonly card?: QuotedCard;
}

const EXPLANATION_LIMIT = 200;
const SHORTEST_NUMBER = 12;
const LONGEST_NUMBER = 19;
/** More digits than may be shown at either end of a number. */
const PIECE_LENGTH = 8;
/** Shorter codes match other text too often. */
const LONG_CODE = 5;

/** Replaces an answer that repeats or contains a card number. */
const repeatsNumber: OutcomeUnknown = {
  outcome: 'unknown',
  explanation: 'the answer repeats a card number',
};

const repeatsCode: OutcomeUnknown = {
  outcome: 'unknown',
  explanation: 'the answer repeats the security code',
};

const fixedTexts = {
  notProcessed: 'the processor did not process the call; its words are not kept',
  notFound: 'the processor does not know the call or the hold; its words are not kept',
  unknown: 'the processor does not know the outcome; its words are not kept',
} as const;

/**
 * Removes card data from a processor's answer (PAY-I7). An answer that surely repeats the card
 * becomes an unknown outcome. An explanation stays only when it is plain words and the call's keys;
 * a reference stays only when it was compared with the card. A null reference is safe: the call's
 * key finds the hold too.
 */
export function withoutCardData(answer: ProcessorAnswer, call: AnsweredCall): ProcessorAnswer {
  const card = call.card ?? null;
  if (card !== null && digitsOf(JSON.stringify(answer)).includes(card.number)) return repeatsNumber;
  switch (answer.outcome) {
    case 'approved':
      return approvalWithoutCardData(answer, card);
    case 'declined':
      return { outcome: answer.outcome, responseCode: answer.responseCode };
    case 'notProcessed':
    case 'notFound':
    case 'unknown': {
      const { outcome, explanation } = answer;
      const words = withoutKeys(explanation, call);
      const isKept = isPlainWords(words) && !(card && quotesCode(words, card));
      const text = isKept ? explanation.slice(0, EXPLANATION_LIMIT) : fixedTexts[outcome];
      return { outcome, explanation: text };
    }
  }
}

function withoutKeys(text: string, { key, authorizationKey = key }: AnsweredCall): string {
  return text.replaceAll(key, ' ').replaceAll(authorizationKey, ' ');
}

function approvalWithoutCardData(answer: Approved, card: QuotedCard | null): ProcessorAnswer {
  const { outcome, authorizationCode, amountMinor, currencyCode } = answer;
  const reference = answer.reference ?? '';
  if (isLongNumber(reference)) return repeatsNumber;
  const approval = { outcome, authorizationCode, amountMinor, currencyCode };
  // Without the card, a security code can't be told from part of a reference.
  if (card === null) return { ...approval, reference: null };
  const both = [`${authorizationCode}${reference}`, `${reference}${authorizationCode}`];
  if (both.some((text) => digitsOf(text).includes(card.number))) return repeatsNumber;
  if (hasPieceOf(authorizationCode, card)) return repeatsNumber;
  if (isCode(authorizationCode, card)) return repeatsCode;
  const mayQuote =
    hasPieceOf(reference, card) || quotesCode(reference, card) || hasSomeNumber(reference);
  return { ...approval, reference: mayQuote ? null : reference };
}

/** Judges the form only, so chance plays no part. */
function isLongNumber(text: string): boolean {
  return !/[A-Za-z]/.test(text) && digitsOf(text).length >= SHORTEST_NUMBER;
}

function hasPieceOf(text: string, { number }: QuotedCard): boolean {
  const digits = digitsOf(text);
  for (let from = 0; from + PIECE_LENGTH <= number.length; from += 1) {
    if (digits.includes(number.slice(from, from + PIECE_LENGTH))) return true;
  }
  return false;
}

function hasSomeNumber(text: string): boolean {
  const rows = text.replaceAll(/[._:-]/g, '').match(/[0-9]{12,}/g) ?? [];
  return rows.some((row) => {
    for (let from = 0; from + SHORTEST_NUMBER <= row.length; from += 1) {
      const end = Math.min(row.length, from + LONGEST_NUMBER);
      for (let to = from + SHORTEST_NUMBER; to <= end; to += 1) {
        if (passesLuhn(row.slice(from, to))) return true;
      }
    }
    return false;
  });
}

function quotesCode(text: string, { securityCode }: QuotedCard): boolean {
  const code = charactersOf(securityCode ?? '');
  return code !== '' && charactersOf(text).includes(code);
}

/** Six digits often contain three given ones by chance, so only an exact match counts. */
function isCode(text: string, card: QuotedCard): boolean {
  const code = charactersOf(card.securityCode ?? '');
  if (code.length >= LONG_CODE) return quotesCode(text, card);
  return code !== '' && withoutZeros(digitsOf(text)) === withoutZeros(code);
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+/, '');
}

function digitsOf(text: string): string {
  return text.normalize('NFKC').replaceAll(/[^0-9]/g, '');
}

function charactersOf(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** Lower case with an optional capital, or a few capitals: no encoding looks like this. */
const PLAIN_WORD = /^(?:\p{Lu}?\p{Ll}{0,19}|\p{Lu}{2,6})$/u;
const BETWEEN_WORDS = /[ .,;:!?'’"()/_–-]+/;
const NUMBER_WORD = /^(?:oh|zero|one|two|three|four|five|six|seven|eight|nine)$/i;
/** As many as a security code has digits. */
const TOO_MANY_NUMBER_WORDS = 3;

/** No digits of any script and no encoding of digits. */
function isPlainWords(text: string): boolean {
  const words = text.split(BETWEEN_WORDS);
  const numberWords = words.filter((word) => NUMBER_WORD.test(word));
  return words.every((word) => PLAIN_WORD.test(word)) && numberWords.length < TOO_MANY_NUMBER_WORDS;
}
