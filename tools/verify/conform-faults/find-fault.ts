import { servery } from '../../../packages/cli/test/command.ts';
import { type Fault, startFaulty } from './proxy.ts';

interface Check {
  readonly title: string;
  readonly outcome: string;
}

/** What `servery conform` finds at an address, with a file that says what there is. */
export async function conformTo(
  file: string,
  url: string,
  words: readonly string[],
): Promise<{ readonly checks: readonly Check[]; readonly code: number | null }> {
  const { out, err, code } = await servery([
    ...['conform', url, '--platform', file, '--json'],
    ...words,
  ]);
  if (out === '') throw new Error(`servery conform said nothing: ${err}`);
  return { checks: JSON.parse(out).checks, code };
}

/** The titles of the checks that find a fault of a platform which has no other. */
export async function findFault(
  file: string,
  url: string,
  fault: Fault,
): Promise<readonly string[]> {
  const faulty = await startFaulty(url, fault);
  try {
    const words = ['--level', 'full', '--only', `\\b${fault.rule}\\b`];
    const { checks } = await conformTo(file, faulty.url, words);
    return checks.filter(({ outcome }) => outcome === 'failed').map(({ title }) => title);
  } finally {
    await faulty.stop();
  }
}
