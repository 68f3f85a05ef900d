import { paymentName } from './history.ts';
import type { StoredEvent, StoredPayment } from './payment-store.ts';
import { type Violation, violationOf } from './violation.ts';

/** Every change of state that the design of payments knows, as `from → to`. */
const legalChanges: ReadonlySet<string> = new Set(
  [
    ['NEW', 'PENDING', 'DENIED'],
    ['PENDING', 'AUTHORIZED', 'DENIED', 'ABORTED', 'UNKNOWN'],
    ['ABORTED', 'PENDING', 'REVERSAL_PENDING'],
    ['UNKNOWN', 'AUTHORIZED', 'VOID_PENDING', 'DENIED', 'ABORTED', 'REVERSAL_PENDING'],
    ['REVERSAL_PENDING', 'REVERSED', 'REVIEW'],
    ['REVERSED', 'REVERSAL_PENDING'],
    ['AUTHORIZED', 'APPLIED', 'VOID_PENDING'],
    // A tip leaves a payment in its state.
    ['APPLIED', 'APPLIED', 'VOID_PENDING', 'CAPTURE_SCHEDULED'],
    ['CAPTURE_SCHEDULED', 'CAPTURE_SCHEDULED', 'VOID_PENDING', 'CAPTURE_PENDING'],
    ['CAPTURE_PENDING', 'CAPTURED', 'REVIEW', 'VOID_PENDING'],
    ['VOID_PENDING', 'VOIDED', 'REVIEW'],
  ].flatMap(([from, ...states]) => states.map((to) => `${from} → ${to}`)),
);

/**
 * Checks the events of every payment: no gap, each beginning where the one before ended, only legal
 * changes, the newest one being what the payment's row says (PAY-I5), and no deadline that acted before
 * its time (PAY-I3).
 */
export function checkEvents(
  payments: readonly StoredPayment[],
  events: readonly StoredEvent[],
): Violation[] {
  const histories = Map.groupBy(events, paymentName);
  const known = new Set(payments.map(paymentName));
  const strays = [...histories].filter(([name]) => !known.has(name));
  return [
    ...strays.map(([subject]) => ({ rule: 'PAY-I5', subject, text: 'has events but no row' })),
    ...payments.flatMap((payment) => {
      const history = histories.get(paymentName(payment)) ?? [];
      return [...checkChain(payment, history), ...checkDeadlines(payment, history)];
    }),
  ];
}

function checkChain(payment: StoredPayment, history: readonly StoredEvent[]): Violation[] {
  const faults = history.flatMap((event, index) => {
    const before = history[index - 1]?.toState ?? 'NEW';
    const change = `${event.fromState} → ${event.toState}`;
    return [
      event.version === index + 1 ? '' : `version ${event.version} follows ${index}`,
      event.fromState === before ? '' : `${change} follows the state ${before}`,
      legalChanges.has(change) ? '' : `${change} is not legal`,
      (event.fromState === event.toState) === (event.cause === 'tipChanged')
        ? ''
        : `${event.cause} leads from ${change}`,
    ];
  });
  const last = history.at(-1);
  const isLast = last?.version === payment.version && last.toState === payment.state;
  const row = `${payment.state} in version ${payment.version}`;
  const event = `${last?.toState} in version ${last?.version}`;
  const rowFault = isLast ? '' : `the row says ${row}, the newest event ${event}`;
  return [...faults, rowFault]
    .filter((fault) => fault !== '')
    .map((fault) => violationOf('PAY-I5', payment, fault));
}

function checkDeadlines(payment: StoredPayment, history: readonly StoredEvent[]): Violation[] {
  const dueBy: Readonly<Record<string, Date | null>> = {
    applyDeadlinePassed: payment.applyDeadline,
    captureDeadlinePassed: payment.captureDeadline,
    captureTimeReached: payment.captureAt,
  };
  return history.flatMap(({ cause, occurredAt }) => {
    const due = dueBy[cause];
    if (due === undefined || (due !== null && due <= occurredAt)) return [];
    const text = `${cause} at ${occurredAt.toISOString()}, due ${due?.toISOString() ?? 'never'}`;
    return [violationOf('PAY-I3', payment, text)];
  });
}
