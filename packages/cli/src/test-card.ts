import { type TestCard, testCards } from '@servery/server/payments/cards/test-cards.ts';
import { invalidUsage } from './exit-codes.ts';
import { didYouMean } from './verbs/did-you-mean.ts';

const SHOWN_AT_MOST = 5;

/**
 * The test card of this number, or of this description: the first one of several that have the same
 * words. Other numbers are refused, so that nobody's card stands on a command line. Throws
 * CommandFailure, with the cards that may have been meant.
 */
export function findTestCard(text: string): TestCard {
  const wanted = text.trim().toLowerCase();
  const digits = wanted.replaceAll(/[ -]/g, '');
  const exact = testCards.find(
    ({ number, description }) => number === digits || description.toLowerCase() === wanted,
  );
  if (exact) return exact;
  const near = testCards.filter(
    ({ description }) => wanted !== '' && description.toLowerCase().includes(wanted),
  );
  const [only] = near;
  if (only && near.length === 1) return only;
  // What was typed may be somebody's card, so it is not repeated.
  const what = near.length > 1 ? 'is said of several test cards' : 'is no test card';
  const meant = near.slice(0, SHOWN_AT_MOST).map((card) => `${card.number} (${card.description})`);
  const more = near.length > meant.length ? ` and ${near.length - meant.length} more` : '';
  const descriptions = testCards.map(({ description }) => description);
  const hint =
    meant.length > 0 ? `: ${meant.join('; ')}${more}.` : didYouMean(text, descriptions) || '.';
  throw invalidUsage(`what --card says ${what}${hint} "servery cards" lists them all.`);
}
