// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';
import { readyPathDefects } from './caches-ready.ts';

const SERVER = 'packages/server/src';
const TESTS = 'packages/server/test/db';

const touched = { file: `${TESTS}/touched.test.ts`, name: /raises just what it changes/ };
const freshness = (name: RegExp) => ({ file: `${TESTS}/freshness.test.ts`, name });
const looker = (name: RegExp) => ({ file: `${TESTS}/looker.test.ts`, name });
const cache = (name: RegExp) => ({ file: `${TESTS}/cache.test.ts`, name });
const logins = (name: RegExp) => ({
  file: 'packages/server/test/auth/log-in-memory.test.ts',
  name,
});

/** Defects of statements that do not say what they change, or say another thing. */
const forgottenTouches: readonly Defect[] = [
  {
    name: 'caches-untouched-client',
    file: `${SERVER}/auth/client-store.ts`,
    find: 'const [row] = await sql.touching([`client:${clientId}`])<{ changed: number }[]>`',
    replace: 'const [row] = await sql<{ changed: number }[]>`',
    why: 'A scope that was taken away would be served for ever.',
    caughtBy: touched,
  },
  {
    name: 'caches-untouched-token',
    file: `${SERVER}/auth/grant-store.ts`,
    find: 'await sql.touching([`client:${token.clientId}`])`',
    replace: 'await sql`',
    why: 'A token that was revoked would go on opening doors.',
    caughtBy: touched,
  },
  {
    name: 'caches-untouched-signing-key',
    file: `${SERVER}/auth/signing-key-store.ts`,
    find: "sql.touching(['signingKeys:all'])`",
    replace: 'sql`',
    why: 'Logins would go on giving out tokens of a key that was replaced.',
    caughtBy: touched,
  },
  {
    name: 'caches-untouched-connection',
    file: `${SERVER}/partners/write-store.ts`,
    find: 'sql.touching(restaurantsOf)`',
    replace: 'sql`',
    why: 'A partner whose connection was removed would go on reading.',
    caughtBy: touched,
  },
  {
    name: 'caches-untouched-publication',
    file: `${SERVER}/restaurants/write-store.ts`,
    find: 'sql.touching([`restaurant:${restaurantGuid}`, `configuration:${restaurantGuid}`]);',
    replace: 'sql.touching([`restaurant:${restaurantGuid}`]);',
    why: 'Pages from before a publication would be followed by pages from after it.',
    caughtBy: touched,
  },
  {
    name: 'caches-untouched-configuration',
    file: `${SERVER}/configuration/write-store.ts`,
    find: `sql.touching([\`configuration:\${restaurantGuid}\`])\`
    update configuration_object as stored
    set archived = true`,
    replace: `sql\`
    update configuration_object as stored
    set archived = true`,
    why: 'What a menu no longer has would be offered for ever.',
    caughtBy: touched,
  },
  {
    name: 'caches-untouched-stock',
    file: `${SERVER}/stock/change-store.ts`,
    find: 'sql.touching([`stock:${restaurantGuid}`])<MadeChange[]>`',
    replace: 'sql<MadeChange[]>`',
    why: 'Guests would order what is sold out.',
    caughtBy: touched,
  },
  {
    name: 'caches-untouched-group-before',
    file: `${SERVER}/restaurants/admin-store.ts`,
    find: '[groupGuidBefore, row.managementGroupGuid].map(',
    replace: '[row.managementGroupGuid].map(',
    why: 'A restaurant that has moved would stay in the list of the group that it left.',
    caughtBy: touched,
  },
];

