import type { Finding } from './finding.ts';

/** A reviewed line: where a rule does not hold, and why. */
export interface Exception {
  readonly rule: string;
  /** A file, or a folder that ends in `/`. */
  readonly path: string;
  /** A word of the findings that are meant, where the rule itself is to hold for all others. */
  readonly mentions?: string;
  readonly reason: string;
}

/** Where this table stands, for findings about the table itself. */
const EXCEPTIONS_PATH = 'tools/tidy/exceptions.ts';

/** Every exception there is. A row that nothing needs any more is a finding itself. */
export const exceptions: readonly Exception[] = [
  {
    rule: 'tests-run',
    path: 'packages/server/test/boot/readiness.test.ts',
    reason:
      'Only root can mount a disk that is really full; the injected form beside it always runs.',
  },
  {
    rule: 'arrows',
    path: 'packages/server/src/database/open.ts',
    mentions: 'src/config/config.ts',
    reason: 'Opening takes a Pick of the Config type; the values come as an argument.',
  },
  {
    rule: 'arrows',
    path: 'packages/server/src/sandbox/',
    mentions: 'src/config/config.ts',
    reason: 'Filling takes a Pick of the Config type; the values come as an argument.',
  },
  {
    rule: 'any',
    path: 'packages/postgres/src/sql.ts',
    reason: 'What PostgreSQL answers is known only to the statement that asks.',
  },
  {
    rule: 'any',
    path: 'packages/server/test/payments/fixture.ts',
    reason: 'Tests reach into bodies that the contract has checked already.',
  },
  {
    rule: 'any',
    path: 'packages/server/test/request.ts',
    reason: 'Tests reach into bodies that the contract has checked already.',
  },
  {
    rule: 'environment',
    path: 'acceptance/src/settings.ts',
    reason:
      'The suite has no main.ts: whoever runs its tests tells it the platform’s address here.',
  },
  {
    rule: 'environment',
    path: 'packages/postgres/test/test-database.ts',
    reason: 'Test processes learn here where the database server of the whole run is.',
  },
  {
    rule: 'environment',
    path: 'packages/postgres/test/global-setup.ts',
    reason: 'It tells the test processes where the database server of the whole run is.',
  },
  {
    rule: 'environment',
    path: 'packages/cli/test/command.ts',
    reason:
      'The command under test gets the environment of the tests, without what would steer it.',
  },
  {
    rule: 'environment',
    path: 'bench/src/platform.ts',
    reason: 'The platform under load gets the environment of the bench, and its own settings.',
  },
  {
    rule: 'environment',
    path: 'tools/',
    reason: 'Tools start other programs, which need the environment of whoever called.',
  },
  {
    rule: 'time',
    path: 'packages/support/src/timer.ts',
    reason: 'The far end of a network call does not follow a sandbox’s clock; a port for tests.',
  },
  {
    rule: 'time',
    path: 'packages/webhooks/src/present.ts',
    reason: 'A receiver stands outside of every environment: its present is its machine’s.',
  },
  {
    rule: 'time',
    path: 'packages/support/src/after-real-time.ts',
    reason: 'Far ends and receivers do not follow a sandbox’s clock; their ports lead here.',
  },
  {
    rule: 'time',
    path: 'packages/server/src/webhooks/sockets/timers.ts',
    reason: 'Receivers do not follow a sandbox’s clock; a port for tests.',
  },
  {
    rule: 'time',
    path: 'packages/postgres/src/database.ts',
    reason: 'The pause before a transaction is tried again is real time, drawn by lot.',
  },
  {
    rule: 'time',
    path: 'packages/postgres/src/session-pool.ts',
    reason: 'Waiting for a free connection ends after real time.',
  },
  {
    rule: 'time',
    path: 'packages/postgres/src/embedded.ts',
    reason: 'It waits for another process, which follows no clock of ours.',
  },
  {
    rule: 'time',
    path: 'packages/postgres/src/postmaster.ts',
    reason: 'It waits for another process, which follows no clock of ours.',
  },
  {
    rule: 'time',
    path: 'packages/server/src/requests/work-budget.ts',
    mentions: 'performance.now',
    reason: 'How long the log of requests took, so that requests hardly wait for it.',
  },
  {
    rule: 'time',
    path: 'packages/postgres/test/database.test.ts',
    reason: 'The database’s own time is compared with the machine’s.',
  },
  {
    rule: 'time',
    path: 'packages/postgres/test/embedded.test.ts',
    reason: 'The test waits for processes that it killed, which follow no clock of ours.',
  },
  {
    rule: 'time',
    path: 'packages/card-simulator/test/',
    mentions: 'setImmediate',
    reason: 'One turn of the event loop, no time: what is under way goes on before the test looks.',
  },
  {
    rule: 'time',
    path: 'packages/server/test/payments/',
    mentions: 'setImmediate',
    reason: 'One turn of the event loop, no time: what is under way goes on before the test looks.',
  },
  {
    rule: 'time',
    path: 'packages/server/test/webhooks/sockets/',
    mentions: 'setImmediate',
    reason: 'Turns of the event loop, no time: what is on its way over loopback arrives first.',
  },
  {
    rule: 'time',
    path: 'packages/server/test/payment-model/scheduler.ts',
    mentions: 'setImmediate',
    reason: 'One turn of the event loop, no time: all that needs no port goes on before the next.',
  },
  {
    rule: 'time',
    path: 'packages/cli/test/logged.ts',
    reason: 'The log of requests is written while a platform idles: a test has to let it.',
  },
  {
    rule: 'time',
    path: 'acceptance/src/',
    reason: 'From outside a platform’s time passes only by waiting, as Retry-After says.',
  },
  {
    rule: 'time',
    path: 'bench/src/pause.ts',
    reason: 'Peers do not say when they answer, and idle memory is what is left after a while.',
  },
  {
    rule: 'time',
    path: 'bench/src/report.ts',
    mentions: 'Temporal.Now',
    reason: 'The day of a run stands beside its figures, and decides nothing.',
  },
  {
    rule: 'time',
    path: 'tools/crash/',
    reason: 'A crash run waits for processes that it kills, and for guests who take their time.',
  },
  {
    rule: 'time',
    path: 'tools/hooks-crash/',
    reason: 'A crash run waits for processes that it kills.',
  },
  {
    rule: 'time',
    path: 'tools/staleness/',
    reason: 'Processes that stand still, and what they may remember, are a matter of real seconds.',
  },
  {
    rule: 'time',
    path: 'tools/plans/',
    reason: 'What a platform repeats by itself is waited for, which takes a moment of real time.',
  },
  {
    rule: 'time',
    path: 'bench/src/measuring-processor.ts',
    reason: 'How late a deadline is acted upon is measured against the time of the machine.',
  },
  {
    rule: 'time',
    path: 'bench/src/scenarios/deadlines.ts',
    reason: 'What falls due on the running clock is waited for, and not for ever.',
  },
  {
    rule: 'time',
    path: 'tools/setup.mjs',
    reason: 'Set-up runs before anything is installed and waits for other set-ups.',
  },
  {
    rule: 'store-verb',
    path: 'packages/server/src/configuration/write-store.ts',
    mentions: 'upsert',
    reason: 'One statement inserts or updates; none of the verbs says both.',
  },
  {
    rule: 'store-verb',
    path: 'packages/server/src/partners/write-store.ts',
    mentions: 'upsert',
    reason: 'One statement inserts or updates; none of the verbs says both.',
  },
  {
    rule: 'store-verb',
    path: 'packages/server/src/restaurants/write-store.ts',
    mentions: 'upsert',
    reason: 'One statement inserts or updates; none of the verbs says both.',
  },
  {
    rule: 'touching',
    path: 'packages/server/src/clients/use-store.ts',
    mentions: '`updateClientsUsed`',
    reason: 'No cached answer and no caller shows when an account was last of use.',
  },
  {
    rule: 'touching',
    path: 'packages/server/src/clients/use-store.ts',
    mentions: '`updateSecretsUsed`',
    reason: 'No cached answer shows when a secret was last of use, and no login hangs on it.',
  },
  {
    rule: 'touching',
    path: 'packages/server/src/clients/grant-store.ts',
    mentions: '`deleteExpiredRevokedTokens`',
    reason: 'Tokens that have expired are refused whether or not they were revoked.',
  },
  {
    rule: 'touching',
    path: 'packages/server/src/tokens/signing-key-store.ts',
    mentions: '`updateSignedUntil`',
    reason: 'Logins remember when a younger key takes over, and never how long one is accepted.',
  },
  {
    rule: 'touching',
    path: 'packages/server/src/configuration/write-store.ts',
    mentions: '`updateObjectTimes`',
    reason:
      'It dates what upserts of the same transaction have written, which say what they change.',
  },
  {
    rule: 'touching',
    path: 'packages/server/src/partners/write-store.ts',
    mentions: '`updateConnectionTimes`',
    reason: 'Cached is whether a connection lives, not since when.',
  },
  {
    rule: 'touching',
    path: 'packages/server/src/partners/write-store.ts',
    mentions: '`updateConnectionsModified`',
    reason: 'Cached is whether a connection lives, not when it changed.',
  },
  {
    rule: 'touching',
    path: 'packages/server/src/partners/write-store.ts',
    mentions: '`updateConnectionDated`',
    reason: 'Cached is whether a connection lives, not when it changed.',
  },
  {
    rule: 'touching',
    path: 'packages/server/src/stock/change-store.ts',
    mentions: '`levelSteps`',
    reason: 'A piece of two statements: one is touching, one raises the counter itself.',
  },
];

/** What is left of the findings, and a finding for each row that excused none of them. */
export function applyExceptions(
  findings: readonly Finding[],
  rows: readonly Exception[] = exceptions,
): Finding[] {
  const used = new Set<Exception>();
  const left = findings.filter((finding) => {
    const row = rows.find((candidate) => excuses(candidate, finding));
    if (row) used.add(row);
    return !row;
  });
  const unused = rows.filter((row) => !used.has(row));
  return [...left, ...unused.map(unusedFinding)];
}

function excuses({ rule, path, mentions = '' }: Exception, finding: Finding): boolean {
  if (rule !== finding.rule || !finding.message.includes(mentions)) return false;
  return path.endsWith('/') ? finding.path.startsWith(path) : finding.path === path;
}

function unusedFinding({ rule, path }: Exception): Finding {
  const message = `No ${rule} in ${path} needs this row. Use a table without it instead.`;
  return { path: EXCEPTIONS_PATH, line: 1, rule: 'unused-exception', message };
}
