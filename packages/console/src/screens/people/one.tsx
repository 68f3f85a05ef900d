import type { InvitedPerson, Person, PersonRole } from '@servery/contract';
import { useState } from 'preact/hooks';
import { signIn, people as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { Field } from '../../parts/field.tsx';
import { Awaited, Back, Card, PageHead } from '../../parts/page.tsx';
import { say } from '../../parts/toast.tsx';
import { ErrorPanel } from '../../parts/told.tsx';
import { useAddress } from '../../platform/address.ts';
import { type FieldFaults, fieldFaults, noFaults } from '../../platform/faults.ts';
import { formatDated } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { call, holds, who } from '../../platform/session.ts';
import { LinkDialog } from './link-dialog.tsx';
import { PersonBadge } from './list.tsx';
import {
  bodyOf,
  type Places,
  placeInWords,
  type RoleChoice,
  roleInWords,
  usePlaces,
} from './places.ts';
import { leastChoice, RoleFields } from './role-fields.tsx';
import { PersonSessions } from './sessions.tsx';

const EVERY_MS = 5_000;

type Asked = keyof (typeof texts)['actions'];

export function OnePerson({ guid }: { readonly guid: string }) {
  const { query } = useAddress();
  const params = { personGuid: guid };
  const places = usePlaces();
  const { state, refresh } = useLive<Person>(
    guid,
    () => call('backOffice.people.get', { params }),
    EVERY_MS,
  );
  const [asked, setAsked] = useState<Asked | null>(null);
  const [taken, setTaken] = useState<PersonRole | null>(null);
  const [invited, setInvited] = useState<InvitedPerson | null>(null);
  const { value: person, error, isLive } = state.value;
  const back = (
    <Back to="people" query={{ restaurant: query.restaurant }}>
      {texts.title}
    </Back>
  );
  if (!person) {
    return <Awaited back={back} error={error} onRetry={refresh} />;
  }
  const close = () => {
    setAsked(null);
    setTaken(null);
    refresh();
  };
  const actions = holds('people:write') ? actionsOf(person) : [];
  return (
    <div class="stack">
      {back}
      <PageHead title={person.name} beside={<PersonBadge {...person} />} isLive={isLive} />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      <div class="row">
        {actions.map((action) => (
          <Button key={action} onClick={() => setAsked(action)}>
            {texts.actions[action].button}
          </Button>
        ))}
      </div>
      <Card title={texts.facts}>
        <Facts person={person} />
      </Card>
      <Card title={texts.roles}>
        {person.roles.length === 0 && <p class="soft">{texts.noRoles}</p>}
        <ul class="lines">
          {person.roles.map((role) => (
            <li key={role.roleGuid}>
              <span>
                <strong>{signIn.roles[role.role]}</strong>, {placeInWords(role, places)}
                <span class="under soft small">{texts.since(formatDated(role.givenAt))}</span>
              </span>
              {holds('people:write') && (
                <Button
                  kind="quiet"
                  aria-label={texts.takeRole(roleInWords(role, places))}
                  onClick={() => setTaken(role)}
                >
                  {texts.take}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {holds('people:write') && (
          <div class="row">
            <Button onClick={() => setAsked('give')}>{texts.actions.give.button}</Button>
          </div>
        )}
      </Card>
      {holds('people:write') && guid !== who.value?.id && <PersonSessions person={person} />}
      {asked === 'edit' && <EditDialog person={person} onClose={close} />}
      {asked === 'give' && <GiveDialog person={person} places={places} onClose={close} />}
      {asked && asked !== 'edit' && asked !== 'give' && (
        <Confirm
          title={texts.actions[asked].title(person.name)}
          action={texts.actions[asked].button}
          kind={asked === 'deactivate' || asked === 'removeTotp' ? 'danger' : 'main'}
          run={async () => {
            if (asked === 'link') setInvited(await call('backOffice.people.invite', { params }));
            else await send(asked, person);
            say(texts.actions[asked].done(person.name));
            close();
          }}
          onClose={() => setAsked(null)}
        >
          <p>{texts.actions[asked].more}</p>
        </Confirm>
      )}
      {taken && (
        <Confirm
          title={texts.takeRole(roleInWords(taken, places))}
          action={texts.take}
          kind="danger"
          run={async () => {
            const { roleGuid } = taken;
            await call('backOffice.people.roles.take', { params: { ...params, roleGuid } });
            say(texts.taken);
            close();
          }}
          onClose={() => setTaken(null)}
        >
          <p>{texts.takeMore(person.name)}</p>
        </Confirm>
      )}
      {invited && <LinkDialog invited={invited} onClose={() => setInvited(null)} />}
    </div>
  );
}

type Sent = 'deactivate' | 'reactivate' | 'removeTotp';

function actionsOf({ deactivatedAt, hasTotp, personGuid }: Person): readonly Asked[] {
  if (deactivatedAt) return ['reactivate', 'edit'];
  // One's own account has a page of its own.
  if (personGuid === who.value?.id) return ['edit'];
  return ['link', 'edit', ...(hasTotp ? (['removeTotp'] as const) : []), 'deactivate'];
}

async function send(action: Sent, { personGuid }: Person): Promise<void> {
  const params = { personGuid };
  if (action === 'deactivate') await call('backOffice.people.deactivate', { params });
  else if (action === 'reactivate') await call('backOffice.people.reactivate', { params });
  else await call('backOffice.people.removeTotp', { params });
}

function Facts({ person }: { readonly person: Person }) {
  const { fact } = texts;
  const when = (instant: string | null) => (instant === null ? null : formatDated(instant));
  const rows: readonly (readonly [string, string | null])[] = [
    [fact.email, person.email],
    [fact.createdAt, when(person.createdAt)],
    [fact.passwordChangedAt, when(person.passwordChangedAt) ?? fact.never],
    [fact.hasTotp, person.hasTotp ? fact.yes : fact.no],
    [fact.invitedUntil, when(person.invitedUntil)],
    [fact.deactivatedAt, when(person.deactivatedAt)],
  ];
  return <FactList rows={rows} />;
}

interface EditDialogProps {
  readonly person: Person;
  readonly onClose: () => void;
}

function EditDialog({ person, onClose }: EditDialogProps) {
  const [name, setName] = useState(person.name);
  const [email, setEmail] = useState(person.email);
  const [faults, setFaults] = useState<FieldFaults>(noFaults);
  const save = async () => {
    const body = {
      ...(name.trim() !== person.name && { name: name.trim() }),
      ...(email.trim() !== person.email && { email: email.trim() }),
    };
    setFaults(noFaults);
    try {
      const params = { personGuid: person.personGuid };
      await call('backOffice.people.update', { params, body });
      say(texts.actions.edit.done(name.trim()));
      onClose();
    } catch (error) {
      const told = fieldFaults(error);
      setFaults(told);
      if (told.size === 0) throw error;
    }
  };
  return (
    <Confirm
      title={texts.actions.edit.title(person.name)}
      action={texts.actions.edit.action}
      run={save}
      onClose={onClose}
    >
      <p>{texts.actions.edit.more}</p>
      <Field label={texts.name} value={name} fault={faults.get('name')} onValue={setName} />
      <Field
        label={texts.email}
        type="email"
        value={email}
        fault={faults.get('email')}
        onValue={setEmail}
      />
    </Confirm>
  );
}

interface GiveDialogProps extends EditDialogProps {
  readonly places: Places;
}

function GiveDialog({ person, places, onClose }: GiveDialogProps) {
  const [chosen, setChosen] = useState<RoleChoice | null>(null);
  const choice = chosen ?? leastChoice(places);
  const give = async () => {
    const params = { personGuid: person.personGuid };
    await call('backOffice.people.roles.give', { params, body: bodyOf(choice) });
    say(texts.actions.give.done(person.name));
    onClose();
  };
  return (
    <Confirm
      title={texts.actions.give.title(person.name)}
      action={texts.actions.give.button}
      run={give}
      onClose={onClose}
    >
      <p>{texts.actions.give.more}</p>
      <RoleFields places={places} choice={choice} onChange={setChosen} />
    </Confirm>
  );
}