/** Defects of what a process knows of changes. */
const freshnessDefects: readonly Defect[] = [
  {
    name: 'caches-commit-before-marks',
    file: 'packages/server/src/freshness/change-mark-store.ts',
    find: 'return statement.then((rows) => rows);',
    replace: 'return Promise.resolve().then(() => statement);',
    why: 'A crash behind a COMMIT would leave a change that no other process hears of.',
    caughtBy: freshness(/counters are sent before the COMMIT/),
  },
  {
    name: 'caches-unknown-commit-forgotten',
    file: 'packages/server/src/database/database.ts',
    find: '    if (error instanceof CommitUnknownError && touched.size > 0) freshness.doubt([...touched]);\n',
    replace: '',
    why: 'A change whose COMMIT was not answered would be answered with what was before.',
    caughtBy: freshness(/unanswered counts as a change/),
  },
  {
    name: 'caches-doubt-ends-at-once',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'const DOUBTED_FOR_MS = 60_000;',
    replace: 'const DOUBTED_FOR_MS = 0;',
    why: 'What was read before a late COMMIT would be served after it.',
    caughtBy: cache(/is doubted for a while/),
  },
  {
    name: 'caches-own-change-unknown',
    file: 'packages/server/src/database/database.ts',
    find: '    if (touched.size > 0) freshness.committed([...touched], await raised.catch(() => []));\n',
    replace: '',
    why: 'Whoever has an answer to his change would read what was before it.',
    caughtBy: freshness(/own change is known before/),
  },
  {
    name: 'caches-known-for-too-long',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'const KNOWN_FOR_MS = 700;',
    replace: 'const KNOWN_FOR_MS = 1_400;',
    why: 'A process that hears nothing would serve what was changed over a second ago.',
    caughtBy: freshness(/nor 700 ms after the last one was sent/),
  },
  {
    name: 'caches-known-for-ever',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'if (nowMs - this.#knownAtMs > KNOWN_FOR_MS) return false;',
    replace: 'if (this.#knownAtMs === Number.NEGATIVE_INFINITY) return false;',
    why: 'A process without its database would serve the past for as long as it lives.',
    caughtBy: cache(/no schedule of changes/),
  },
  {
    name: 'caches-known-since-the-answer',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'this.#knownAtMs = allRaise ? askedAtMs',
    replace: 'this.#knownAtMs = allRaise ? this.#nowMs()',
    why: 'After a slow look a change would be unknown for as much longer.',
    caughtBy: freshness(/counts from when it was sent/),
  },
  {
    name: 'caches-always-current',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'if ((this.#changedAt[buckets[at] as number] as number) > moment) return false;',
    replace: '',
    why: 'Whatever was read once would be served for ever.',
    caughtBy: cache(/no schedule of changes/),
  },
  {
    name: 'caches-look-waits-in-line',
    file: 'packages/server/src/database/database.ts',
    find: 'look: () => looker.look(),',
    replace: 'look: () => freshness.look(makeSql(pool.send)),',
    why: 'Slow work would take memory away just when it is what keeps the process answering.',
    caughtBy: looker(/waits for nobody who waits for the pool/),
  },
  {
    name: 'caches-look-without-end',
    file: 'packages/server/src/freshness/looker.ts',
    find: 'isSound = (await inTime(looking, limitMs)) !== null;',
    replace: 'isSound = await looking;',
    why: 'After one connection that hangs nothing would be answered from memory for hours.',
    caughtBy: looker(/not answered gives its connection up/),
  },
  {
    name: 'caches-sleep-unnoticed',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'return this.#wallMs() - nowMs - this.#wallAheadMs <= SLEPT_MS;',
    replace: 'return true;',
    why: 'A machine that wakes up would answer with what was true when it fell asleep.',
    caughtBy: freshness(/a machine that slept/),
  },
  {
    name: 'caches-clocks-read-in-the-wrong-order',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'const wallMs = this.#wallMs();\n    const askedAtMs = this.#nowMs();',
    replace: 'const askedAtMs = this.#nowMs();\n    const wallMs = this.#wallMs();',
    why: 'A process that is stopped in the middle of it would not notice that it slept later.',
    caughtBy: freshness(/held up between the clocks/),
  },
  {
    name: 'caches-other-server-unnoticed',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'if (serverStartedAt !== this.#serverStartedAt) this.#meetServer(serverStartedAt);',
    replace: '',
    why: 'After a failover that lost changes, what is lost would be served for ever.',
    caughtBy: freshness(/what another server answers/),
  },
  {
    name: 'caches-counters-of-another-server-kept',
    file: 'packages/server/src/freshness/freshness.ts',
    find: "this.#revisions = [];\n    this.#looked = [];\n    this.#total = '';\n",
    replace: '',
    why: 'A change whose counter comes to a number from before a failover would not be noticed.',
    caughtBy: freshness(/what another server answers/),
  },
  {
    name: 'caches-counter-that-goes-back-forgiven',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'if (isBehind(this.#looked, revisions)) this.#forgetAll();',
    replace: '',
    why: 'In a database that was put back, what is not so any more would be served for ever.',
    caughtBy: freshness(/counter that goes back/),
  },
  {
    name: 'caches-unmarked-changes-forgiven',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'if (!(allRaise && this.#didAllRaise)) this.#forgetAll();',
    replace: '',
    why: 'What a process of an older version changed would never be noticed.',
    caughtBy: freshness(/beside a process that raises no counters/),
  },
  {
    name: 'caches-older-look-counts',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'if (askedAtMs < this.#answeredAtMs) return;',
    replace: '',
    why: 'A late answer would say that everybody raises counters when somebody does not.',
    caughtBy: freshness(/older look does not unsay/),
  },
  {
    name: 'caches-moment-after-reading',
    file: 'packages/server/src/freshness/cache.ts',
    find: '    const cached = { value, stamp };',
    replace: '    const cached = { value, stamp: { ...stamp, moment: this.#freshness.begin() } };',
    why: 'What was read before a change and came back after it would be kept.',
    caughtBy: cache(/comes back after it is not kept/),
  },
  {
    name: 'caches-stale-reading-joined',
    file: 'packages/server/src/freshness/cache.ts',
    find: 'if (underWay && this.isGood(underWay.stamp))',
    replace: 'if (underWay)',
    why: 'Whoever reads what he has just changed would be told what was before.',
    caughtBy: cache(/does not join a reading from before it/),
  },
  {
    name: 'caches-nothing-migrated-forgotten',
    file: 'packages/server/src/database/migrations.ts',
    find: '  if (found.exists) await updateAllMarks(sql);\n',
    replace: '',
    why: 'What a migration changed would be answered as it was.',
    caughtBy: freshness(/migration makes every process forget/),
  },
];

