// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { DefectEdit } from '../sabotage/defect.ts';
import { openWorkshop } from '../sabotage/workshop.ts';

/** Something that is broken on purpose, and that a crash run must notice. */
export interface CrashDefect {
  readonly name: string;
  /** What it would do to somebody, in a sentence. */
  readonly why: string;
  readonly edits: readonly DefectEdit[];
}

const PAYMENTS = 'packages/server/src/payments';

/** The defects that `--defect` knows. */
export const crashDefects: readonly CrashDefect[] = [
  {
    name: 'answer-before-commit',
    why: 'A partner would be told of a hold that the next question knows nothing of.',
    edits: [
      {
        name: 'answer-before-commit',
        file: `${PAYMENTS}/authorize.ts`,
        find: 'const { isOurs, payment: recorded } = await recordOutcome(deps, payment, move);',
        replace: `void recordOutcome(deps, payment, move).catch(() => {});
    const { nextState } = await import('./lifecycle.ts');
    const isOurs = true;
    const recorded = { ...payment, ...move.change, state: nextState(payment.state, move.cause) };`,
      },
    ],
  },
  {
    name: 'no-compare-and-set',
    why: 'Of two who move a payment at once, the second would undo what the first was promised.',
    edits: [
      {
        name: 'no-compare-and-set: code',
        file: `${PAYMENTS}/record.ts`,
        find: 'move.alarm || move.origin\n',
        replace: 'true || move.origin\n',
      },
      {
        name: 'no-compare-and-set: version',
        file: `${PAYMENTS}/record.ts`,
        find: '  const [moved] = await insertMove(sql, payment, storedMove(',
        replace: `  const found = await findPayment(sql, payment);
  payment = { ...payment, version: found?.version ?? payment.version };
  const [moved] = await insertMove(sql, payment, storedMove(`,
      },
      {
        name: 'no-compare-and-set: conflict',
        file: `${PAYMENTS}/record.ts`,
        find: '  if (!moved) return null;',
        replace: '  if (!moved) return await applyMove(sql, payment, move, { change, guids });',
      },
      {
        name: 'no-compare-and-set: statement',
        file: `${PAYMENTS}/move-store.ts`,
        find: 'and payment.version = ${expected.version} and payment.state = ${expected.state}\n',
        replace: 'and payment.version = ${expected.version}\n',
      },
      {
        // The database's own chain of events would refuse what the code no longer does.
        name: 'no-compare-and-set: database',
        file: 'packages/server/migrations/0001-baseline.sql',
        find: `
  constraint payment_event_chain_fkey
    foreign key (merchant_guid, payment_uuid, previous_version, from_state, previous_digest)
    references payment_event (merchant_guid, payment_uuid, version, to_state, digest),`,
        replace: '',
      },
    ],
  },
  {
    name: 'random-processor-key',
    why: 'What became of a call could not be inquired: its key would be nowhere.',
    edits: [
      {
        name: 'random-processor-key',
        file: `${PAYMENTS}/processor.ts`,
        find: 'return `auth:${paymentId}:${attempt}`;',
        replace: 'return `auth:${paymentId}:${attempt}:${Math.random()}`;',
      },
    ],
  },
];

/**
 * Runs `work` with the root of a copy of the repository that has the defect, and removes the copy.
 * Throws OutdatedDefect when the code went on without the texts of the defect.
 */
export async function withCrashDefect<Result>(
  root: string,
  { edits }: CrashDefect,
  work: (root: string) => Promise<Result>,
): Promise<Result> {
  const workshop = openWorkshop(root);
  process.once('exit', () => workshop.close());
  const breakAll = ([edit, ...others]: readonly DefectEdit[]): Promise<Result> =>
    edit ? workshop.withDefect(edit, () => breakAll(others)) : work(workshop.folder);
  try {
    return await breakAll(edits);
  } finally {
    workshop.close();
  }
}
