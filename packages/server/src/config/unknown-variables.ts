import { typosBetween } from '@servery/support/typos.ts';
import { settings } from './settings.ts';

/** Variables with our prefix that other programs read. */
const others: readonly string[] = [
  'SERVERY_URL',
  'SERVERY_CLIENT_ID',
  'SERVERY_CLIENT_SECRET',
  'SERVERY_ENV',
  'SERVERY_SANDBOX',
  'SERVERY_TOKEN',
  'SERVERY_WEBHOOK_SECRET',
  // The test suites pass their environment to the platforms that they start.
  'SERVERY_DEMO',
  'SERVERY_ACCEPTANCE_DATA_DIR',
  'SERVERY_TEST_DATABASE_URL',
  'SERVERY_TEST_FILLED',
  'SERVERY_TEST_PROGRAMS',
  'SERVERY_TEST_WITHOUT_PLATFORM',
];

/** Kubernetes sets these in every container beside a service named "servery". */
const INJECTED = /^SERVERY_(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_\w+)$/;

const TYPOS_AT_MOST = 4;

/**
 * Does not show values, because they may be secrets. These are faults, not warnings: a typo may
 * silently drop a limit, trusted proxies or TLS.
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
      const advice = meant === null ? 'remove it' : `is ${meant} meant?`;
      return `${name} is not a setting: ${advice} (docs/reference/settings.md lists them all).`;
    });
}

/** The name that was probably meant; null if none is near. */
export function nearest(name: string, known: readonly string[]): string | null {
  // Compares without prefixes, because DATABASE_URL has none.
  const [first] = known
    .map((candidate) => ({ candidate, typos: typosBetween(bare(name), bare(candidate)) }))
    .sort((one, other) => one.typos - other.typos);
  if (!first) return null;
  // In a short name, a few letters make another word.
  return first.typos <= Math.min(TYPOS_AT_MOST, bare(name).length / 2) ? first.candidate : null;
}

function bare(name: string): string {
  return name.replace(/^SERVERY_/, '').toUpperCase();
}
