import type { ApiClient, ApiClientSecret } from '@servery/contract';
import { accounts as texts } from '../../messages.ts';
import { Badge } from '../../parts/told.tsx';
import { nowMs } from '../../platform/clock.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

export function ownerOf({ type, partner, managementGroup }: ApiClient): string {
  const owner = partner?.name ?? managementGroup?.name ?? texts.platform;
  return `${texts.types[type]}, ${owner}`;
}

export function liveSecrets({ secrets }: ApiClient): readonly ApiClientSecret[] {
  return secrets.filter(({ state }) => state === 'LIVE');
}

/** Live, revoked, or soon unable to log in. */
export function AccountBadge({ client }: { readonly client: ApiClient }) {
  if (client.revokedAt !== null) return <Badge tone="bad">{texts.states.REVOKED}</Badge>;
  const live = liveSecrets(client);
  if (live.length === 0) return <Badge tone="warn">{texts.noSecret}</Badge>;
  const soonMs = nowMs.peek() + SOON_DAYS * DAY_MS;
  const isEnding = live.every(({ expiresAt }) => expiresAt && Date.parse(expiresAt) < soonMs);
  return isEnding ? (
    <Badge tone="warn">{texts.expiresSoon}</Badge>
  ) : (
    <Badge tone="good">{texts.states.LIVE}</Badge>
  );
}

/** The instant after so many days; null for never. */
export function expiryOf(days: string): string | null {
  const count = Number(days);
  return count > 0 ? new Date(nowMs.peek() + count * DAY_MS).toISOString() : null;
}
