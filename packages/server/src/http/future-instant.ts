import type { FaultPath, Faults } from './faults.ts';

/** Notes a fault unless it is in the future; null for none. */
export function futureMsOf(
  instant: string | null | undefined,
  path: FaultPath,
  { faults, nowMs }: { readonly faults: Faults; readonly nowMs: number },
): number | null {
  if (instant === null || instant === undefined) return null;
  const instantMs = Date.parse(instant);
  if (instantMs <= nowMs) faults.add(path, 'must be in the future');
  return instantMs;
}
