import type { ApiClient, ApiClientUsage } from '@servery/contract';
import { scopeGrants } from '@servery/contract/scopes.ts';
import { accounts as texts } from '../../messages.ts';
import { type BarPoint, Bars, Shares } from '../../parts/bars.tsx';
import { Card } from '../../parts/page.tsx';
import { Badge, Empty, Reading } from '../../parts/told.tsx';
import { nowMs } from '../../platform/clock.ts';
import { formatDay, formatNear } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { call } from '../../platform/session.ts';

const EVERY_MS = 15_000;
const DAY_MS = 86_400_000;
const MOST = 10;

/** What the account did in the last thirty days, and which scopes it does not need. */
export function Usage({ client }: { readonly client: ApiClient }) {
  const { state, refresh } = useLive(
    client.clientId,
    () => call('backOffice.clients.usage', { params: { clientId: client.clientId } }),
    EVERY_MS,
  );
  const { value: usage, error } = state.value;
  const { usage: words } = texts;
  return (
    <div class="stack">
      <Reading value={usage} error={error} onRetry={refresh} lines={6} />
      {usage?.requests === 0 && (
        <Empty title={words.empty}>
          <p>{words.emptyMore}</p>
        </Empty>
      )}
      {usage && usage.requests > 0 && (
        <>
          <section class="card" aria-label={words.days}>
            <Bars
              label={words.days}
              of={words.day}
              series={[{ name: words.requests, tone: 'good' }]}
              points={daysOf(usage)}
            />
          </section>
          <div class="columns">
            <section class="card" aria-label={words.operations}>
              <Shares
                label={words.operations}
                of={words.operation}
                values={usage.operations.slice(0, MOST).map(({ operation, requests }) => ({
                  name: operation,
                  value: requests,
                }))}
              />
            </section>
            <section class="card" aria-label={words.statuses}>
              <Shares label={words.statuses} of={words.status} values={statusesOf(usage)} />
            </section>
          </div>
        </>
      )}
      {usage && usage.scopes.length > 0 && <ScopeUse usage={usage} />}
    </div>
  );
}

function ScopeUse({ usage }: { readonly usage: ApiClientUsage }) {
  const { usage: words } = texts;
  return (
    <Card title={words.scopes}>
      <p class="soft small">{words.scopesMore}</p>
      <ul class="scopes">
        {usage.scopes.map(({ scope, lastUsedAt }) => (
          <li key={scope} class="spread">
            <span>{scopeGrants[scope]}</span>
            {lastUsedAt ? (
              <span class="soft small">{formatNear(lastUsedAt, nowMs.peek())}</span>
            ) : (
              <Badge tone="warn">{words.neverUsed}</Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Each day of the range: the platform leaves out days without requests. */
function daysOf({ from, to, days }: ApiClientUsage) {
  const known = new Map(days.map(({ day, requests }) => [day, requests]));
  const points: BarPoint[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10);
    points.push({ name: formatDay(at, 'UTC'), values: [known.get(day) ?? 0] });
  }
  return points;
}

function statusesOf({ operations }: ApiClientUsage) {
  const sums = new Map<number, number>();
  for (const { status, requests } of operations.flatMap(({ statuses }) => statuses)) {
    sums.set(status, (sums.get(status) ?? 0) + requests);
  }
  return [...sums]
    .sort(([, one], [, other]) => other - one)
    .map(([status, value]) => ({ name: String(status), value }));
}
