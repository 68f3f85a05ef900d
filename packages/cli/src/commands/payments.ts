import type { BackOfficePayment, PaymentEvent } from '@servery/contract';
import { command, type Family } from '../command.ts';
import { invalidUsage } from '../exit-codes.ts';
import { filtersOf } from '../find/filters.ts';
import { isNameAlone } from '../find/find.ts';
import { amount, clientId, guidOf, instant, listOf, quoted, words } from '../readers.ts';
import {
  amountText,
  type Columns,
  details,
  rows,
  type Shown,
  sumText,
  valueText,
} from '../shown.ts';
import {
  as,
  atRestaurant,
  clientNames,
  guid,
  limit,
  naming,
  required,
  restaurant,
  text,
} from '../values.ts';

const columns: Columns<BackOfficePayment> = {
  payment: 'paymentUuid',
  restaurant: 'merchantGuid',
  'payment state': 'paymentState',
  amount: paidText,
  card: ({ cardBrand, cardLast4 }) => `${cardBrand ?? 'card'} …${cardLast4}`,
  created: 'createdAt',
  next: ({ nextDeadline }) => nextDeadline && `${nextDeadline.action} ${nextDeadline.at}`,
};

const detailColumns: Columns<BackOfficePayment> = {
  ...columns,
  'legal now': ({ legalMoves }) => legalMoves.join(', '),
  'authorized amount': ({ authorizedAmount, currencyCode }) =>
    sumText(authorizedAmount, currencyCode),
  captured: ({ capturedAmount, currencyCode }) => sumText(capturedAmount, currencyCode),
  check: 'checkGuid',
  'void reason': 'voidReason',
  denial: ({ denialReason, responseCode }) =>
    denialReason && `${denialReason}${responseCode === null ? '' : ` (${responseCode})`}`,
  error: 'error',
  client: 'clientId',
  attempt: 'attempt',
  version: 'version',
  authorized: 'authorizedAt',
  'apply until': 'applyDeadline',
  'capture until': 'captureDeadline',
  'capture at': 'captureAt',
};

const eventColumns: Columns<PaymentEvent> = {
  version: 'version',
  at: 'occurredAt',
  from: 'fromState',
  cause: 'cause',
  to: 'toState',
  attempt: 'attempt',
  details: ({ details: own }) =>
    Object.entries(own ?? {})
      .map(([name, value]) => `${name}: ${valueText(value)}`)
      .join(', '),
};

const CHECKS = 'servery payments show';
const RESTAURANT = 'name or GUID (default: the first in the sandbox; for list, all)';
const all = restaurant(text('<restaurant>', RESTAURANT), 'merchantUuid');
const at = { restaurant: atRestaurant(RESTAURANT, 'merchantUuid') };
const payment = { payment: guid('paymentUuid', 'a payment', 'servery payments list') };

