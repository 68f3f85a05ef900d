// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/requests';
const TESTS = 'packages/server/test/requests';

/** Defects of the log of requests: what would leave a secret in it, or lose what is asked for. */
export const requestDefects: readonly Defect[] = [
  {
    name: 'requests-secrets-by-exact-case',
    file: `${SOURCE}/redact-body.ts`,
    find: 'if (rules.withheld.has(name.toLowerCase())) return LEFT_OUT;',
    replace: 'if (rules.withheld.has(name)) return LEFT_OUT;',
    why: 'A secret under a name like clientSecret would be kept.',
    caughtBy: { file: `${TESTS}/redact.test.ts`, name: /a password, a secret and a token are/ },
  },
  {
    name: 'requests-unknown-fields-kept',
    file: `${SOURCE}/redact-body.ts`,
    find: 'if (isForeign && !isNested(value)) return LEFT_OUT;',
    replace: '',
    why: 'A secret in a field that nobody asked for would be kept.',
    caughtBy: { file: `${TESTS}/redact.test.ts`, name: /values of fields that nobody knows/ },
  },
  {
    name: 'requests-card-numbers-as-numbers',
    file: `${SOURCE}/redact-body.ts`,
    find: "if (typeof value === 'number') return redactNumber(value, rules);",
    replace: '',
    why: 'A card number that was sent as a number would be kept.',
    caughtBy: { file: `${TESTS}/redact.test.ts`, name: /a card number goes from values/ },
  },
  {
    name: 'requests-all-headers-kept',
    file: `${SOURCE}/redact-parts.ts`,
    find: 'else if (requestHeaders.has(name) || name === restaurantHeader) {',
    replace: 'else {',
    why: 'A key in a header of its own would be kept.',
    caughtBy: { file: `${TESTS}/redact.test.ts`, name: /of headers only harmless ones/ },
  },
  {
    name: 'requests-token-after-scheme',
    file: `${SOURCE}/redact-parts.ts`,
    find: 'return scheme ? `${scheme} ${LEFT_OUT}` : LEFT_OUT;',
    replace: 'return scheme ? value : LEFT_OUT;',
    why: 'Whoever reads the log could act as the client.',
    caughtBy: { file: `${TESTS}/redact.test.ts`, name: /of headers only harmless ones/ },
  },
  {
    name: 'requests-stray-secrets-in-paths',
    file: `${SOURCE}/redact-parts.ts`,
    find: 'if (decoded.length > LONGEST_PART && parseGuid(decoded) === null) return LEFT_OUT;',
    replace: '',
    why: 'A link with its secret in the wrong place would be kept.',
    caughtBy: { file: `${TESTS}/redact.test.ts`, name: /a long part of a path/ },
  },
  {
    name: 'requests-age-of-the-youngest',
    file: `${SOURCE}/queue.ts`,
    find: 'Math.min(...answered)',
    replace: 'Math.max(...answered)',
    why: 'A log that falls behind would look like one that keeps up.',
    caughtBy: { file: `${TESTS}/log.test.ts`, name: /requests wait for the log, and for how long/ },
  },
  {
    name: 'requests-of-other-groups',
    file: `${SOURCE}/log-store.ts`,
    find: 'return sql`${isReached(sql, reach)}\n    ${clientId',
    replace: 'return sql`true\n    ${clientId',
    why: 'A restaurant group would read the requests of another one.',
    caughtBy: { file: `${TESTS}/log.test.ts`, name: /restaurant, group and partner see/ },
  },
  {
    name: 'requests-refused-ones-dropped-first',
    file: `${SOURCE}/queue.ts`,
    find: 'this.#served.size > 0 ? this.#served : this.#refused',
    replace: 'this.#refused.size > 0 ? this.#refused : this.#served',
    why: 'Under load just those requests would be missing that somebody asks about.',
    caughtBy: { file: `${TESTS}/log.test.ts`, name: /when the queue is full/ },
  },
  {
    name: 'requests-flush-without-end',
    file: `${SOURCE}/write-log.ts`,
    find: 'while (queue.size > 0 && spentMs < limitMs) {',
    replace: 'while (queue.size > 0) {',
    why: 'A busy server would spend its time on the log of what it did.',
    caughtBy: { file: `${TESTS}/log.test.ts`, name: /a flush ends with its budget/ },
  },
  {
    name: 'requests-stream-misses-late-rows',
    file: `${SOURCE}/streams.ts`,
    find: 'this.#forget(reachedMs - LOOKED_AT_AGAIN_MS);',
    replace: 'this.#forget(reachedMs);',
    why: 'A request that another process wrote late would never be shown.',
    caughtBy: { file: `${TESTS}/streams.test.ts`, name: /another process wrote late/ },
  },
  {
    name: 'requests-stream-unbounded',
    file: `${SOURCE}/streams.ts`,
    find: 'this.#pieces.push(piece) > PIECES_AT_MOST',
    replace: 'this.#pieces.push(piece) < 0',
    why: 'A reader that takes nothing would fill the memory of the server.',
    caughtBy: { file: `${TESTS}/streams.test.ts`, name: /takes nothing is hung up on/ },
  },
  {
    name: 'requests-looked-at-again-and-again',
    file: 'packages/server/src/requests/clean-text.ts',
    find: '.replaceAll(ADDRESS, withoutFragment)',
    replace: '.replaceAll(/(https?:[^#]*)#[^ ]+/g, withoutFragment)',
    why: 'A stranger without an account could hold the process up for seconds with each request.',
    caughtBy: {
      file: 'packages/server/test/requests/redact.test.ts',
      name: /a long text costs as much/,
    },
  },
  {
    name: 'requests-budget-without-debts',
    file: 'packages/server/src/requests/write-log.ts',
    find: '    owedMs = Math.max(spentMs - limitMs, 0);',
    replace: '    owedMs = 0;',
    why: 'Requests that are slow to redact would take all the time that others need.',
    caughtBy: {
      file: 'packages/server/test/requests/log.test.ts',
      name: /is made up for later/,
    },
  },
];
