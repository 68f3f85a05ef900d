import type { FaultPath, Faults } from '../../../http/faults.ts';
import type { SecretDraft } from '../../endpoints/secrets.ts';

interface SentSecret {
  readonly label?: string | null;
  readonly expiresAt?: string | null;
}

interface Judging {
  readonly path: FaultPath;
  readonly faults: Faults;
  readonly nowMs: number;
}

export function secretDraftOf(
  { label = null, expiresAt }: SentSecret,
  judging: Judging,
): SecretDraft {
  return { label, expiresAtMs: futureMsOf(expiresAt, 'expiresAt', judging) };
}

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
