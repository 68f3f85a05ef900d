// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const MIGRATION = 'packages/server/migrations/0001-baseline.sql';
const SOURCE = 'packages/server/src/payments';
const TESTS = 'packages/server/test/payments';
const LIFECYCLE = `${TESTS}/lifecycle.test.ts`;
const eachColumn = { file: LIFECYCLE, name: /I5: no column of any event of a payment can get/ };
const asAWhole = { file: LIFECYCLE, name: /I5: a history cannot be changed as a whole/ };
const ofMoves = { file: `${TESTS}/check-transitions.test.ts`, name: /I5: a database that allows/ };

/** Defects of what keeps the events of payments as they are, and of the moves that are allowed. */
export const paymentEventDefects: readonly Defect[] = [
  {
    name: 'events-cause-open',
    file: MIGRATION,
    find: "from_state || '|' || cause || '|' || to_state || '|' || attempt::text",
    replace: "from_state || '|' || to_state || '|' || attempt::text",
    why: "Money that a person took could be made the close-out's, and nobody would know.",
    caughtBy: eachColumn,
  },
  {
    name: 'events-attempt-open',
    file: MIGRATION,
    find: " || '|' || attempt::text",
    replace: '',
    why: 'An event could be said of another attempt than the one that it came of.',
    caughtBy: eachColumn,
  },
  {
    name: 'events-instant-open',
    file: MIGRATION,
    find: "'|' || (extract(epoch from occurred_at at time zone 'UTC') * 1000)::bigint::text",
    replace: "'|'",
    why: 'What came after a deadline could be said to have come before it.',
    caughtBy: eachColumn,
  },
  {
    name: 'events-instant-in-seconds',
    file: MIGRATION,
    find: "(extract(epoch from occurred_at at time zone 'UTC') * 1000)::bigint",
    replace: "(extract(epoch from occurred_at at time zone 'UTC'))::bigint",
    why: 'An event could be moved before another one of the same second.',
    caughtBy: eachColumn,
  },
  {
    name: 'events-guid-open',
    file: MIGRATION,
    find: "|| '|' || coalesce(guid::text, '-')",
    replace: '',
    why: 'A move could be made the move of another process.',
    caughtBy: eachColumn,
  },
  {
    name: 'events-details-open',
    file: MIGRATION,
    find: "|| '|' || coalesce(details::text, '-')",
    replace: '',
    why: 'Who took money could be rewritten, and it stands nowhere else.',
    caughtBy: eachColumn,
  },
  {
    name: 'events-unchained',
    file: MIGRATION,
    find: "|| '|' || coalesce(encode(previous_digest, 'hex'), '-')",
    replace: '',
    why: 'An event and the digest that the next one names could be changed together.',
    caughtBy: asAWhole,
  },
  {
    name: 'events-newest-open',
    file: MIGRATION,
    find: `
  constraint payment_event_fkey
    foreign key (merchant_guid, payment_uuid, version, state, event_digest)
    references payment_event (merchant_guid, payment_uuid, version, to_state, digest),`,
    replace: '',
    why: 'The newest event of a payment could be changed, and with it the whole history.',
    caughtBy: asAWhole,
  },
  {
    name: 'events-role-keeps-rights',
    file: MIGRATION,
    find: 'revoke update, delete, truncate on payment_event from current_user;',
    replace: '',
    why: 'A flaw that lets somebody write SQL would let him rewrite what was done.',
    caughtBy: { file: LIFECYCLE, name: /I5: no role but a superuser may change/ },
  },
  {
    name: 'moves-unchecked-at-start',
    file: 'packages/server/src/server.ts',
    find: '  await checkTransitions(database);\n',
    replace: '',
    why: 'A row in a table would allow moves that this program never makes.',
    caughtBy: ofMoves,
  },
  {
    name: 'moves-too-many-accepted',
    file: `${SOURCE}/check-transitions.ts`,
    find: 'if (missing.length + tooMany.length === 0) return;',
    replace: 'if (missing.length === 0) return;',
    why: 'A row in a table would allow moves that this program never makes.',
    caughtBy: ofMoves,
  },
  {
    name: 'moves-missing-accepted',
    file: `${SOURCE}/check-transitions.ts`,
    find: 'if (missing.length + tooMany.length === 0) return;',
    replace: 'if (tooMany.length === 0) return;',
    why: 'A payment would stand still at a move that the database refuses.',
    caughtBy: ofMoves,
  },
];
