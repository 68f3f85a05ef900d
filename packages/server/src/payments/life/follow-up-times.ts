/** An attempt that was not found is asked about so long after the question before. */
const FOLLOW_UPS_MS = [60_000, 9 * 60_000, 50 * 60_000, 23 * 3_600_000];

/** When an attempt is asked about after `followUps` questions; null when it was asked enough. */
export function followUpDue(followUps: number, nowMs: number): Date | null {
  const delayMs = FOLLOW_UPS_MS[followUps];
  return delayMs === undefined ? null : new Date(nowMs + delayMs);
}