/** Defects of logins from memory. */
const loginDefects: readonly Defect[] = [
  {
    name: 'caches-login-wrong-secret-let-in',
    file: `${SERVER}/auth/log-in.ts`,
    find: 'const known = letIn(deps.logins.find(key)?.value ?? null, digest, nowMs);',
    replace:
      'const was = deps.logins.find(key)?.value;\n' +
      '  const known = was?.secrets[0] ? { client: was.client, secret: was.secrets[0] } : null;',
    why: 'Once an account has logged in, anybody could log in as it.',
    caughtBy: logins(/a wrong secret is let in from nowhere/),
  },
  {
    name: 'caches-login-secret-without-end',
    file: `${SERVER}/auth/log-in.ts`,
    find: 'expiresAtMs === null || expiresAtMs > nowMs;',
    replace: 'expiresAtMs === null || expiresAtMs > 0;',
    why: 'A secret that is used often would never end.',
    caughtBy: logins(/the end of a secret/),
  },
];

/** Defects of what processes remember: the past, or what is somebody else's. */
export const cacheDefects: readonly Defect[] = [
  ...forgottenTouches,
  ...freshnessDefects,
  ...loginDefects,
  ...readyPathDefects,
  {
    name: 'caches-confirmed-in-part',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'const raised = this.#unknownOf(await this.#list(EVERY_BUCKET));',
    replace: 'const raised = this.#unknownOf(await this.#list(buckets));',
    why: 'A restaurant would be read as it is, and then the list of its group as it was.',
    caughtBy: {
      file: 'packages/server/test/db/freshness.test.ts',
      name: /who has read a part of what/,
    },
  },
  {
    name: 'caches-reading-not-confirmed-while-unknown',
    file: 'packages/server/src/freshness/freshness.ts',
    find: 'if (!this.#list || this.#knownAtMs === Number.NEGATIVE_INFINITY) return;',
    replace: 'if (!this.#list || !this.isKnown()) return;',
    why: 'A look that was sent before would let memory be used that is older than what was told.',
    caughtBy: {
      file: 'packages/server/test/db/freshness.test.ts',
      name: /counts when an older look comes/,
    },
  },
];
