import fc from 'fast-check';
import type { Reach } from './faults.ts';
import { closeOutsAfter, DAYS, TIP_MINOR } from './model.ts';
import type { Decision, ProcessorPlan } from './model-processor.ts';
import { type StaffMove, staffMoves } from './order-model.ts';
import type { PlannedFault } from './scheduler.ts';

/** How far a command's task goes before the next command: to its end, or so many calls. */
export type Go = 'toEnd' | number;

/** Who asks, and how far it goes before the next command. */
interface Asked {
  /** Which of the processes does it. */
  readonly process: number;
  readonly go: Go;
}

/** What happens next in a run. Payments, clients, contents and checks are numbers of the run's. */
export type Action =
  | ({
      readonly kind: 'put';
      readonly payment: number;
      readonly client: number;
      readonly content: number;
    } & Asked)
  | ({ readonly kind: 'apply'; readonly payment: number; readonly check: number } & Asked)
  | ({ readonly kind: 'fulfil'; readonly payment: number } & Asked)
  | ({ readonly kind: 'void'; readonly payment: number; readonly reason: number } & Asked)
  | ({ readonly kind: 'capture'; readonly payment: number } & Asked)
  | ({ readonly kind: 'tip'; readonly payment: number; readonly tipMinor: number } & Asked)
  | ({ readonly kind: 'partnerVoid'; readonly payment: number; readonly client: number } & Asked)
  | ({ readonly kind: 'get'; readonly payment: number; readonly client: number } & Asked)
  /** Orders one item, paid with the payment or not at all. Another content is another amount. */
  | ({
      readonly kind: 'place';
      readonly payment: number | null;
      readonly client: number;
      readonly content: number;
      readonly externalId: number;
    } & Asked)
  | ({
      readonly kind: 'addPayment';
      readonly payment: number;
      readonly client: number;
      readonly content: number;
      readonly externalId: number;
    } & Asked)
  /** On the order that the payment is on, if any. */
  | ({ readonly kind: 'orderTip'; readonly payment: number; readonly tipMinor: number } & Asked)
  | ({ readonly kind: 'voidOrder'; readonly client: number; readonly externalId: number } & Asked)
  /** A decision of staff about an order; those about one thing name the payment or selection. */
  | ({
      readonly kind: 'staff';
      readonly move: StaffMove;
      readonly client: number;
      readonly externalId: number;
      readonly payment: number;
      readonly selection: number;
    } & Asked)
  /** What the clock does about orders. */
  | ({ readonly kind: 'orderWork' } & Asked)
  | ({ readonly kind: 'sweep'; readonly isSequential: boolean } & Asked)
  | { readonly kind: 'sweepBoth'; readonly go: Go }
  /** Two PUTs of a payment at once; the second differs in its client or its content, or not. */
  | {
      readonly kind: 'putPair';
      readonly payment: number;
      readonly client: number;
      readonly content: number;
      readonly go: Go;
    }
  /** When nobody has seen it, every process still goes by the clock of before it for a while. */
  | { readonly kind: 'jump'; readonly durationMs: number; readonly isSeen: boolean }
  | ({ readonly kind: 'back'; readonly durationMs: number } & Asked)
  | ({ readonly kind: 'bringBack' } & Asked)
  | { readonly kind: 'jumpToDue'; readonly offsetMs: number }
  | { readonly kind: 'pass'; readonly durationMs: number }
  | { readonly kind: 'kill'; readonly process: number }
  | { readonly kind: 'reach'; readonly reach: Reach }
  | { readonly kind: 'captureByHand'; readonly payment: number };

/** An action with the faults that are planned for the calls after it, and the order of calls. */
export interface Command {
  readonly action: Action;
  readonly faults: readonly PlannedFault[];
  /** Its digits pick the call that happens next among those that wait; 0 keeps their order. */
  readonly order: number;
}

/** What is drawn for one payment. */
export interface PaymentPlan extends ProcessorPlan {
  readonly isRiskRefused: boolean;
}

/** A whole run. */
export interface RunPlan {
  /** The instant at which the run begins, in epoch milliseconds. */
  readonly startMs: number;
  readonly isFrozen: boolean;
  /** Which restaurant. */
  readonly merchant: number;
  /** How many waiting calls happen at once. */
  readonly width: number;
  readonly payments: readonly PaymentPlan[];
  readonly commands: readonly Command[];
}

