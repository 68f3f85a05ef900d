import type { InvitedPerson, Person } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { people as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { PageHead } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.tsx';
import { Badge } from '../../parts/told.tsx';
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
  const list = useLivePages<Person>(
    show,
    (pageToken) => call('backOffice.people.list', { query: { active, pageSize: PAGE, pageToken } }),
    EVERY_MS,
  );
  const { rows, hasMore, refresh, loadMore } = list;
  const wanted = find.trim().toLocaleLowerCase();
  const fitting = rows?.filter(({ name, email }) =>
    `${name} ${email}`.toLocaleLowerCase().includes(wanted),
  );
  // The platform doesn't search people: with a text, all of them are read.
  useEffect(() => {
    if (wanted !== '' && hasMore) loadMore();
  }, [wanted, rows]);
  const mayInvite = holds('people:write');
  return (
    <div class="stack">
      <PageHead title={texts.title} isLive={list.isLive}>
        {mayInvite && (
          <Button kind="main" onClick={() => change({ invite: 'yes' })}>
            {texts.invite}
          </Button>
        )}
      </PageHead>
      <Filters>
        <TextFilter name="find" label={texts.find} type="search" />
        <SelectFilter
          name="show"
          initial="active"
          label={texts.show}
          options={Object.entries(texts.shows)}
        />
      </Filters>
      <List
        label={texts.title}
        list={{ ...list, rows: fitting ?? null }}
        texts={texts}
        columns={columns(places)}
        keyOf={({ personGuid }) => personGuid}
        onOpen={({ personGuid }) => go(`people/${personGuid}`)}
        onClear={find || query.show ? () => change({ find: null, show: null }) : null}
      />
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
