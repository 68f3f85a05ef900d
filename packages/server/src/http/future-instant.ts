import type { FaultPath, Faults } from './faults.ts';

/** Notes a fault unless it is in the future; null for none. */
export function futureInstant(
  text: string | null | undefined,
  path: FaultPath,
  { faults, nowMs }: { readonly faults: Faults; readonly nowMs: number },
): Date | null {
  if (!text) return null;
  const instant = new Date(text);
  if (instant.getTime() <= nowMs) faults.add(path, 'must be in the future');
  return instant;
}
