import { settings } from './settings.ts';

/** Variables with our prefix that are no settings of the server, but of what stands beside it. */
const others: readonly string[] = [
  // The `servery` command: which platform, and as whom.
  'SERVERY_URL',
  'SERVERY_CLIENT_ID',
  'SERVERY_CLIENT_SECRET',
  'SERVERY_ENV',
  'SERVERY_TOKEN',
  'SERVERY_WEBHOOK_SECRET',
  // The test suites, which hand their environment on to the platforms that they start.
  'SERVERY_DEMO',
  'SERVERY_ACCEPTANCE_DATA_DIR',
  'SERVERY_TEST_DATABASE_URL',
  'SERVERY_TEST_WITHOUT_PLATFORM',
];

/** What Kubernetes sets in every container beside a service that somebody called "servery". */
const INJECTED = /^SERVERY_(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_\w+)$/;

/** A name that differs in more than this many letters was hardly meant. */
const TYPOS_AT_MOST = 4;

/**
 * A fault for each variable that begins as a setting does and is none, with the one that was meant.
 * Its value, which may be a secret, is not shown.
 *
 * They are faults and no warnings, like unknown flags: a setting that is silently not set may be
 * the one that limits card testing, names trusted proxies or ends TLS, and a warning scrolls by. A
 * refusal is seen at the very start that would have been wrong, while the process before it runs.
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const known = [...Object.values(settings).map((setting) => setting.env), ...others];
  return Object.entries(env)
    .filter(([name, text]) => name.startsWith('SERVERY_') && text !== undefined && text !== '')
    .filter(([name]) => !known.includes(name) && !INJECTED.test(name))
    .map(([name]) => {
      const meant = nearest(name, known);
      const advice = meant === null ? 'take it out' : `is ${meant} meant?`;
      return `${name} is no setting: ${advice} (docs/reference/settings.md lists them all).`;
    });
}

/** The known name that is the fewest letters away, or null when all are far. */
function nearest(name: string, known: readonly string[]): string | null {
  // DATABASE_URL has no prefix, so that prefixes do not count.
  const [first] = known
    .map((candidate) => ({ candidate, typos: typosBetween(bare(name), bare(candidate)) }))
    .sort((one, other) => one.typos - other.typos);
  if (!first) return null;
  // In a short name few letters make another word.
  return first.typos <= Math.min(TYPOS_AT_MOST, bare(name).length / 2) ? first.candidate : null;
}

function bare(name: string): string {
  return name.replace(/^SERVERY_/, '').toUpperCase();
}

/** How many letters to add, leave out or change make one text of the other (Levenshtein). */
export function typosBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [at, meant] of [...other].entries()) {
      const changed = (row[at] ?? 0) + (letter === meant ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
