import type { FaultPath, Faults } from '../../../http/faults.ts';
import type { SecretDraft } from '../../endpoints/secrets.ts';

interface SentSecret {
  readonly label?: string | null;
  readonly expiresAt?: string | null;
}

/** Where a secret stands in the body, and what it is judged by. */
interface Judging {
  readonly path: FaultPath;
  readonly faults: Faults;
  readonly nowMs: number;
}

/** What was sent of a new secret; a fault when it has ended already. */
export function secretDraftOf(
  { label = null, expiresAt }: SentSecret,
  judging: Judging,
): SecretDraft {
  return { label, expiresAtMs: futureMsOf(expiresAt, 'expiresAt', judging) };
}

/** An instant that has to be in the future, in epoch milliseconds; null where there is none. */
export function futureMsOf(
  instant: string | null | undefined,
  name: string,
  { path, faults, nowMs }: Judging,
): number | null {
  if (instant === undefined || instant === null) return null;
  const instantMs = Date.parse(instant);
  if (instantMs <= nowMs) faults.add([...path, name], 'must be in the future');
  return instantMs;
}
