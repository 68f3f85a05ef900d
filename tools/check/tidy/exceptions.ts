import type { Finding } from './finding.ts';

/** A reviewed line: where a rule does not hold, and why. */
interface Exception {
  readonly rule: string;
  /** A file, or a folder that ends in `/`. */
  readonly path: string;
  /** A word of the findings that are meant, where the rule itself is to hold for all others. */
  readonly mentions?: string;
  readonly reason: string;
}

/** Where this table stands, for findings about the table itself. */
const EXCEPTIONS_PATH = 'tools/check/tidy/exceptions.ts';

/** Every exception there is. A row that nothing needs anymore is a finding itself. */
const exceptions: readonly Exception[] = [
  {
    rule: 'sql-place',
    path: 'tools/verify/defects/list.ts',
    reason: 'A defect that is planted in a store answers with a statement of its own.',
  },
  {
    rule: 'tests-run',
    path: 'packages/server/test/boot/readiness.test.ts',
    reason:
      'Only root can mount a disk that is really full; the injected form beside it always runs.',
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
    path: 'packages/support/test/program.ts',
    reason: 'Test processes learn here where the programs of the whole run are.',
  },
  {
    rule: 'environment',
    path: 'packages/support/test/filled-sandbox.ts',
    reason: 'Test processes learn here where the filled sandbox of the whole run is.',
  },
  {
    rule: 'environment',
    path: 'packages/console/test/console.ts',
    reason: 'A developer sets it to have the main tasks walked by mouse.',
  },
  {
    rule: 'environment',
    path: 'packages/testing/src/environment.ts',
    reason: 'Tests have no main.ts: the process of their runner tells here what they need.',
  },
  {
    rule: 'environment',
    path: 'packages/testing/test/sandbox.test.ts',
    reason: 'It tells the package where a platform is, as people do.',
  },
  {
    rule: 'environment',
    path: 'packages/postgres/test/embedded-driver.ts',
    reason: 'The program under test shares what the run has compiled, and nothing else.',
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
    path: 'docs/guides/certify/',
    reason: 'It is an integration of somebody else, which servery certify tells what to do there.',
  },
  {
    rule: 'environment',
    path: 'docs/guides/generated-clients/',
    reason: 'It is a whole program that its reader starts.',
  },
  {
    rule: 'environment',
    path: 'docs/guides/receivers/',
    reason: 'A receiver is a whole program that its reader starts.',
  },
  {
    rule: 'environment',
    path: 'tools/',
    reason: 'Tools start other programs, which need the environment of whoever called.',
  },
  {
    rule: 'time',
    path: 'docs/guides/receivers/',
    reason: 'A receiver stands outside of every environment: its present is its machine’s.',
  },
  {
    rule: 'time',
    path: 'packages/client/src/present.ts',
    reason: 'An integration stands outside of every environment: its present is its machine’s.',
  },
  {
    rule: 'time',
    path: 'packages/client/test/examples.ts',
    reason: 'It shows what an integration does, whose present is its machine’s.',
  },
  {
    rule: 'time',
    path: 'examples/',
    reason: 'It is a project of its own, whose present is its machine’s.',
  },
  {
    rule: 'time',
    path: 'packages/testing/fixtures/',
    reason: 'It is a project of its own, whose present is its machine’s.',
  },
  {
    rule: 'time',
    path: 'packages/console/src/platform/present.ts',
    reason: 'A page has only the clock and the timers of its browser.',
  },
  {
    rule: 'time',
    path: 'packages/server/src/health/measure.ts',
    mentions: 'node:perf_hooks',
    reason: 'How late the event loop is shows only there, and decides nothing.',
  },
  {
    rule: 'time',
    path: 'packages/webhooks/src/present.ts',
    reason: 'A receiver stands outside of every environment: its present is its machine’s.',
  },
  {
    rule: 'time',
    path: 'packages/postgres/test/database.test.ts',
    reason: 'The database’s own time is compared with the machine’s.',
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
    path: 'tools/verify/crash/caller.ts',
    mentions: 'AbortSignal.timeout',
    reason: 'It calls from outside a platform, as any client does.',
  },
  {
    rule: 'time',
    path: 'tools/verify/hooks-crash/sender.ts',
    mentions: 'setInterval',
    reason: 'The process lives until it is killed.',
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
  {
    rule: 'touching',
    path: 'packages/server/src/stock/change-store.ts',
    mentions: '`historyStep`',
    reason: 'A piece of three statements: two are touching, one raises the counter itself.',
  },
  ...[
    'packages/server/src/people/credential-store.ts',
    'packages/server/src/people/person-store.ts',
    'packages/server/src/sandboxes/adopt-store.ts',
  ].map((path) => ({
    rule: 'touching',
    path,
    mentions: '`person`',
    reason: 'Cached is the name of a person, which only updatePersonName changes.',
  })),
  {
    rule: 'touching',
    path: 'packages/server/src/restaurants/store.ts',
    mentions: '`insertion`',
    reason: 'A piece of three statements, which are touching.',
  },
];

/** What is left of the findings, and a finding for each row that excused none of them. */
export function applyExceptions(findings: readonly Finding[]): Finding[] {
  const used = new Set<Exception>();
  const left = findings.filter((finding) => {
    const row = exceptions.find((candidate) => excuses(candidate, finding));
    if (row) used.add(row);
    return !row;
  });
  const unused = exceptions.filter((row) => !used.has(row));
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
