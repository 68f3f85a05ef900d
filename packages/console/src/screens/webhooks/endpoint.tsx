import type { WebhookEndpoint } from '@servery/contract';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { webhooks as texts } from '../../messages.ts';
import { Actor } from '../../parts/actor.tsx';
import { Button } from '../../parts/button.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { List } from '../../parts/list.tsx';
import { Awaited, Back, Card, PageHead } from '../../parts/page.tsx';
import { usePaged } from '../../parts/paged.ts';
import { say, sayFailed } from '../../parts/toast.tsx';
import { Countdown, ErrorPanel } from '../../parts/told.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatCount, formatInstant, formatNear } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { call, holds } from '../../platform/session.ts';
import { deliveryColumns, rankOfDelivery } from './deliveries.tsx';
import { ArchiveDialog, StopDialog, TestDialog } from './endpoint-dialogs.tsx';
import { EditEndpoint } from './endpoint-form.tsx';
import { DayShare } from './endpoints.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotateDialog, Secrets } from './secrets.tsx';
import { EndpointBadge, shortUrl, titleOf } from './words.tsx';

const EVERY_MS = 3_000;
const RECENT = 10;

export type Act = 'edit' | 'stop' | 'test' | 'replay' | 'secret' | 'archive';

export interface OneEndpointProps {
  readonly endpointGuid: string;
}

export function OneEndpoint({ endpointGuid }: OneEndpointProps) {
  const params = { endpointGuid };
  const { state, refresh } = useLive(
    endpointGuid,
    () => call('backOffice.webhooks.endpoints.get', { params }),
    EVERY_MS,
  );
  const [act, setAct] = useState<Act | null>(null);
  const { value: endpoint, error, isLive } = state.value;
  const back = (
    <Back to="webhooks" query={{ tab: null }}>
      {texts.title}
    </Back>
  );
  if (!endpoint) {
    return <Awaited back={back} error={error} onRetry={refresh} />;
  }
  const mayChange = holds('webhooks:write') && endpoint.state !== 'ARCHIVED';
  const resume = async () => {
    try {
      await call('backOffice.webhooks.endpoints.resume', { params });
      say(texts.resumed);
      refresh();
    } catch (failure) {
      sayFailed(failure);
    }
  };
  const close = () => setAct(null);
  const done = () => {
    setAct(null);
    refresh();
  };
  const dialog = { endpoint, onClose: close, onDone: done };
  return (
    <div class="stack">
      {back}
      <PageHead
        title={shortUrl(endpoint.url)}
        class="webhook-address"
        beside={<EndpointBadge {...endpoint} />}
        isLive={isLive}
      />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {endpoint.state !== 'ACTIVE' && (
        <div class="panel warn">
          <p>{endpoint.stateReason}</p>
          <p class="soft small">{formatInstant(endpoint.stateSince)}</p>
          {endpoint.nextProbeAt && (
            <p>
              {texts.probe} <Countdown to={endpoint.nextProbeAt} />
            </p>
          )}
          {mayChange && (
            <Button kind="main" onClick={resume}>
              {texts.actions.resume}
            </Button>
          )}
        </div>
      )}
      {mayChange && <Actions endpoint={endpoint} onAct={setAct} />}
      <div class="columns">
        <div class="stack">
          <Health endpoint={endpoint} />
          <Recent endpointGuid={endpointGuid} />
        </div>
        <div class="stack">
          <Secrets endpoint={endpoint} mayChange={mayChange} onDone={refresh} />
          <Facts endpoint={endpoint} />
        </div>
      </div>
      {act === 'edit' && <EditEndpoint {...dialog} />}
      {act === 'stop' && <StopDialog {...dialog} />}
      {act === 'test' && <TestDialog {...dialog} />}
      {act === 'replay' && <ReplayDialog {...dialog} />}
      {act === 'secret' && <RotateDialog {...dialog} onRotated={refresh} />}
      {act === 'archive' && <ArchiveDialog {...dialog} />}
    </div>
  );
}

function Actions({
  endpoint: { state },
  onAct,
}: {
  readonly endpoint: WebhookEndpoint;
  readonly onAct: (act: Act) => void;
}) {
  const acts: readonly Act[] =
    state === 'DISABLED'
      ? ['edit', 'secret', 'archive']
      : [
          'test',
          'replay',
          'edit',
          'secret',
          ...(state === 'ACTIVE' ? (['stop'] as const) : []),
          'archive',
        ];
  return (
    <div class="row">
      {acts.map((act) => (
        <Button key={act} kind={act === 'archive' ? 'danger' : 'plain'} onClick={() => onAct(act)}>
          {texts.actions[act]}
        </Button>
      ))}
    </div>
  );
}

