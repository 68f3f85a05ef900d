import './health.css';
import type { Alarm, Health as Answer } from '@servery/contract';
import { payments, health as texts } from '../../messages.ts';
import { Bars } from '../../parts/bars.tsx';
import { PageHead } from '../../parts/page.tsx';
import { Badge, Empty, Reading } from '../../parts/told.tsx';
import { hrefOf } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatBytes, formatCount, formatNear, formatUnit } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { restaurantOf } from '../../platform/restaurants.ts';
import { call, holds } from '../../platform/session.ts';
import { barsOf, sections } from './charts.ts';

/** The answer changes once a minute; in between, it costs no body. */
const EVERY_MS = 10_000;
const ALARMS = 20;

export default function Health() {
  const { state, refresh } = useLive('health', () => call('backOffice.health.get'), EVERY_MS);
  const { value, error, isLive } = state.value;
  return (
    <div class="stack health">
      <PageHead title={texts.title} about={texts.about} isLive={isLive} />
      <Reading value={value} error={error} onRetry={refresh} lines={12} />
      {value && (
        <>
          <Alarms openAlarms={value.openAlarms} />
          {value.minutes.length === 0 ? (
            <Empty title={texts.empty}>
              <p>{texts.emptyMore}</p>
            </Empty>
          ) : (
            <>
              <Charts name="traffic" health={value} />
              <Queue {...value.webhookQueue} />
              <Charts name="processes" health={value} />
              <Processes processes={value.processes} />
              <Charts name="database" health={value} />
            </>
          )}
        </>
      )}
    </div>
  );
}

function Charts({
  name,
  health,
}: {
  readonly name: keyof typeof sections;
  readonly health: Answer;
}) {
  return (
    <section class="stack" aria-label={texts[name]}>
      <h2>{texts[name]}</h2>
      <div class="charts">
        {sections[name].map((chart) => (
          <div key={chart.label} class="card">
            <Bars {...barsOf(chart, health.minutes)} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Queue({ count, oldestAt }: Answer['webhookQueue']) {
  if (oldestAt === null) return null;
  return (
    <p class="row">
      <Badge tone="info">{texts.queue(count)}</Badge>
      <span class="soft small">{texts.queueSince(formatNear(oldestAt, nowMs.peek()))}</span>
    </p>
  );
}

/** How many of each kind, and the newest for those who may see payments. */
function Alarms({ openAlarms }: Pick<Answer, 'openAlarms'>) {
  const isAllowed = holds('payments.lifecycle:read');
  const isAny = openAlarms.length > 0;
  const { state } = useLive<readonly Alarm[]>(
    `alarms ${JSON.stringify(openAlarms)}`,
    async () => {
      if (!isAllowed || !isAny) return [];
      const query = { open: true, pageSize: ALARMS };
      return (await call('backOffice.alarms.list', { query })).results;
    },
    EVERY_MS,
  );
  if (!isAny) {
    return (
      <p>
        <Badge tone="good">{texts.noAlarms}</Badge>
      </p>
    );
  }
  return (
    <section class="panel" aria-label={payments.alarms.title}>
      <div class="row">
        <h2>{payments.alarms.title}</h2>
        {openAlarms.map(({ kind, count }) => (
          <Badge key={kind} tone="bad">
            {payments.alarms.kinds[kind]}: {formatCount(count)}
          </Badge>
        ))}
      </div>
      <ul class="alarms">
        {state.value.value?.map(({ guid, kind, merchantGuid, paymentUuid, raisedAt }) => (
          <li key={guid} class="spread">
            <a href={hrefOf(`payments/${merchantGuid}/${paymentUuid}`)}>
              {payments.alarms.kinds[kind]}
            </a>
            <span class="soft small">
              {restaurantOf(merchantGuid)?.name ?? '…'}, {formatNear(raisedAt, nowMs.peek())}
            </span>
          </li>
        ))}
      </ul>
      {isAllowed && <a href={hrefOf('payments', { tab: 'alarms' })}>{texts.allAlarms}</a>}
    </section>
  );
}

function Processes({ processes }: Pick<Answer, 'processes'>) {
  return (
    <div class="card processes">
      <table class="plain-table">
        <caption class="visually-hidden">{texts.processes}</caption>
        <thead>
          <tr class="soft small">
            <th scope="col">{texts.process}</th>
            <td>{texts.cpu}</td>
            <td>{texts.delay}</td>
            <td>{texts.memory}</td>
          </tr>
        </thead>
        <tbody>
          {processes.map(({ name, version, startedAt, ...used }) => (
            <tr key={name + startedAt}>
              <th scope="row">
                {name}
                <span class="under soft small">
                  {texts.since(version, formatNear(startedAt, nowMs.peek()))}
                </span>
              </th>
              <td>{formatUnit(used.cpuShare * 100, 'percent')}</td>
              <td>{formatUnit(used.eventLoopLagP99Ms, 'millisecond')}</td>
              <td>{formatBytes(used.memoryBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
