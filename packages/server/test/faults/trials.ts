import type { FaultKind } from '@servery/contract';
import {
  type TrialStage,
  type Tried,
  type Try,
  tryCapture,
  tryEvents,
  tryOrder,
  tryPayment,
  tryPublication,
  tryRule,
  tryUnknownValues,
} from './try-faults.ts';

/** A fault that is ordered for real, with what must come of it. */
export interface Trial {
  readonly kind: FaultKind;
  /** The fault as the header has it, and what it is tried with. */
  readonly name: string;
  readonly expected: Expected;
  readonly run: (stage: TrialStage) => Promise<Tried>;
}

interface Expected {
  readonly partner: RegExp;
  readonly platform: string;
  readonly atLeastMs?: number;
}

/** What differs from what is expected. */
export function differencesOf({ expected }: Trial, tried: Tried): string[] {
  const { partner, platform, atLeastMs = 0 } = expected;
  return [
    ...(partner.test(tried.partner) ? [] : [`the partner must see ${partner}`]),
    ...(platform === tried.platform ? [] : [`the platform must have ${platform}`]),
    ...((tried.latencyMs ?? atLeastMs) >= atLeastMs ? [] : [`it must take ${atLeastMs} ms`]),
  ];
}

function trial(fault: string, subject: string, expected: Expected, run: Try): Trial {
  const kind = (fault.split('=')[0] ?? '') as FaultKind;
  return {
    kind,
    name: `${fault}, ${subject}`,
    expected,
    run: (stage) => run(stage, fault, expected.platform),
  };
}

const NO_ANSWER = /^no answer$/;
const BROKEN = /^the connection breaks$/;

/** What a partner sees of a request that isn't served. */
const unserved: Readonly<Record<string, RegExp>> = {
  'status=503': /^503 \| Unavailable: the fault .* \| Retry-After 2 \| fault status=503$/,
  'status=500': /^500 \| .* \| fault status=500$/,
  'status=404': /^404 \| Not found: .* \| fault status=404$/,
  'tooManyRequests=7': /^429 \| Too many requests: .* \| Retry-After 7 \| fault tooManyRequests=7$/,
  expiredToken: /^401 \| .* has expired: .* \| fault expiredToken$/,
  revokedToken: /^401 \| .* was revoked: .* \| fault revokedToken$/,
  hang: NO_ANSWER,
  droppedConnection: BROKEN,
};

/** What a partner sees of a request that is served, and how long it takes at least. */
const served: Readonly<Record<string, readonly [RegExp, atLeastMs?: number]>> = {
  'latency=PT0.3S': [/^200 \| .*fault latency=PT0\.3S$/, 300],
  lostAnswer: [BROKEN],
  truncatedAnswer: [/^200 \| cut off after \d+ of \d+ bytes \| fault truncatedAnswer$/],
  'slowBody=PT0.3S': [/^200 \| .*fault slowBody=PT0\.3S$/, 250],
};

const ofRequests = [
  ...Object.entries(unserved).flatMap(([fault, partner]) => [
    trial(fault, 'payment', { partner, platform: 'no payment, no hold' }, tryPayment),
    trial(fault, 'order', { partner, platform: 'no order, 0 sold' }, tryOrder),
  ]),
  ...Object.entries(served).flatMap(([fault, [partner, atLeastMs = 0]]) => {
    const platform = 'payment AUTHORIZED, hold HELD 10.00';
    return [
      trial(fault, 'payment', { partner, atLeastMs, platform }, tryPayment),
      trial(fault, 'order', { partner, atLeastMs, platform: 'an order, 1 sold' }, tryOrder),
    ];
  }),
  // Served twice: the second time, a payment is its repeat, and an order is taken.
  trial(
    'duplicatedRequest',
    'payment',
    {
      partner: /^200 \| AUTHORIZED \| fault duplicatedRequest$/,
      platform: 'payment AUTHORIZED, hold HELD 10.00',
    },
    tryPayment,
  ),
  trial(
    'duplicatedRequest',
    'order',
    {
      partner: /^409 \| externalId is already in use .* \| fault duplicatedRequest$/,
      platform: 'an order, 1 sold',
    },
    tryOrder,
  ),
];