function Health({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { attemptsLastDay, deliveredLastDay, queued, oldestQueuedAt, deadLetters } = endpoint;
  const { columns, never } = texts.endpoints;
  const failed = attemptsLastDay - deliveredLastDay;
  const share = new Intl.NumberFormat(undefined, { style: 'percent' });
  const words =
    attemptsLastDay === 0
      ? texts.quiet
      : failed === 0
        ? texts.healthy
        : texts.failing(share.format(failed / attemptsLastDay));
  return (
    <Card title={texts.health}>
      <p>
        {words}
        {endpoint.consecutiveFailures > 0 && (
          <strong class="bad"> {texts.consecutive(endpoint.consecutiveFailures)}.</strong>
        )}
      </p>
      <dl class="numbers">
        <Figure label={columns.day}>
          <DayShare endpoint={endpoint} />
        </Figure>
        <Figure label={columns.queued}>
          {formatCount(queued)}
          {oldestQueuedAt && (
            <span class="under soft small">
              {texts.waitingSince(formatNear(oldestQueuedAt, nowMs.peek()))}
            </span>
          )}
        </Figure>
        <Figure label={columns.dead}>
          {deadLetters === 0 ? (
            formatCount(0)
          ) : (
            <a
              class="bad"
              href={hrefOf('webhooks', {
                tab: 'deliveries',
                endpoint: endpoint.guid,
                state: 'DEAD',
              })}
            >
              {formatCount(deadLetters)}
            </a>
          )}
        </Figure>
        <Figure label={columns.last}>
          {endpoint.lastDeliveredAt ? formatNear(endpoint.lastDeliveredAt, nowMs.peek()) : never}
        </Figure>
      </dl>
    </Card>
  );
}

const recentColumns = deliveryColumns(null).filter(
  ({ id }) => id !== 'attempts' && id !== 'outcome',
);

function Figure({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt class="soft small">{label}</dt>
      <dd class="number">{children}</dd>
    </div>
  );
}

function Recent({ endpointGuid }: OneEndpointProps) {
  const { go } = useAddress();
  const list = usePaged({
    key: endpointGuid,
    read: () =>
      call('backOffice.webhooks.deliveries.list', { query: { endpointGuid, pageSize: RECENT } }),
    rankOf: rankOfDelivery,
    everyMs: EVERY_MS,
  });
  const { deliveries } = texts;
  return (
    <section class="stack" aria-label={deliveries.recent}>
      <div class="spread">
        <h2>{deliveries.recent}</h2>
        <a href={hrefOf('webhooks', { tab: 'deliveries', endpoint: endpointGuid })}>
          {deliveries.all}
        </a>
      </div>
      <List
        label={deliveries.recent}
        list={{ ...list, rows: list.rows?.slice(0, RECENT) ?? null, loadMore: () => {} }}
        texts={deliveries}
        columns={recentColumns}
        keyOf={({ guid }) => guid}
        onOpen={({ guid }) => go(`webhooks/deliveries/${guid}`)}
      />
    </section>
  );
}

function Facts({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { fact } = texts;
  const { eventTypes, retryDelaysSeconds, connectTimeoutMs, answerTimeoutMs } = endpoint;
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    [fact.partner, endpoint.partnerName],
    [fact.client, <a href={hrefOf(`accounts/${endpoint.clientId}`)}>{endpoint.clientId}</a>],
    [fact.description, endpoint.description],
    [fact.events, eventTypes === null ? texts.allEvents : eventTypes.map(titleOf).join('; ')],
    [fact.order, endpoint.isOrdered ? texts.ordered : texts.unordered],
    [fact.timeouts, texts.timeoutsOf(formatCount(connectTimeoutMs), formatCount(answerTimeoutMs))],
    [fact.retries, durations(retryDelaysSeconds)],
    [
      fact.created,
      <>
        {formatInstant(endpoint.createdAt)} {texts.by} <Actor actor={endpoint.createdBy} />
      </>,
    ],
    [fact.modified, formatInstant(endpoint.modifiedAt)],
    [fact.id, endpoint.guid],
  ];
  return (
    <Card title={texts.facts}>
      <FactList rows={rows} />
    </Card>
  );
}

/** For example `30 s, 5 min, 2 h`. */
function durations(seconds: readonly number[]): string {
  if (seconds.length === 0) return texts.noRetries;
  return seconds.map(durationOf).join(', ');
}

function durationOf(seconds: number): string {
  const [unit, size] =
    seconds % 3_600 === 0
      ? (['hour', 3_600] as const)
      : seconds % 60 === 0
        ? (['minute', 60] as const)
        : (['second', 1] as const);
  const format = new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short' });
  return format.format(seconds / size);
}
