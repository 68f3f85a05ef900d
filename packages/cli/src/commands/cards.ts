import { type TestCard, testCards } from '@servery/server/payments/cards/test-cards.ts';
import { invalidUsage } from '../exit-codes.ts';
import { type RemoteDeps, showJson, showTable } from '../session.ts';
import type { Column } from '../table.ts';

/** The options of `servery cards`. */
export interface CardsFlags {
  readonly brand?: string;
  readonly outcome?: string;
  readonly json?: boolean;
}

const columns: readonly Column<TestCard>[] = [
  { title: 'number', cell: ({ number }) => number },
  { title: 'brand', cell: ({ brand }) => brand },
  { title: 'answer', cell: firstAnswer },
  { title: 'code', cell: ({ isoCode }) => isoCode ?? '' },
  { title: 'what happens', cell: ({ description }) => description, breaks: true },
  { title: 'later', cell: laterText, breaks: true },
  { title: 'the guest sees', cell: ({ guestText }) => guestText ?? '', breaks: true },
];

/** `servery cards`: the table of test cards, all of it or what the filters leave. */
export function runCards(deps: Pick<RemoteDeps, 'env' | 'terminal'>, flags: CardsFlags): void {
  const brand = chosen('brand', flags.brand, (card) => [card.brand]);
  const outcome = chosen('outcome', flags.outcome, (card) => [card.outcome, firstAnswer(card)]);
  const cards = testCards.filter((card) => brand(card) && outcome(card));
  if (flags.json) showJson(deps, cards);
  else showTable(deps, columns, cards, 'No test card is both.');
}

/** The `paymentState` of the first PUT, or the status of an error. */
function firstAnswer({ paymentState, status }: TestCard): string {
  return paymentState ?? String(status);
}

/** Where the payment goes by itself, and what does not end as it should. */
function laterText({ paymentState, settles, whenVoided, whenCaptured }: TestCard): string {
  return [
    settles === paymentState ? [] : `settles as ${settles}`,
    whenVoided === 'REVIEW' ? 'void: REVIEW' : [],
    whenCaptured === 'REVIEW' ? 'capture: REVIEW' : [],
  ]
    .flat()
    .join('; ');
}

function chosen(
  flag: string,
  wanted: string | undefined,
  valuesOf: (card: TestCard) => readonly string[],
): (card: TestCard) => boolean {
  if (wanted === undefined) return () => true;
  const isWanted = (value: string) => value.toLowerCase() === wanted.toLowerCase();
  const known = [...new Set(testCards.flatMap(valuesOf))];
  if (!known.some(isWanted)) {
    throw invalidUsage(`--${flag} must be one of ${known.join(', ')}.`);
  }
  return (card) => valuesOf(card).some(isWanted);
}