const decisions: fc.Arbitrary<Decision> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Decision>('approve') },
  { weight: 2, arbitrary: fc.constant<Decision>('decline') },
  { weight: 1, arbitrary: fc.constantFrom<Decision>('approveLess', 'approveOtherCurrency') },
);

const rarely = (weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

/** A follower that lags, one that was down, one that is restored the day after, and a lie. */
const HIDDEN_MS = [1_000, 90_000, 30 * 60_000, 2 * 3_600_000, 30 * 3_600_000, 1e15];

const paymentPlans: fc.Arbitrary<PaymentPlan> = fc.record({
  decisions: fc.array(decisions, { minLength: 1, maxLength: 3 }),
  declinesVoid: rarely(9),
  declinesCapture: rarely(9),
  hidesHoldMs: fc.oneof(
    { weight: 14, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...HIDDEN_MS) },
  ),
  hidesFromInquiries: fc.boolean(),
  isRiskRefused: rarely(29),
});

const PAYMENTS_MAX = 2;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const payment = fc.nat({ max: PAYMENTS_MAX - 1 });
const process = fc.nat({ max: 1 });
const go: fc.Arbitrary<Go> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Go>('toEnd') },
  { weight: 2, arbitrary: fc.nat({ max: 7 }) },
);
const asked = { process, go };
const mostlyZero = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
);
const durations = fc.oneof(
  fc.constantFrom(...[1, 20, 60].map((seconds) => seconds * SECOND)),
  fc.constantFrom(19_999, 20_001, 31 * SECOND, 59_999, 61 * SECOND),
  fc.constantFrom(5 * MINUTE - 1, 5 * MINUTE, 5 * MINUTE + 1, 11 * MINUTE),
  fc.constantFrom(HOUR, 3 * HOUR, 24 * HOUR, 7 * 24 * HOUR - 1, 7 * 24 * HOUR),
  fc.nat({ max: 36 * HOUR }),
);

const puts = fc.record({
  kind: fc.constant('put' as const),
  payment,
  client: mostlyZero,
  content: mostlyZero,
  ...asked,
});
const applies = fc.record({
  kind: fc.constant('apply' as const),
  payment,
  check: mostlyZero,
  ...asked,
});
const fulfils = fc.record({ kind: fc.constant('fulfil' as const), payment, ...asked });
const voids = fc.record({
  kind: fc.constant('void' as const),
  payment,
  reason: mostlyZero,
  ...asked,
});
const partnerVoids = fc.record({
  kind: fc.constant('partnerVoid' as const),
  payment,
  client: mostlyZero,
  ...asked,
});
const gets = fc.record({
  kind: fc.constant('get' as const),
  payment,
  client: mostlyZero,
  ...asked,
});
const captures = fc.record({ kind: fc.constant('capture' as const), payment, ...asked });
const tips = fc.record({
  kind: fc.constant('tip' as const),
  payment,
  tipMinor: fc.constantFrom(0, 50, 150, TIP_MINOR),
  ...asked,
});
const placings = fc.record({
  kind: fc.constant('place' as const),
  payment: fc.option(payment, { freq: 4, nil: null }),
  ...{ client: mostlyZero, content: mostlyZero, externalId: mostlyZero, ...asked },
});
const addedPayments = fc.record({
  kind: fc.constant('addPayment' as const),
  ...{ payment, client: mostlyZero, content: mostlyZero, externalId: mostlyZero, ...asked },
});
const orderTips = tips.map((tip) => ({ ...tip, kind: 'orderTip' as const }));
const orderVoids = fc.record({
  kind: fc.constant('voidOrder' as const),
  ...{ client: mostlyZero, externalId: mostlyZero, ...asked },
});
const decisionsOfStaff = fc.record({
  kind: fc.constant('staff' as const),
  move: fc.constantFrom(...staffMoves),
  ...{ client: mostlyZero, externalId: mostlyZero, payment, selection: fc.nat({ max: 2 }) },
  ...asked,
});
const orderWorks = fc.record({ kind: fc.constant('orderWork' as const), ...asked });
const sweeps = fc.record({
  kind: fc.constant('sweep' as const),
  isSequential: rarely(11),
  ...asked,
});
const jumpsToDue = fc.record({
  kind: fc.constant('jumpToDue' as const),
  offsetMs: fc.constantFrom(0, 0, 0, -1, 1, SECOND, MINUTE),
});