export const payments: Family = {
  name: 'payments',
  summary: 'View, apply, fulfill, void, and capture payments, and change tips',
  examples: [
    'servery payments list --payment-state AUTHORIZED,APPLIED',
    'servery payments void 6f9c… --reason "the guest left"',
  ],
  shared: { restaurant: all },
  commands: [
    command({
      name: 'list',
      summary: 'List payments, newest first',
      examples: [
        'servery payments list --payment-state AUTHORIZED,APPLIED',
        'servery payments list --amount 23.50 --card-last4 4242',
      ],
      options: {
        restaurant: all,
        paymentState: as(
          'state',
          text('<states>', 'payment states, separated by commas', statesOf),
        ),
        client: {
          ...naming(
            filtersOf('backOffice.payments.list').client,
            'clientId',
            text(
              '<client>',
              'API account that requested it: client ID, name, or name in demo.json',
            ),
          ),
          completions: clientNames,
        },
        cardLast4: text('<digits>', 'with a card that ends in these four digits'),
        amount: text('<amount>', 'of this amount, without or with the tip', amount),
        createdFrom: text('<instant>', 'created at this time or later', instant),
        createdTo: text('<instant>', 'created before this time', instant),
        dueBefore: text('<instant>', 'with a deadline before this time', instant),
        limit,
      },
      check: async ({ options: { client, paymentState } }) => {
        if (client !== undefined && !isNameAlone(client)) clientId(client);
        if (paymentState !== undefined) await checkStates(paymentState);
      },
      operation: 'backOffice.payments.list',
      pages: { columns, empty: 'No payment matches.' },
    }),
    command({
      name: 'show',
      summary: 'Show a payment and what you can do with it',
      examples: ['servery payments show 6f9c…'],
      arguments: payment,
      options: at,
      operation: 'backOffice.payments.get',
      show: (own) => details(detailColumns, own),
    }),
    command({
      name: 'events',
      summary: 'List the history of a payment',
      examples: ['servery payments events 6f9c…'],
      arguments: payment,
      options: at,
      operation: 'backOffice.payments.events',
      show: (events) => rows(eventColumns, events, 'The payment has no events.'),
    }),
    command({
      name: 'apply',
      summary: 'Apply a payment to a check',
      examples: ['servery payments apply 6f9c… --check 91d0…'],
      arguments: payment,
      options: {
        ...at,
        check: as('checkGuid', required(text('<guid>', 'the check', guidOf('a check', CHECKS)))),
      },
      operation: 'backOffice.payments.apply',
      show: (moved) => movedShown(moved, 'apply'),
    }),
    command({
      name: 'fulfil',
      summary: 'Record that the order was fulfilled',
      examples: ['servery payments fulfil 6f9c…'],
      arguments: payment,
      options: at,
      operation: 'backOffice.payments.fulfil',
      show: (moved) => movedShown(moved, 'fulfil'),
    }),
    command({
      name: 'void',
      summary: 'Void an authorization, which releases its hold',
      examples: ['servery payments void 6f9c… --reason "the guest left"'],
      arguments: payment,
      options: { ...at, reason: required(text('<text>', 'the reason, for the record', words)) },
      operation: 'backOffice.payments.void',
      show: (moved) => movedShown(moved, 'void'),
    }),
    command({
      name: 'capture',
      summary: 'Capture a payment now',
      examples: ['servery payments capture 6f9c…'],
      arguments: payment,
      options: at,
      operation: 'backOffice.payments.capture',
      show: (moved) => movedShown(moved, 'capture'),
    }),
    command({
      name: 'tip',
      summary: 'Change the tip that will be captured',
      examples: ['servery payments tip 6f9c… --amount 2.50'],
      arguments: payment,
      options: {
        ...at,
        amount: as(
          'tipAmount',
          required(text('<amount>', 'new tip, at most the authorized tip', amount)),
        ),
      },
      operation: 'backOffice.payments.tip',
      show: (moved) => movedShown(moved, 'tip'),
    }),
  ],
};

function statesOf(written: string): string[] {
  return listOf(written.toUpperCase());
}

/** The states are loaded only when some are named: they make a command slower to start. */
async function checkStates(states: readonly string[]): Promise<void> {
  const { paymentStates } = await import('@servery/contract');
  const known: readonly string[] = paymentStates;
  const wrong = states.find((state) => !known.includes(state));
  if (wrong === undefined) return;
  throw invalidUsage(
    `--payment-state ${quoted(wrong)} is not a payment state. Use one or more of ` +
      `${known.join(', ')}, separated by commas.`,
  );
}

function movedShown(own: BackOfficePayment, move: string): Shown {
  const refused = `The processor refused the ${move}: see servery alarms.`;
  return {
    ...details(detailColumns, own),
    notes: own.paymentState === 'REVIEW' ? [refused] : [],
  };
}

function paidText({ amount, tipAmount, currencyCode }: BackOfficePayment): string {
  const tip = tipAmount > 0 ? ` + ${amountText(tipAmount, currencyCode)} tip` : '';
  return `${amountText(amount, currencyCode)}${tip} ${currencyCode}`;
}
