import { type TestCard, testCards } from '@servery/server/payments/cards/test-cards.ts';
import { table } from './table.ts';

/** The page of the test cards: a table for each kind of outcome. */
export function testCardsPage(): string {
  const others = testCards.filter(
    ({ outcome }) => outcome !== 'approved' && outcome !== 'declined',
  );
  return `# Test cards

The sandbox's processor decides by card number. None of these numbers belongs to a person. Use any
expiry date, security code, and postal code. Security codes have three digits, four for AMEX. A valid
number that is not listed is approved. To make any card fail, see [the card simulator](card-simulator.md).
\`npm run docs\` writes this page from the table that drives the simulator.

## Approved

The first PUT answers \`AUTHORIZED\`.

${table(
  ['Number', 'Brand', 'Description'],
  rowsOf('approved', ({ description }) => [description]),
)}
## Declined

The first PUT answers \`DENIED\`. \`denialReason\` is what you show the guest.

${table(
  ['Number', 'Brand', 'ISO 8583 code and meaning', '`denialReason`'],
  rowsOf('declined', ({ isoCode, staffText, guestText, latencyMs }) => [
    `${isoCode}: ${staffText}${latencyMs > 0 ? `, after ${latencyMs / 1000} seconds` : ''}`,
    guestText ?? '',
  ]),
)}
## Lost, late, and refused answers

- *First answer*: the \`paymentState\` of the first PUT, or the status of an error that you can retry.
- *Settles as*: the state in the back office that the payment reaches by itself before the apply
  deadline.
- *Voided* and *Captured*: where a void or a capture ends. An authorized payment is voided at the apply
  deadline unless it is applied to a check.

${table(
  ['Number', 'First answer', 'What happens', 'Settles as', 'Voided', 'Captured'],
  others.map((card) => [
    `\`${card.number}\``,
    card.paymentState === null ? String(card.status) : `\`${card.paymentState}\``,
    card.description,
    ...[card.settles, card.whenVoided, card.whenCaptured].map((state) =>
      state ? `\`${state}\`` : '',
    ),
  ]),
)}`;
}

/** The rows of the cards with an outcome; what is the same for all of them stands above. */
function rowsOf(outcome: 'approved' | 'declined', cells: (card: TestCard) => string[]): string[][] {
  return testCards
    .filter((card) => card.outcome === outcome)
    .map((card) => [`\`${card.number}\``, card.brand, ...cells(card)]);
}
