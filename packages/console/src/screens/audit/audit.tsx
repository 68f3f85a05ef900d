import './audit.css';
import type { RequestFor } from '@servery/client/back-office';
import type { AuditEntry } from '@servery/contract';
import { common, audit as texts } from '../../messages.ts';
import { Actor } from '../../parts/actor.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { PageHead } from '../../parts/page.tsx';
import { usePaged } from '../../parts/paged.ts';
import type { Column } from '../../parts/table.tsx';
import { Badge } from '../../parts/told.tsx';
import { Views } from '../../parts/views.tsx';
import { cleared, hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import {
  dayOf,
  formatCount,
  formatExactly,
  formatNear,
  instantAt,
  localZone,
} from '../../platform/format.ts';
import { GUID } from '../../platform/guid.ts';
import { restaurantOf } from '../../platform/restaurants.ts';
import { call, holds, holdsEverywhere } from '../../platform/session.ts';
import { Chain } from './chain.tsx';
import { type Difference, differencesOf } from './differences.ts';

const EVERY_MS = 5_000;
const PAGE = 100;
const DAY_MS = 86_400_000;
const FILTERS = ['who', 'operation', 'kind', 'object', 'from', 'to', 'request', 'restaurant'];

type Query = NonNullable<RequestFor<'backOffice.audit.list'>['query']>;

export default function Audit() {
  const { query, change } = useAddress();
  const filter = filterOf(query);
  const list = usePaged<AuditEntry>({
    key: JSON.stringify(FILTERS.map((name) => query[name])),
    read: (pageToken) =>
      call('backOffice.audit.list', { query: { ...filter, pageSize: PAGE, pageToken } }),
    rankOf: ({ at, guid }) => at + guid,
    everyMs: EVERY_MS,
  });
  const isFiltered = FILTERS.some((name) => query[name]);
  const open = list.rows?.find(({ guid }) => guid === query.entry);
  return (
    <div class="stack audit">
      <PageHead
        title={texts.title}
        isLive={list.isLive}
        views={<Views page="audit" filters={FILTERS} />}
      />
      {holdsEverywhere('audit:read') && <Chain />}
      <Filters>
        <TextFilter name="who" label={texts.who} placeholder={texts.whoHint} />
        <TextFilter name="operation" label={texts.operation} placeholder={texts.operationHint} />
        <SelectFilter
          name="kind"
          label={texts.kind}
          options={[['', common.any], ...Object.entries(texts.kinds)]}
        />
        <TextFilter name="object" label={texts.object} />
        <Field
          name="from"
          label={texts.from}
          type="date"
          value={query.from ?? ''}
          onValue={(from) => change({ from })}
        />
        <Field
          name="to"
          label={texts.to}
          type="date"
          value={query.to ?? ''}
          onValue={(to) => change({ to })}
        />
      </Filters>
      <List
        label={texts.title}
        {...{ list, texts }}
        columns={columns((guid) => change({ entry: guid }))}
        keyOf={({ guid }) => guid}
        onOpen={({ guid }) => change({ entry: guid })}
        onClear={isFiltered ? () => change(cleared(FILTERS)) : null}
      />
      {open && <EntryDialog entry={open} onClose={() => change({ entry: null })} />}
    </div>
  );
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function filterOf(query: Readonly<Record<string, string>>): Query {
  const { restaurant, who, operation, kind, object, from, to, request } = query;
  const zone = (restaurant && restaurantOf(restaurant)?.timeZone) || localZone;
  const isKind = (text: string): text is AuditEntry['subjectKind'] =>
    Object.hasOwn(texts.kinds, text);
  const startOf = (date: string) => instantAt(date, '00:00', zone);
  // The last day counts as a whole; the day after may begin at another hour of UTC.
  const endOf = (date: string) => startOf(dayOf(startOf(date) + 1.5 * DAY_MS, zone));
  return {
    restaurantGuid: restaurant,
    actor: who || undefined,
    operation: operation || undefined,
    subjectKind: kind && isKind(kind) ? kind : undefined,
    subjectId: object || undefined,
    requestId: request && GUID.test(request) ? request : undefined,
    ...(from && DATE.test(from) && { from: new Date(startOf(from)).toISOString() }),
    ...(to && DATE.test(to) && { to: new Date(endOf(to)).toISOString() }),
  };
}

function columns(onOpen: (guid: string) => void): readonly Column<AuditEntry>[] {
  return [
    {
      id: 'what',
      label: texts.columns.what,
      cell: (entry) => (
        <button type="button" class="open" onClick={() => onOpen(entry.guid)}>
          {entry.operation}
          <span class="under soft small">
            {formatNear(entry.at, nowMs.peek())}, <Actor actor={entry.actor} />
          </span>
        </button>
      ),
    },
    {
      id: 'object',
      label: texts.columns.object,
      width: '10rem',
      cell: ({ subjectKind }) => texts.kinds[subjectKind],
    },
    {
      id: 'fields',
      label: texts.columns.fields,
      width: '22%',
      isWideOnly: true,
      cell: (entry) => <span class="soft small">{summaryOf(entry)}</span>,
    },
    {
      id: 'who',
      label: texts.columns.who,
      width: '17%',
      isWideOnly: true,
      cell: ({ actor }) => <Actor actor={actor} />,
    },
    {
      id: 'when',
      label: texts.columns.when,
      width: '10rem',
      isAtEnd: true,
      isWideOnly: true,
      cell: ({ at }) => formatNear(at, nowMs.peek()),
    },
  ];
}

function summaryOf({ before, after: now }: AuditEntry): string {
  if (before === null) return texts.created;
  if (now === null) return texts.removed;
  const differences = differencesOf(before, now);
  return differences.map(({ path }) => path).join(', ') || texts.same;
}

function EntryDialog({
  entry,
  onClose,
}: {
  readonly entry: AuditEntry;
  readonly onClose: () => void;
}) {
  const { fact } = texts;
  const differences = differencesOf(entry.before, entry.after);
  const zone = entry.restaurantGuid ? restaurantOf(entry.restaurantGuid)?.timeZone : undefined;
  return (
    <Dialog title={entry.operation} onClose={onClose} isWide>
      <dl class="facts">
        <dt>{fact.who}</dt>
        <dd>
          <Actor actor={entry.actor} />{' '}
          <a class="small" href={hrefOf('audit', { who: entry.actor })}>
            {texts.allOfActor}
          </a>
        </dd>
        <dt>{fact.when}</dt>
        <dd>{formatExactly(entry.at, zone)}</dd>
        <dt>{fact.object}</dt>
        <dd>
          {texts.kinds[entry.subjectKind]} <code>{entry.subjectId}</code>{' '}
          <a class="small" href={hrefOf('audit', { object: entry.subjectId })}>
            {texts.allOfObject}
          </a>
        </dd>
        {entry.restaurantGuid && (
          <>
            <dt>{fact.restaurant}</dt>
            <dd>{restaurantOf(entry.restaurantGuid)?.name ?? entry.restaurantGuid}</dd>
          </>
        )}
        <dt>{fact.position}</dt>
        <dd>
          {entry.position === null ? (
            <Badge tone="info">{texts.notSealed}</Badge>
          ) : (
            formatCount(entry.position)
          )}
        </dd>
        {entry.requestId && holds('requests:read') && (
          <>
            <dt>{fact.request}</dt>
            <dd>
              <a href={hrefOf(`requests/${entry.requestId}`)}>{texts.seeRequest}</a>
            </dd>
          </>
        )}
      </dl>
      {differences.length === 0 ? (
        <p class="soft">{texts.same}</p>
      ) : (
        <Differences differences={differences} />
      )}
      <div class="actions">
        <Button kind="main" onClick={onClose}>
          {common.close}
        </Button>
      </div>
    </Dialog>
  );
}

function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  return (
    <div class="differences-frame" tabIndex={0} role="region" aria-label={texts.columns.fields}>
      <table class="differences">
        <thead>
          <tr>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.before}</th>
            <th scope="col">{texts.after}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ path, before, after: now }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path || texts.whole}</code>
              </th>
              <td data-label={texts.before}>
                {before === undefined ? <span class="soft">–</span> : <del>{inWords(before)}</del>}
              </td>
              <td data-label={texts.after}>
                {now === undefined ? <span class="soft">–</span> : <ins>{inWords(now)}</ins>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
