import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Client } from '@servery/client/back-office';
import {
  brandedHeaders,
  operationById,
  type PaymentAuthorization,
  type PaymentStatus,
} from '@servery/contract';
import { type Arguments, WrongArguments } from './arguments.ts';

/** Encrypts test cards. Without it, there is no tool that pays. */
export interface TestCards {
  /** The descriptions of the cards, which are their names: no assistant sees a number. */
  readonly names: readonly string[];
  readonly authorizationOf: (
    card: string,
    key: CardKey,
    paid: Paid,
  ) => Promise<PaymentAuthorization>;
}

interface CardKey {
  readonly keyId: string;
  readonly publicKeyPem: string;
}

interface Paid {
  readonly amount: number;
  readonly tipAmount: number;
  readonly now: Date;
}

export const payOperation = operationById('creditCards.authorize');

export const PAY_AGAIN =
  'Call pay again with the same paymentUuid and the same values: at most one hold is placed.';

const APPROVED = 'Approved';
/** A repeat must say the same, so it can't be the present. */
const PAID_AT = new Date('2000-01-01T00:00:00.000Z');

export function payTool({ names }: TestCards): ListedTool {
  const guid = (description: string) => ({ type: 'string', format: 'uuid', description });
  const money = (description: string) => ({ type: 'number', minimum: 0, description });
  return {
    name: 'pay',
    title: 'Pay with a test card',
    description:
      'Authorizes a card payment in a sandbox, with a test card. paymentUuid stands for one ' +
      'purchase: make a new UUID for each purchase, and if a call fails or you get no response, ' +
      'call again with the same paymentUuid and the same values. However often you repeat it, at ' +
      'most one hold is placed. paymentState holds the outcome.',
    inputSchema: {
      type: 'object',
      properties: {
        restaurantGuid: guid('The restaurant that receives the payment. See who_am_i.'),
        paymentUuid: guid('One per purchase. If you repeat the call, use the same one.'),
        amount: money('Price without tip, in currency units.'),
        tipAmount: { ...money('Tip, in currency units.'), default: 0 },
        card: {
          type: 'string',
          enum: [...names],
          default: APPROVED,
          description: 'The test card, by its description.',
        },
      },
      required: ['restaurantGuid', 'paymentUuid', 'amount'],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** Throws WrongArguments, and what the client throws. */
export async function pay(
  client: Client,
  cards: TestCards,
  given: Arguments,
): Promise<PaymentStatus> {
  const { restaurantGuid, paymentUuid, amount, tipAmount = 0, card = APPROVED, ...rest } = given;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new WrongArguments(`Unknown: ${unknown}.`);
  if (typeof restaurantGuid !== 'string' || typeof paymentUuid !== 'string') {
    throw new WrongArguments('restaurantGuid and paymentUuid must be UUIDs.');
  }
  if (typeof amount !== 'number' || typeof tipAmount !== 'number') {
    throw new WrongArguments('amount and tipAmount must be numbers.');
  }
  if (typeof card !== 'string' || !cards.names.includes(card)) {
    const names = cards.names.map((name) => JSON.stringify(name)).join(', ');
    throw new WrongArguments(`card must be one of ${names}.`);
  }
  const [key] = await client.call('platform.cardEncryptionKeys.list');
  if (!key)
    throw new WrongArguments('The account has no active card key. Ask an operator for one.');
  const body = await cards.authorizationOf(card, key, { amount, tipAmount, now: PAID_AT });
  return await client.call('creditCards.authorize', {
    params: { merchantUuid: restaurantGuid, paymentUuid },
    headers: { [brandedHeaders(client.brand).restaurantExternalId]: restaurantGuid },
    body,
  });
}