const backs = fc.record({
  kind: fc.constant('back' as const),
  durationMs: fc.constantFrom(
    ...[SECOND, 6 * SECOND, 30 * SECOND, 2 * MINUTE, 6 * MINUTE],
    ...[HOUR, 25 * HOUR, 8 * 24 * HOUR],
  ),
  ...asked,
});

const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: puts },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('putPair' as const),
      ...{ payment, client: mostlyZero, content: mostlyZero, go },
    }),
  },
  { weight: 3, arbitrary: applies },
  { weight: 3, arbitrary: fulfils },
  { weight: 3, arbitrary: voids },
  { weight: 3, arbitrary: captures },
  { weight: 3, arbitrary: tips },
  { weight: 3, arbitrary: partnerVoids },
  { weight: 3, arbitrary: gets },
  { weight: 1, arbitrary: placings },
  { weight: 1, arbitrary: addedPayments },
  { weight: 1, arbitrary: orderTips },
  { weight: 1, arbitrary: orderVoids },
  { weight: 2, arbitrary: decisionsOfStaff },
  { weight: 1, arbitrary: orderWorks },
  { weight: 5, arbitrary: sweeps },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sweepBoth' as const), go }) },
  { weight: 4, arbitrary: jumpsToDue },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('jump' as const),
      durationMs: durations,
      isSeen: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: backs },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('bringBack' as const), ...asked }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      durationMs: fc.constantFrom(SECOND, 6 * SECOND, 16 * SECOND, 31 * SECOND, 61 * SECOND),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), process }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reach' as const),
      reach: fc.constantFrom<Reach>('up', 'refusing', 'silent', 'deafToInquiries'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('captureByHand' as const), payment }) },
);

const faults: fc.Arbitrary<PlannedFault> = fc.record({
  on: fc.constantFrom('any', 'database', 'processor'),
  at: fc.oneof({ weight: 2, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: fc.nat(8) }),
  span: fc.oneof(
    { weight: 5, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 9 }) },
  ),
  variant: fc.nat({ max: 15 }),
});
const faultLists: fc.Arbitrary<readonly PlannedFault[]> = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(faults, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(faults, { minLength: 2, maxLength: 4 }) },
);
const orders = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.nat({ max: 0x7fffffff }) },
);

function commandsOf(
  action: fc.Arbitrary<Action>,
  lists: fc.Arbitrary<readonly PlannedFault[]> = faultLists,
): fc.Arbitrary<Command> {
  return fc.record({ action, faults: lists, order: orders });
}

/** Faults of the first or second call to the processor, which a sweep makes late. */
const processorFaults = (minLength: number): fc.Arbitrary<readonly PlannedFault[]> =>
  fc.array(
    faults.map((fault) => ({ ...fault, on: 'processor' as const, at: fault.at % 2 })),
    { minLength, maxLength: 1 },
  );

/** The usual way of a payment, so that many runs come far; each step may be disturbed. */
const usualSteps: readonly fc.Arbitrary<Action>[] = [
  puts.map((put) => ({ ...put, payment: 0, client: 0, content: 0 })),
  applies.map((apply) => ({ ...apply, payment: 0, check: 0 })),
  fulfils.map((fulfil) => ({ ...fulfil, payment: 0 })),
  tips.map((tip) => ({ ...tip, payment: 0 })),
  fc.oneof(
    captures.map((capture) => ({ ...capture, payment: 0 })),
    jumpsToDue,
  ),
];
const lastSteps = [
  commandsOf(sweeps, processorFaults(0)),
  commandsOf(jumpsToDue),
  commandsOf(sweeps),
];

const soups = fc
  .tuple(commandsOf(puts), fc.array(commandsOf(actions), { maxLength: 9 }))
  .map(([put, others]) => [put, ...others]);

/** Steps, each of which may be left out at the end, with anything between them. */
function disturbed(steps: readonly fc.Arbitrary<Command>[]): fc.Arbitrary<Command[]> {
  return fc
    .tuple(
      fc.integer({ min: 1, max: steps.length }),
      ...steps.map((step) =>
        fc.tuple(step, fc.option(commandsOf(actions), { freq: 3, nil: null })),
      ),
    )
    .map(([count, ...drawn]) =>
      drawn.slice(0, count).flatMap(([step, other]) => (other ? [step, other] : [step])),
    );
}

