import type { RequestFor } from '@servery/client/back-office';
import type { WebhookDelivery, WebhookEndpoint } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { webhooks as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { usePaged } from '../../parts/paged.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Empty, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { Views } from '../../parts/views.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatCount, formatNear } from '../../platform/format.ts';
import { call } from '../../platform/session.ts';
import { useTyped } from '../../platform/typed.ts';
import {
  DeliveryBadges,
  eventOptions,
  isEventType,
  outcomeOf,
  shortUrl,
  titleOf,
} from './words.tsx';

const EVERY_MS = 3_000;
const PAGE = 100;
const HOUR_MS = 3_600_000;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FILTERS = ['state', 'endpoint', 'type', 'since', 'event'] as const;

type Query = NonNullable<RequestFor<'backOffice.webhooks.deliveries.list'>['query']>;

export function rankOfDelivery({ queuedAt, guid }: WebhookDelivery): string {
  return queuedAt + guid;
}

export function DeliveryList() {
  const { query, change, go } = useAddress();
  const endpoints = useEndpoints();
  const filter = filterOf(query);
  const { rows, error, isLive, refresh, loadMore } = usePaged({
    key: JSON.stringify(FILTERS.map((name) => query[name])),
    read: (pageToken) =>
      call('backOffice.webhooks.deliveries.list', {
        query: { ...filter, pageSize: PAGE, pageToken },
      }),
    rankOf: rankOfDelivery,
    everyMs: EVERY_MS,
  });
  const isFiltered = FILTERS.some((name) => query[name]);
  const { deliveries } = texts;
  return (
    <div class="stack">
      <div class="page-head">
        <h1>{deliveries.title}</h1>
        <div class="row">
          <Views page="webhooks" filters={['tab', ...FILTERS]} />
          <LiveMark isLive={isLive} />
        </div>
      </div>
      <Filters endpoints={endpoints} />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {rows === null && error === null && <Skeleton lines={12} />}
      {rows?.length === 0 && (
        <Empty title={isFiltered ? deliveries.noneFit : deliveries.empty}>
          {isFiltered ? (
            <Button onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, null])))}>
              {texts.clear}
            </Button>
          ) : (
            <>
              <p>{deliveries.emptyMore}</p>
              <code>{deliveries.emptyCommand}</code>
            </>
          )}
        </Empty>
      )}
      {rows !== null && rows.length > 0 && (
        <Table
          label={deliveries.title}
          columns={deliveryColumns(endpoints)}
          rows={rows}
          keyOf={({ guid }) => guid}
          onOpen={({ guid }) => go(`webhooks/deliveries/${guid}`)}
          onEnd={loadMore}
        />
      )}
    </div>
  );
}

/** Null until they are known. */
function useEndpoints(): readonly WebhookEndpoint[] | null {
  const [endpoints, setEndpoints] = useState<readonly WebhookEndpoint[] | null>(null);
  useEffect(() => {
    call('backOffice.webhooks.endpoints.list', { query: { pageSize: 200 } }).then(
      ({ results }) => setEndpoints(results),
      () => {},
    );
  }, []);
  return endpoints;
}

function Filters({ endpoints }: { readonly endpoints: readonly WebhookEndpoint[] | null }) {
  const { query, change } = useAddress();
  const { deliveries } = texts;
  const isGuid = (text: string) => GUID.test(text);
  const [event, typeEvent] = useTyped('event', isGuid);
  const all = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  const any = { value: '', label: deliveries.sinces[''] };
  const isKnown = endpoints?.some(({ guid }) => guid === query.endpoint);
  return (
    <search class="filters" aria-label={texts.filters}>
      <Select
        label={texts.state}
        value={query.state ?? ''}
        onValue={(state) => change({ state })}
        options={[{ value: '', label: texts.anyState }, ...all(deliveries.states)]}
      />
      <Select
        label={texts.endpoint}
        value={query.endpoint ?? ''}
        onValue={(endpoint) => change({ endpoint })}
        options={[
          { value: '', label: texts.anyEndpoint },
          ...(query.endpoint && !isKnown ? [{ value: query.endpoint, label: query.endpoint }] : []),
          ...(endpoints ?? []).map(({ guid, url }) => ({ value: guid, label: shortUrl(url) })),
        ]}
      />
      <Select
        label={deliveries.type}
        value={query.type ?? ''}
        onValue={(type) => change({ type })}
        options={[{ value: '', label: texts.anyType }, ...eventOptions]}
      />
      <Select
        label={deliveries.since}
        value={query.since ?? ''}
        onValue={(since) => change({ since })}
        options={[any, ...all(deliveries.sinces).slice(1)]}
      />
      <Field
        label={deliveries.event}
        value={event}
        fault={event === '' || isGuid(event) ? null : deliveries.eventFault}
        onValue={typeEvent}
      />
    </search>
  );
}

function filterOf(query: Readonly<Record<string, string>>): Query {
  const { state, endpoint, type, since, event } = query;
  const isState = (text: string): text is WebhookDelivery['state'] =>
    Object.hasOwn(texts.deliveries.states, text);
  const span = { hour: HOUR_MS, day: 24 * HOUR_MS }[since ?? ''];
  // Rounded, so that the same question has the same address, and an entity tag.
  const from = span && Math.ceil((nowMs.peek() - span) / 60_000) * 60_000;
  return {
    state: state && isState(state) ? state : undefined,
    endpointGuid: endpoint && GUID.test(endpoint) ? endpoint : undefined,
    eventGuid: event && GUID.test(event) ? event : undefined,
    eventType: isEventType(type) ? type : undefined,
    since: from ? new Date(from).toISOString() : undefined,
  };
}

/** Without a column for the endpoint if all are of one. */
export function deliveryColumns(
  endpoints: readonly WebhookEndpoint[] | null,
): readonly Column<WebhookDelivery>[] {
  const { columns } = texts.deliveries;
  const urls = new Map(endpoints?.map(({ guid, url }) => [guid, shortUrl(url)]));
  const endpoint: Column<WebhookDelivery> = {
    id: 'endpoint',
    label: columns.endpoint,
    isWideOnly: true,
    cell: ({ endpointGuid }) => urls.get(endpointGuid) ?? '…',
  };
  return [
    {
      id: 'type',
      label: columns.type,
      cell: (delivery) => (
        <a href={hrefOf(`webhooks/deliveries/${delivery.guid}`)}>
          {titleOf(delivery.eventType)}
          <span class="under soft small">
            {formatNear(delivery.queuedAt, nowMs.peek())} {outcomeOf(delivery)}
          </span>
        </a>
      ),
    },
    {
      id: 'state',
      label: columns.state,
      width: '9.5rem',
      cell: (delivery) => <DeliveryBadges delivery={delivery} />,
    },
    ...(endpoints ? [endpoint] : []),
    {
      id: 'outcome',
      label: columns.outcome,
      width: '11rem',
      isWideOnly: true,
      cell: (delivery) => outcomeOf(delivery) ?? '–',
    },
    {
      id: 'attempts',
      label: columns.attempts,
      width: '5.5rem',
      isAtEnd: true,
      isWideOnly: true,
      cell: ({ attemptCount }) => formatCount(attemptCount),
    },
    {
      id: 'queued',
      label: columns.queued,
      width: '8.5rem',
      isAtEnd: true,
      isWideOnly: true,
      cell: ({ queuedAt }) => formatNear(queuedAt, nowMs.peek()),
    },
  ];
}
