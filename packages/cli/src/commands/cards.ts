import { type TestCard, testCards } from '@servery/server';
import { type AnyCommand, command } from '../command.ts';
import { invalidUsage } from '../exit-codes.ts';
import { didYouMean } from '../find/did-you-mean.ts';
import { type Columns, rows } from '../shown.ts';
import { text } from '../values.ts';

/** The `paymentState` of the first PUT, or the status of an error. */
const firstAnswer = ({ paymentState, status }: TestCard) => paymentState ?? String(status);

const columns: Columns<TestCard> = {
  number: 'number',
  brand: 'brand',
  answer: firstAnswer,
  code: 'isoCode',
  'what happens': 'description',
  later: ({ paymentState, settles, whenVoided, whenCaptured }) =>
    [
      settles === paymentState ? [] : `settles as ${settles}`,
      whenVoided === 'REVIEW' ? 'void: REVIEW' : [],
      whenCaptured === 'REVIEW' ? 'capture: REVIEW' : [],
    ]
      .flat()
      .join('; '),
  'the guest sees': 'guestText',
};

const SHOWN_AT_MOST = 5;

export const cards: AnyCommand = command({
  name: 'cards',
  summary: 'List the test cards and what each of them does',
  examples: ['servery cards --outcome declined --brand VISA'],
  on: 'nothing',
  options: {
    brand: text('<brand>', 'only cards of this brand'),
    outcome: text('<outcome>', 'only cards with this outcome, for example DENIED'),
  },
  run: async ({ options }) => {
    const brand = chosen('brand', options.brand, (card) => [card.brand]);
    const outcome = chosen('outcome', options.outcome, (card) => [card.outcome, firstAnswer(card)]);
    const found = testCards.filter((card) => brand(card) && outcome(card));
    return rows(columns, found, 'No test card matches.');
  },
});

/**
 * The test card of this number or description. Other numbers are refused, so that nobody's card is
 * on a command line. Throws CommandFailure, with the cards that may have been meant.
 */
export function findTestCard(written: string): TestCard {
  const wanted = written.trim().toLowerCase();
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
  // It may be somebody's card, so it is not repeated.
  const what = near.length > 1 ? 'describes several test cards' : 'is not a test card';
  const meant = near.slice(0, SHOWN_AT_MOST).map((card) => `${card.number} (${card.description})`);
  const more = near.length > meant.length ? ` and ${near.length - meant.length} more` : '';
  const descriptions = testCards.map(({ description }) => description);
  const hint =
    meant.length > 0 ? `: ${meant.join('; ')}${more}.` : didYouMean(written, descriptions) || '.';
  throw invalidUsage(`the value of --card ${what}${hint} "servery cards" lists them all.`);
}

function chosen(
  flag: string,
  wanted: string | undefined,
  valuesOf: (card: TestCard) => readonly string[],
): (card: TestCard) => boolean {
  if (wanted === undefined) return () => true;
  const isWanted = (value: string) => value.toLowerCase() === wanted.toLowerCase();
  const known = [...new Set(testCards.flatMap(valuesOf))];
  if (known.some(isWanted)) return (card) => valuesOf(card).some(isWanted);
  throw invalidUsage(`--${flag} must be one of ${known.join(', ')}.`);
}