const lives = disturbed([...usualSteps.map((step) => commandsOf(step)), ...lastSteps]);

const later = commandsOf(
  fc.oneof(
    jumpsToDue,
    durations.map((durationMs) => ({ kind: 'jump' as const, durationMs, isSeen: true })),
  ),
);

/** A first PUT whose outcome is lost, and what is done about it. */
const recoverySteps: readonly fc.Arbitrary<Command>[] = [
  commandsOf(
    puts.map((put) => ({ ...put, payment: 0, client: 0, content: 0 })),
    processorFaults(1),
  ),
  commandsOf(
    fc.record({
      kind: fc.constant('pass' as const),
      durationMs: fc.constantFrom(16 * SECOND, 31 * SECOND),
    }),
  ),
  commandsOf(sweeps, processorFaults(0)),
  commandsOf(jumpsToDue),
  commandsOf(sweeps, processorFaults(0)),
  commandsOf(
    puts.map((put) => ({ ...put, payment: 0, client: 0, content: 0 })),
    processorFaults(0).map((list) => list.map((fault) => ({ ...fault, at: 0 }))),
  ),
  commandsOf(sweeps, processorFaults(0)),
  later,
  commandsOf(sweeps, processorFaults(0)),
  later,
  commandsOf(sweeps, processorFaults(0)),
];
const recoveries = disturbed(recoverySteps);

const reaches = (...all: Reach[]) =>
  commandsOf(
    fc.record({ kind: fc.constant('reach' as const), reach: fc.constantFrom(...all) }),
    fc.constant([]),
  );
const jumpsOf = (...all: number[]) =>
  commandsOf(
    fc.record({
      kind: fc.constant('jump' as const),
      durationMs: fc.constantFrom(...all),
      isSeen: fc.constant(true),
    }),
    fc.constant([]),
  );

/** A processor that is away when a payment is to be ended, until its deadline or beyond. */
const stuckSteps: readonly fc.Arbitrary<Command>[] = [
  ...usualSteps.slice(0, 3).map((step) => commandsOf(step, fc.constant([]))),
  reaches('refusing', 'silent'),
  commandsOf(jumpsToDue, fc.constant([])),
  commandsOf(sweeps),
  jumpsOf(HOUR, 24 * HOUR, 7 * 24 * HOUR),
  reaches('up', 'deafToInquiries', 'silent'),
  commandsOf(sweeps, processorFaults(0)),
  jumpsOf(MINUTE, 24 * HOUR, 7 * 24 * HOUR),
  commandsOf(sweeps, processorFaults(0)),
];
const stuck = disturbed(stuckSteps);

/** An outcome that nobody can tell, until it is given up; it may turn up much later. */
const givenUpSteps: readonly fc.Arbitrary<Command>[] = [
  commandsOf(
    puts.map((put) => ({ ...put, payment: 0, client: 0, content: 0, go: 'toEnd' as const })),
    processorFaults(1).map((list) => list.map((fault) => ({ ...fault, at: 0 }))),
  ),
  reaches('deafToInquiries', 'refusing', 'silent'),
  commandsOf(sweeps, fc.constant([])),
  jumpsOf(59_999, 61_000, 10 * MINUTE),
  commandsOf(sweeps, processorFaults(0)),
  reaches('up'),
  commandsOf(jumpsToDue),
  commandsOf(sweeps, processorFaults(0)),
  jumpsOf(MINUTE, 10 * MINUTE, HOUR, 24 * HOUR),
  commandsOf(sweeps, processorFaults(0)),
];
const givenUp = disturbed(givenUpSteps);

/** A PUT that stands still for longer than its lease, is taken for dead, and then goes on. */
const stalledSteps: readonly fc.Arbitrary<Command>[] = [
  commandsOf(
    fc
      .record({ put: puts, go: fc.integer({ min: 1, max: 2 }) })
      .map(({ put, go: calls }) => ({ ...put, payment: 0, client: 0, content: 0, go: calls })),
    fc.constant([]),
  ),
  commandsOf(fc.constant({ kind: 'pass' as const, durationMs: 31 * SECOND }), fc.constant([])),
  commandsOf(sweeps),
  commandsOf(jumpsToDue),
  commandsOf(sweeps),
  commandsOf(puts.map((put) => ({ ...put, payment: 0, client: 0, content: 0 }))),
  later,
  commandsOf(sweeps),
];
const stalled = disturbed(stalledSteps);

