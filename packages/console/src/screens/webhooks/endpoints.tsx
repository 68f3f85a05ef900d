import type { WebhookEndpoint } from '@servery/contract';
import { useState } from 'preact/hooks';
import { webhooks as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Filters, SelectFilter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { PageHead } from '../../parts/page.tsx';
import { usePaged } from '../../parts/paged.ts';
import type { Column } from '../../parts/table.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatCount, formatNear } from '../../platform/format.ts';
import { call, holds } from '../../platform/session.ts';
import { CreateEndpoint } from './endpoint-form.tsx';
import { EndpointBadge, shortUrl } from './words.tsx';

const EVERY_MS = 5_000;
const PAGE = 100;

export function EndpointList() {
  const { query, change, go } = useAddress();
  const [isCreating, setCreating] = useState(false);
  const state = isState(query.state) ? query.state : undefined;
  const list = usePaged<WebhookEndpoint>({
    key: `endpoints ${state}`,
    read: (pageToken) =>
      call('backOffice.webhooks.endpoints.list', { query: { state, pageSize: PAGE, pageToken } }),
    rankOf: ({ createdAt, guid }) => createdAt + guid,
    everyMs: EVERY_MS,
  });
  const mayChange = holds('webhooks:write');
  const create = mayChange && (
    <Button kind="main" onClick={() => setCreating(true)}>
      {texts.endpoints.create}
    </Button>
  );
  return (
    <div class="stack">
      <PageHead title={texts.title} isLive={list.isLive}>
        {list.rows && list.rows.length > 0 && create}
      </PageHead>
      <Filters>
        <SelectFilter
          name="state"
          label={texts.state}
          options={[['', texts.notArchived], ...Object.entries(texts.states)]}
        />
      </Filters>
      <List
        label={texts.tabs.endpoints}
        {...{ list, columns }}
        texts={texts.endpoints}
        keyOf={({ guid }) => guid}
        onOpen={({ guid }) => go(`webhooks/endpoints/${guid}`)}
        start={create || <p>{texts.endpoints.emptyReadOnly}</p>}
        onClear={state ? () => change({ state: null }) : null}
      />
      {isCreating && (
        <CreateEndpoint
          onDone={(endpoint) => {
            setCreating(false);
            go(`webhooks/endpoints/${endpoint.guid}`);
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </div>
  );
}

function isState(text: string | undefined): text is WebhookEndpoint['state'] {
  return text !== undefined && Object.hasOwn(texts.states, text);
}

/** What was accepted of what was sent in the last 24 hours, as words and as a bar. */
export function DayShare({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { attemptsLastDay, deliveredLastDay } = endpoint;
  if (attemptsLastDay === 0) return <span class="soft">{texts.endpoints.noAttempts}</span>;
  return (
    <span class="share">
      <meter
        min={0}
        max={attemptsLastDay}
        value={deliveredLastDay}
        low={attemptsLastDay * 0.9}
        optimum={attemptsLastDay}
        aria-hidden="true"
      />
      {texts.endpoints.ofDay(formatCount(deliveredLastDay), formatCount(attemptsLastDay))}
    </span>
  );
}

const columns: readonly Column<WebhookEndpoint>[] = [
  {
    id: 'url',
    label: texts.endpoints.columns.url,
    cell: ({ guid, url, partnerName, deadLetters }) => (
      <a href={hrefOf(`webhooks/endpoints/${guid}`)}>
        {shortUrl(url)}
        <span class="always-under soft small">
          {partnerName}
          {deadLetters > 0 && (
            <span class="phone-only">
              {' · '}
              {texts.endpoints.columns.dead}: {formatCount(deadLetters)}
            </span>
          )}
        </span>
      </a>
    ),
  },
  {
    id: 'state',
    label: texts.endpoints.columns.state,
    width: '6.5rem',
    cell: (endpoint) => <EndpointBadge {...endpoint} />,
  },
  {
    id: 'day',
    label: texts.endpoints.columns.day,
    width: '11rem',
    isWideOnly: true,
    cell: (endpoint) => <DayShare endpoint={endpoint} />,
  },
  {
    id: 'queued',
    label: texts.endpoints.columns.queued,
    width: '6rem',
    isAtEnd: true,
    isWideOnly: true,
    cell: ({ queued }) => formatCount(queued),
  },
  {
    id: 'dead',
    label: texts.endpoints.columns.dead,
    width: '7rem',
    isAtEnd: true,
    isWideOnly: true,
    cell: ({ deadLetters }) =>
      deadLetters > 0 ? <strong class="bad">{formatCount(deadLetters)}</strong> : 0,
  },
  {
    id: 'last',
    label: texts.endpoints.columns.last,
    width: '9rem',
    isAtEnd: true,
    isWideOnly: true,
    cell: ({ lastDeliveredAt }) =>
      lastDeliveredAt ? formatNear(lastDeliveredAt, nowMs.peek()) : texts.endpoints.never,
  },
];
