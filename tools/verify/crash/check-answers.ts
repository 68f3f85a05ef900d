import { isOfPayment, isUnknown, type Operation, paymentName } from './history.ts';
import type { StoredEvent, StoredPayment } from './payment-store.ts';
import { type Violation, violationOf } from './violation.ts';

/** The state that each acknowledged move must have led to, at some time. */
const ledTo: Readonly<Record<string, string>> = {
  apply: 'APPLIED',
  place: 'APPLIED',
  fulfil: 'CAPTURE_SCHEDULED',
  void: 'VOID_PENDING',
  voidPaidOrder: 'VOID_PENDING',
  capture: 'CAPTURE_PENDING',
};

/** The answers that a request of this run may get; others are a fault of the run or of ours. */
const expected = [200, 401, 404, 409];

/**
 * Checks that nothing that was answered is lost: what was said to be authorized, applied,
 * fulfilled, voided or captured is in the events (PAY-I2), an answer of the back office is what the
 * event of its version says, and repeats get the same bytes (PAY-I6).
 */
export function checkAnswers(
  operations: readonly Operation[],
  payments: readonly StoredPayment[],
  events: readonly StoredEvent[],
): Violation[] {
  const rows = new Map(payments.map((payment) => [paymentName(payment), payment]));
  const histories = Map.groupBy(events, paymentName);
  const answered = operations.filter((operation) => !isUnknown(operation));
  return [
    ...answered.flatMap((operation) => {
      const name = paymentName(operation);
      return checkAnswer(operation, rows.get(name), histories.get(name) ?? []);
    }),
    ...checkBodies(answered),
  ];
}

function checkAnswer(
  operation: Operation,
  payment: StoredPayment | undefined,
  history: readonly StoredEvent[],
): Violation[] {
  const { kind, status, state, version, body } = operation;
  if (!expected.includes(status ?? 0)) {
    return [violationOf('answer', operation, `${kind} was answered ${status}: ${body}`)];
  }
  if (status !== 200) return [];
  const lost = (text: string) => [violationOf('PAY-I2', operation, text)];
  // An order without a payment stands, though the guest's payment never came through.
  if (!payment && !isOfPayment(operation)) return [];
  if (!payment) return lost(`${kind} was answered ${state}, but there is no such payment`);
  if (kind === 'put') {
    const code = /"authorizationCode":"([^"]*)"/.exec(body ?? '')?.[1] ?? null;
    if (state !== 'AUTHORIZED') return [];
    if (history.some(({ toState }) => toState === 'AUTHORIZED')) {
      const isSame = code === payment.authorizationCode;
      return isSame ? [] : lost(`was answered the code ${code}, not ${payment.authorizationCode}`);
    }
    return lost('was answered AUTHORIZED, but never was');
  }
  const event = history.find((candidate) => candidate.version === version);
  if (version !== null && event?.toState !== state) {
    return lost(`${kind} was answered ${state} in version ${version}, which was ${event?.toState}`);
  }
  const must = ledTo[kind];
  const wasDone = must === undefined || history.some(({ toState }) => toState === must);
  return wasDone ? [] : lost(`${kind} was acknowledged, but it never became ${must}`);
}

/** Of the answers to PUTs that say the same state of a payment, all are the same bytes. */
function checkBodies(answered: readonly Operation[]): Violation[] {
  const puts = answered.filter(({ kind, status }) => kind === 'put' && status === 200);
  const alike = Map.groupBy(puts, (put) => `${paymentName(put)} ${put.state}`);
  return [...alike.values()].flatMap((group) => {
    const bodies = new Set(group.map(({ body }) => body));
    const [first] = group;
    if (!first || bodies.size === 1) return [];
    const text = `${bodies.size} different answers say ${first.state}: ${[...bodies].join(' ')}`;
    return [violationOf('PAY-I6', first, text)];
  });
}