/** A clock that goes back in the middle of a life, and processes that have not seen it yet. */
const backSteps: readonly fc.Arbitrary<Command>[] = [
  commandsOf(
    puts.map((put) => ({ ...put, payment: 1, client: 0, content: 0 })),
    processorFaults(0),
  ),
  commandsOf(
    backs.map((back) => ({ ...back, process: 0 })),
    fc.constant([]),
  ),
  commandsOf(
    puts.map((put) => ({ ...put, payment: 0, client: 0, content: 0, process: 0 })),
    processorFaults(0),
  ),
  commandsOf(sweeps.map((sweep) => ({ ...sweep, process: 1 }))),
  commandsOf(jumpsToDue),
  commandsOf(sweeps, processorFaults(0)),
  commandsOf(backs),
  commandsOf(sweeps, processorFaults(0)),
];
const wentBack = disturbed(backSteps);

/** A hold that is to be given back, to a processor that may hide it. */
const hiddenSteps: readonly fc.Arbitrary<Command>[] = [
  commandsOf(usualSteps[0] ?? puts),
  commandsOf(
    fc.oneof(
      voids.map((voided) => ({ ...voided, payment: 0 })),
      partnerVoids.map((voided) => ({ ...voided, payment: 0, client: 0 })),
      jumpsToDue,
    ),
  ),
  commandsOf(sweeps),
  later,
  commandsOf(fc.record({ kind: fc.constant('captureByHand' as const), payment: fc.constant(0) })),
  commandsOf(sweeps),
];
const hidden = disturbed(hiddenSteps);

/** An order that is fulfilled on the last day, around the close-out. */
const lastDaySteps: readonly fc.Arbitrary<Command>[] = [
  ...usualSteps.slice(0, 2).map((step) => commandsOf(step, fc.constant([]))),
  commandsOf(
    fc.integer({ min: 1, max: 26 * 3600 }).map((seconds) => ({
      ...{ kind: 'jump' as const, durationMs: 7 * 24 * HOUR - seconds * SECOND, isSeen: true },
    })),
    fc.constant([]),
  ),
  commandsOf(usualSteps[2] ?? fulfils),
  reaches('up', 'up', 'refusing', 'silent'),
  commandsOf(jumpsToDue),
  commandsOf(sweeps),
  jumpsOf(10 * MINUTE, HOUR, 3 * HOUR),
  commandsOf(sweeps),
];
const lastDay = disturbed(lastDaySteps);

const first = { payment: 0, client: 0, content: 0, externalId: 0 };

/** Orders here that are paid by cards, changed and voided while others do so. */
const orderSteps: readonly fc.Arbitrary<Command>[] = [
  commandsOf(puts.map((put) => ({ ...put, ...first }))),
  commandsOf(puts.map((put) => ({ ...put, ...first, payment: 1 }))),
  commandsOf(placings.map((placing) => ({ ...placing, ...first, payment: placing.payment && 0 }))),
  commandsOf(
    fc.oneof(
      placings.map((placing) => ({ ...placing, client: 0, content: 0 })),
      addedPayments.map((added) => ({ ...added, ...first, payment: added.payment })),
    ),
  ),
  commandsOf(
    fc.oneof(
      addedPayments.map((added) => ({ ...added, ...first, payment: added.payment })),
      orderTips.map((tip) => ({ ...tip, payment: 0 })),
      orderVoids.map((voided) => ({ ...voided, ...first })),
    ),
  ),
  commandsOf(fc.oneof(orderVoids, orderTips, fulfils, voids, jumpsToDue)),
  commandsOf(sweeps),
  commandsOf(fc.oneof(captures, orderTips, jumpsToDue)),
  commandsOf(sweeps),
];
const orderLives = disturbed(orderSteps);

const firstOrder = decisionsOfStaff.map((decision) => ({ ...decision, client: 0, externalId: 0 }));
const secondPayment = addedPayments.map((added) => ({ ...added, ...first, payment: 1 }));
const undisturbed = { process: 0, go: 'toEnd' as const };
const placed = fc
  .tuple(
    commandsOf(
      puts.map((put) => ({ ...put, ...first, ...undisturbed })),
      fc.constant([]),
    ),
    commandsOf(
      puts.map((put) => ({ ...put, ...first, ...undisturbed, payment: 1 })),
      fc.constant([]),
    ),
    commandsOf(
      placings.map((one) => ({ ...one, ...first, ...undisturbed, payment: one.payment && 0 })),
      fc.constant([]),
    ),
  )
  .map((commands) => [...commands]);
