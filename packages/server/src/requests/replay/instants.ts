import { parseAnyInstant } from '../../text/instant.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const ZONE = /(Z|([+-])(\d\d):?(\d\d))$/;
const MINUTE_MS = 60_000;

export function isInstant(value: unknown): value is string {
  return typeof value === 'string' && INSTANT.test(value);
}

/** In the same time zone; null for what is no instant. */
export function movedInstant(text: string, byMs: number): string | null {
  const instantMs = isInstant(text) ? parseAnyInstant(text) : null;
  if (instantMs === null) return null;
  const [zone = 'Z', , sign = '+', hours = '0', minutes = '0'] = ZONE.exec(text) ?? [];
  const aheadMs = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return new Date(instantMs + byMs + aheadMs).toISOString().replace('Z', zone);
}
