import {
  type TestCard,
  testCards,
} from '../../../packages/server/src/payments/cards/test-cards.ts';
import { table } from './table.ts';

/** The page of the test cards: a part for each kind of outcome. */
export function testCardsPage(): string {
  const others = testCards.filter(
    ({ outcome }) => outcome !== 'approved' && outcome !== 'declined',
  );
  return `# Test cards

The sandbox's processor decides by card number. None of these numbers belongs to a person. Use any
expiration date, security code (three digits, four for AMEX), and postal code. Any other valid number is
approved. To make any card fail, [inject a fault](faults.md).

## Approved

The first PUT returns \`AUTHORIZED\`.

${approvedList()}
## Declined

The first PUT returns \`DENIED\`, by the ISO 8583 code:

${declinedList()}
## Lost, late, and refused responses

*First response* is the \`paymentState\` of the first PUT, or the status of an error that you can retry.
*Settles as* is the state that the payment reaches by itself before the apply deadline.

${table(
  ['Number', 'First response', 'What happens', 'Settles as'],
  others.map((card) => [
    `\`${card.number}\``,
    card.paymentState === null ? String(card.status) : `\`${card.paymentState}\``,
    card.description,
    settlesAs(card),
  ]),
)}`;
}

function approvedList(): string {
  const cards = testCards.filter(({ outcome }) => outcome === 'approved');
  const lines = [...Map.groupBy(cards, ({ brand }) => brand)].map(([brand, of]) => {
    const numbers = of.map(({ number, description }) => {
      const remark = description.replace(/^Approved,? ?/, '');
      return `\`${number}\`${remark && ` (${remark})`}`;
    });
    return `- ${brand}: ${numbers.join(', ')}\n`;
  });
  return lines.join('');
}

function declinedList(): string {
  const cards = testCards.filter(({ outcome }) => outcome === 'declined');
  const lines = [...Map.groupBy(cards, ({ isoCode }) => isoCode)].map(([isoCode, of]) => {
    const numbers = of.map(({ number, brand, latencyMs }) => {
      const remarks = [
        ...(brand === 'VISA' ? [] : [brand]),
        ...(latencyMs > 0 ? [`after ${latencyMs / 1000} seconds`] : []),
      ];
      return `\`${number}\`${remarks.length > 0 ? ` (${remarks.join(', ')})` : ''}`;
    });
    return `- ${isoCode}, ${of[0]?.staffText ?? ''}: ${numbers.join(', ')}\n`;
  });
  return lines.join('');
}

function settlesAs({ settles, whenVoided, whenCaptured }: TestCard): string {
  const otherwise = [
    ...(whenVoided === 'REVIEW' ? ['; voided: `REVIEW`'] : []),
    ...(whenCaptured === 'REVIEW' ? ['; captured: `REVIEW`'] : []),
  ];
  return `\`${settles}\`${otherwise.join('')}`;
}