const staffSteps: readonly fc.Arbitrary<Command>[] = [
  commandsOf(
    fc.oneof(
      secondPayment,
      firstOrder.map((decision) => ({ ...decision, move: 'approve' as const })),
      firstOrder,
    ),
  ),
  commandsOf(fc.oneof(firstOrder, secondPayment)),
  commandsOf(fc.oneof(firstOrder, orderWorks, orderTips)),
  commandsOf(fc.oneof(firstOrder, secondPayment)),
  commandsOf(fc.oneof(jumpsToDue, firstOrder)),
  commandsOf(fc.oneof(orderWorks, firstOrder)),
  commandsOf(sweeps),
  commandsOf(fc.oneof(firstOrder, captures)),
  commandsOf(sweeps),
];
/** Orders here that staff decide about, until the money is taken or given back. */
const staffLives = fc
  .tuple(placed, disturbed(staffSteps))
  .map(([begin, others]) => [...begin, ...others]);

/** Two years, so that every date and both changes of the clock are met. */
const instants = fc
  .integer({ min: Date.UTC(2026, 0, 1) / SECOND, max: Date.UTC(2027, 11, 31) / SECOND })
  .map((seconds) => seconds * SECOND);
/** Nights on which clocks change, in America, Europe and on Lord Howe Island. */
const changes = [
  ...[Date.UTC(2026, 2, 8, 4), Date.UTC(2026, 10, 1, 3), Date.UTC(2026, 2, 28, 20)],
  ...[Date.UTC(2026, 9, 24, 20), Date.UTC(2026, 3, 4, 10), Date.UTC(2026, 9, 3, 10)],
];
const startInstants = fc.oneof(
  { weight: 2, arbitrary: instants },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...changes), fc.nat({ max: 8 * 3600 }))
      .map(([ms, seconds]) => ms + seconds * SECOND),
  },
);

const merchants = fc.nat({ max: DAYS.length - 1 });

const rest = {
  isFrozen: fc.boolean(),
  width: fc.oneof(
    { weight: 5, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.constant(3) },
  ),
};
const plainPayments = fc.array(paymentPlans, { minLength: PAYMENTS_MAX, maxLength: PAYMENTS_MAX });

const usualPlans: fc.Arbitrary<RunPlan> = fc.record({
  ...{ startMs: startInstants, merchant: merchants, ...rest, payments: plainPayments },
  commands: fc.oneof(soups, lives, recoveries, stuck, givenUp, stalled, wentBack, orderLives),
});

const staffPlans: fc.Arbitrary<RunPlan> = fc.record({
  ...{ startMs: startInstants, merchant: merchants, ...rest, payments: plainPayments },
  commands: staffLives,
});

const hiddenPlans: fc.Arbitrary<RunPlan> = fc.record({
  ...{ startMs: startInstants, merchant: merchants, ...rest },
  payments: fc
    .tuple(plainPayments, fc.constantFrom(null, ...HIDDEN_MS))
    .map(([plans, hidesHoldMs]) => plans.map((plan) => ({ ...plan, hidesHoldMs }))),
  commands: hidden,
});

/** They begin around a close-out, and so does their capture deadline. */
const lastDayPlans: fc.Arbitrary<RunPlan> = fc
  .record({
    ...{ startMs: startInstants, merchant: merchants, ...rest, payments: plainPayments },
    ...{ commands: lastDay, aheadMs: fc.integer({ min: -10, max: 70 }).map((n) => n * MINUTE) },
  })
  .map(({ aheadMs, ...plan }) => {
    const { toMs } = closeOutsAfter(plan.startMs, DAYS[plan.merchant] ?? DAYS[0]);
    return { ...plan, startMs: toMs + aheadMs };
  });

/** Whole runs. */
export const runPlans: fc.Arbitrary<RunPlan> = fc.oneof(
  { weight: 7, arbitrary: usualPlans },
  { weight: 4, arbitrary: staffPlans },
  { weight: 1, arbitrary: hiddenPlans },
  { weight: 1, arbitrary: lastDayPlans },
);
