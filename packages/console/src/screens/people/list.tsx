import type { InvitedPerson, Person } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { people as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Empty, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { useLivePages } from '../../platform/pages.ts';
import { call, holds } from '../../platform/session.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { type Places, roleInWords, usePlaces } from './places.ts';

const EVERY_MS = 10_000;
const PAGE = 200;

export function PeopleList() {
  const { query, change, go } = useAddress();
  const { find = '', show = 'active' } = query;
  const places = usePlaces();
  const [invited, setInvited] = useState<InvitedPerson | null>(null);
  const active = show === 'all' ? undefined : show !== 'inactive';
  const { state, refresh, more } = useLivePages<Person>(
    show,
    (pageToken) => call('backOffice.people.list', { query: { active, pageSize: PAGE, pageToken } }),
    EVERY_MS,
  );
  const { value, error, isLive } = state.value;
  const wanted = find.trim().toLocaleLowerCase();
  const rows = (value?.rows ?? []).filter(({ name, email }) =>
    `${name} ${email}`.toLocaleLowerCase().includes(wanted),
  );
  // The platform doesn't search people: with a text, all of them are read.
  useEffect(() => {
    if (wanted !== '' && value?.hasMore) more();
  }, [wanted, value]);
  const mayInvite = holds('people:write');
  return (
    <div class="stack">
      <div class="page-head">
        <h1>{texts.title}</h1>
        <div class="row">
          <LiveMark isLive={isLive} />
          {mayInvite && (
            <Button kind="main" onClick={() => change({ invite: 'yes' })}>
              {texts.invite}
            </Button>
          )}
        </div>
      </div>
      <search class="filters" aria-label={texts.filters}>
        <Field
          label={texts.find}
          type="search"
          value={find}
          onValue={(text) => change({ find: text })}
        />
        <Select
          label={texts.show}
          value={show}
          onValue={(chosen) => change({ show: chosen === 'active' ? null : chosen })}
          options={Object.entries(texts.shows).map(([id, label]) => ({ value: id, label }))}
        />
      </search>
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {!value && error === null && <Skeleton lines={10} />}
      {value && rows.length === 0 && (
        <Empty title={texts.noneFit}>
          <p>{texts.emptyMore}</p>
          <Button onClick={() => change({ find: null, show: null })}>{texts.clear}</Button>
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          label={texts.title}
          columns={columns(places)}
          rows={rows}
          keyOf={({ personGuid }) => personGuid}
          onOpen={({ personGuid }) => go(`people/${personGuid}`)}
          onEnd={more}
        />
      )}
      {query.invite && mayInvite && (
        <InviteDialog
          places={places}
          onInvited={(made) => {
            setInvited(made);
            change({ invite: null });
            refresh();
          }}
          onClose={() => change({ invite: null })}
        />
      )}
      {invited && <LinkDialog invited={invited} onClose={() => setInvited(null)} />}
    </div>
  );
}

function columns(places: Places): readonly Column<Person>[] {
  return [
    {
      id: 'name',
      label: texts.name,
      cell: ({ personGuid, name, email }) => (
        <>
          <a href={hrefOf(`people/${personGuid}`)}>{name}</a>
          <span class="under soft small">{email}</span>
        </>
      ),
    },
    { id: 'email', label: texts.email, isWideOnly: true, cell: ({ email }) => email },
    {
      id: 'roles',
      label: texts.roles,
      isWideOnly: true,
      cell: ({ roles }) => roles.map((role) => roleInWords(role, places)).join('; '),
    },
    {
      id: 'state',
      label: texts.state,
      width: '9rem',
      cell: (person) => <PersonBadge {...person} />,
    },
  ];
}

export function PersonBadge({ deactivatedAt, invitedUntil, passwordChangedAt, hasTotp }: Person) {
  if (deactivatedAt) return <Badge tone="bad">{texts.states.deactivated}</Badge>;
  if (passwordChangedAt === null) {
    return <Badge tone="warn">{invitedUntil ? texts.states.invited : texts.states.expired}</Badge>;
  }
  return hasTotp ? (
    <Badge tone="good">{texts.states.twoFactors}</Badge>
  ) : (
    <Badge>{texts.states.password}</Badge>
  );
}
