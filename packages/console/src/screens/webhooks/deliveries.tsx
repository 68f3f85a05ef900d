import type { RequestFor } from '@servery/client/back-office';
import type { WebhookDelivery, WebhookEndpoint } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { common, webhooks as texts } from '../../messages.ts';
import type { Option } from '../../parts/field.tsx';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { PageHead } from '../../parts/page.tsx';
import { usePaged } from '../../parts/paged.ts';
import type { Column } from '../../parts/table.tsx';
import { Views } from '../../parts/views.tsx';
import { cleared, hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatCount, formatNear } from '../../platform/format.ts';
import { GUID } from '../../platform/guid.ts';
import { call } from '../../platform/session.ts';
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
const FILTERS = ['state', 'endpoint', 'type', 'since', 'event'] as const;

type Query = NonNullable<RequestFor<'backOffice.webhooks.deliveries.list'>['query']>;

export function rankOfDelivery({ queuedAt, guid }: WebhookDelivery): string {
  return queuedAt + guid;
}

export function DeliveryList() {
  const { query, change, go } = useAddress();
  const endpoints = useEndpoints();
  const filter = filterOf(query);
  const list = usePaged({
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
      <PageHead
        title={deliveries.title}
        isLive={list.isLive}
        views={<Views page="webhooks" filters={['tab', ...FILTERS]} />}
      />
      <Filters>
        <SelectFilter
          name="state"
          label={texts.state}
          options={[['', common.any], ...Object.entries(deliveries.states)]}
        />
        <SelectFilter
          name="endpoint"
          label={texts.endpoint}
          options={endpointOptions(query.endpoint, endpoints ?? [])}
        />
        <SelectFilter
          name="type"
          label={deliveries.type}
          options={[['', common.any], ...eventOptions]}
        />
        <SelectFilter
          name="since"
          label={deliveries.since}
          options={Object.entries(deliveries.sinces)}
        />
        <TextFilter
          name="event"
          label={deliveries.event}
          pattern={GUID}
          wrong={deliveries.eventFault}
        />
      </Filters>
      <List
        label={deliveries.title}
        list={list}
        texts={deliveries}
        columns={deliveryColumns(endpoints)}
        keyOf={({ guid }) => guid}
        onOpen={({ guid }) => go(`webhooks/deliveries/${guid}`)}
        onClear={isFiltered ? () => change(cleared(FILTERS)) : null}
      />
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

/** With the one of the address, even if nobody knows it. */
function endpointOptions(
  chosen: string | undefined,
  endpoints: readonly WebhookEndpoint[],
): readonly Option[] {
  const known = endpoints.map(({ guid, url }): Option => [guid, shortUrl(url)]);
  const isKnown = !chosen || known.some(([guid]) => guid === chosen);
  return [['', common.any], ...(isKnown ? [] : [[chosen, chosen] as const]), ...known];
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
