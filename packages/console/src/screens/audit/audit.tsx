import './audit.css';
import type { RequestFor } from '@servery/client/back-office';
import type { AuditEntry } from '@servery/contract';
import { audit as texts } from '../../messages.ts';
import { Actor } from '../../parts/actor.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { usePaged } from '../../parts/paged.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Empty, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { Views } from '../../parts/views.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { dayOf, formatCount, formatExactly, formatNear, instantAt } from '../../platform/format.ts';
import { restaurantOf } from '../../platform/restaurants.ts';
import { call, holds, holdsEverywhere } from '../../platform/session.ts';
import { useTyped } from '../../platform/typed.ts';
import { Chain } from './chain.tsx';
import { type Difference, differencesOf } from './differences.ts';

const EVERY_MS = 5_000;
const PAGE = 100;
const DAY_MS = 86_400_000;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FILTERS = ['who', 'operation', 'kind', 'object', 'from', 'to', 'request', 'restaurant'];

type Query = NonNullable<RequestFor<'backOffice.audit.list'>['query']>;

export default function Audit() {
  const { query, change } = useAddress();
  const filter = filterOf(query);
  const { rows, error, isLive, refresh, loadMore } = usePaged<AuditEntry>({
    key: JSON.stringify(FILTERS.map((name) => query[name])),
    read: (pageToken) =>
      call('backOffice.audit.list', { query: { ...filter, pageSize: PAGE, pageToken } }),
    rankOf: ({ at, guid }) => at + guid,
    everyMs: EVERY_MS,
  });
  const isFiltered = FILTERS.some((name) => query[name]);
  const open = rows?.find(({ guid }) => guid === query.entry);
  return (
    <div class="stack audit">
      <div class="page-head">
        <h1>{texts.title}</h1>
        <div class="row">
          <Views page="audit" filters={FILTERS} />
          <LiveMark isLive={isLive} />
        </div>
      </div>
      {holdsEverywhere('audit:read') && <Chain />}
      <Filters />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {rows === null && error === null && <Skeleton lines={12} />}
      {rows?.length === 0 && (
        <Empty title={isFiltered ? texts.noneFit : texts.empty}>
          {isFiltered ? (
            <Button onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, null])))}>
              {texts.clear}
            </Button>
          ) : (
            <p>{texts.emptyMore}</p>
          )}
        </Empty>
      )}
      {rows !== null && rows.length > 0 && (
        <Table
          label={texts.title}
          columns={columns((guid) => change({ entry: guid }))}
          rows={rows}
          keyOf={({ guid }) => guid}
          onOpen={({ guid }) => change({ entry: guid })}
          onEnd={loadMore}
        />
      )}
      {open && <EntryDialog entry={open} onClose={() => change({ entry: null })} />}
    </div>
  );
}

function Filters() {
  const { query, change } = useAddress();
  const [who, typeWho] = useTyped('who');
  const [operation, typeOperation] = useTyped('operation');
  const [object, typeObject] = useTyped('object');
  return (
    <search class="filters" aria-label={texts.filters}>
      <Field label={texts.who} placeholder={texts.whoHint} value={who} onValue={typeWho} />
      <Field
        label={texts.operation}
        placeholder={texts.operationHint}
        value={operation}
        onValue={typeOperation}
      />
      <Select
        label={texts.kind}
        value={query.kind ?? ''}
        onValue={(kind) => change({ kind })}
        options={[
          { value: '', label: texts.any },
          ...Object.entries(texts.kinds).map(([value, label]) => ({ value, label })),
        ]}
      />
      <Field label={texts.object} value={object} onValue={typeObject} />
      <Field
        label={texts.from}
        type="date"
        value={query.from ?? ''}
        onValue={(from) => change({ from })}
      />
      <Field label={texts.to} type="date" value={query.to ?? ''} onValue={(to) => change({ to })} />
    </search>
  );
}

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
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
          {texts.close}
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