const ofPages = [
  trial(
    'publicationBetweenPages',
    'page',
    {
      partner: /^409 \| .*start again at the first page.* \| fault publicationBetweenPages$/,
      platform: '1 publication, a new walk: 200',
    },
    tryPublication,
  ),
  trial(
    'unknownValues',
    'page',
    {
      partner:
        /^200 \| fault unknownValues: (the field \w+, )?SANDBOX_UNKNOWN_VALUE(, the field \w+)?$/,
      platform: 'the next page is plain',
    },
    tryUnknownValues,
  ),
];

const ofEvents = [
  trial(
    'duplicateEvent',
    'event',
    {
      partner: /^event 1 and event 1$/,
      platform: 'event 1 DELIVERED by DELIVERED (duplicateEvent)',
    },
    tryEvents(1),
  ),
  trial(
    'wrongSignature',
    'event',
    {
      partner: /^event 1 with a wrong signature$/,
      platform: 'event 1 DELIVERED by DELIVERED (wrongSignature)',
    },
    tryEvents(1),
  ),
  trial(
    'shuffledEvents=PT30S',
    'event',
    {
      partner: /^event 2, then event 1$/,
      platform:
        'event 1 DELIVERED by DELIVERED (shuffledEvents=PT30S), event 2 DELIVERED by DELIVERED',
    },
    tryEvents(2, ['PT30S']),
  ),
  trial(
    'delayedEvent=PT1M',
    'event',
    {
      partner: /^nothing, then nothing, then event 1$/,
      platform: 'event 1 DELIVERED by DELIVERED (delayedEvent=PT1M)',
    },
    tryEvents(1, ['PT59S', 'PT1S']),
  ),
  trial(
    'lostEvent',
    'event',
    {
      partner: /^nothing, then event 1$/,
      platform: 'event 1 DELIVERED by ANSWER_TIMEOUT (lostEvent) and DELIVERED',
    },
    tryEvents(1, ['PT10M']),
  ),
];

const ofProcessor = [
  trial(
    'decline=51',
    'payment',
    {
      partner: /^200 \| DENIED \| fault decline=51$/,
      platform: 'payment DENIED, hold DECLINED 10.00',
    },
    tryRule,
  ),
  trial(
    'lateApproval=1',
    'payment',
    {
      partner: /^200 \| ACKNOWLEDGED \| fault lateApproval=1$/,
      platform: 'payment AUTHORIZED, hold HELD 10.00',
    },
    tryRule,
  ),
  trial(
    'otherAmount=7.5',
    'payment',
    {
      partner: /^200 \| ACKNOWLEDGED \| fault otherAmount=7\.5$/,
      platform: 'payment REVERSED, hold VOIDED 10.00',
    },
    tryRule,
  ),
  trial(
    'processorUnreachable=authorize',
    'payment',
    {
      partner: /^500 \| .*no funds are held.* \| fault processorUnreachable=authorize$/,
      platform: 'payment ABORTED, no hold',
    },
    tryRule,
  ),
  trial(
    'captureRefused=05',
    'capture',
    {
      partner: /^200 \| REVIEW \| fault captureRefused=05$/,
      platform: 'payment REVIEW, hold HELD 10.00',
    },
    tryCapture,
  ),
  // The last: the platform goes on waiting for fifteen seconds, and a move of the clock waits too.
  trial(
    'processorSilent',
    'payment',
    { partner: NO_ANSWER, platform: 'payment PENDING, hold HELD 10.00' },
    tryPayment,
  ),
];

/** Every fault of docs/reference/faults.md. */
export const trials: readonly Trial[] = [...ofRequests, ...ofPages, ...ofEvents, ...ofProcessor];
