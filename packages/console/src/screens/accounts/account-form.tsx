import type { ApiClient } from '@servery/contract';
import { scopeGrants, scopesFor } from '@servery/contract/scopes.ts';
import { useEffect, useState } from 'preact/hooks';
import { common, accounts as texts } from '../../messages.ts';
import { Checks } from '../../parts/checks.tsx';
import { Confirm, FaultyForm } from '../../parts/confirm.tsx';
import { Conflict } from '../../parts/conflict.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { say } from '../../parts/toast.tsx';
import { type Faults, faultsOf } from '../../platform/faults.ts';
import { isSame } from '../../platform/same.ts';
import { call, holds, holdsEverywhere, who } from '../../platform/session.ts';
import { expiryOf } from './words.tsx';

type Type = ApiClient['type'];

const NAME_AT_MOST = 100;
const DESCRIPTION_AT_MOST = 1_000;

/** The scopes of a type, each with what it allows. */
function scopeOptions(type: Type) {
  return scopesFor(type).map((scope) => [scope, scopeGrants[scope], scope] as const);
}

interface Owner {
  readonly guid: string;
  readonly name: string;
  readonly types: readonly Type[];
}

const WHOLE: Owner = { guid: '', name: texts.platform, types: ['BACK_OFFICE'] };
const ofGroup: readonly Type[] = ['CUSTOMER', 'BACK_OFFICE'];
const ofPartner: readonly Type[] = ['PARTNER'];

/** For whom this person may create accounts. */
async function readOwners(): Promise<readonly Owner[]> {
  if (!holdsEverywhere('clients:write')) {
    const grants = who.peek()?.grants ?? [];
    return grants
      .filter(({ scopes }) => scopes.some(({ scope }) => scope === 'clients:write'))
      .filter(({ place }) => place === 'group' || place === 'partner')
      .map(({ place, guid, name }) => ({
        guid: guid ?? '',
        name: name ?? '',
        types: place === 'partner' ? ofPartner : ofGroup,
      }));
  }
  const query = { pageSize: 200 };
  const [partners, groups] = await Promise.all([
    call('backOffice.partners.list', { query }),
    holds('restaurants.admin:read')
      ? call('backOffice.managementGroups.list', { query })
      : { results: [] },
  ]);
  return [
    ...partners.results.map(({ guid, name }) => ({ guid, name, types: ofPartner })),
    ...groups.results.map(({ guid, name }) => ({ guid, name, types: ofGroup })),
    WHOLE,
  ];
}

export interface CreateAccountProps {
  readonly onDone: (client: ApiClient) => void;
  readonly onClose: () => void;
}

export function CreateAccount({ onDone, onClose }: CreateAccountProps) {
  const { form } = texts;
  const [owners, setOwners] = useState<readonly Owner[]>([]);
  const [ownerGuid, setOwnerGuid] = useState<string | null>(null);
  const [type, setType] = useState<Type>('PARTNER');
  const [typed, setTyped] = useState<Typed>({ name: '', description: '', scopes: new Set() });
  const [expires, setExpires] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [issued, setIssued] = useState<{ client: ApiClient; clientSecret: string } | null>(null);
  const changeType = (next: Type) => {
    setType(next);
    setTyped((before) => ({ ...before, scopes: new Set() }));
  };
  const choose = (owner: Owner | undefined) => {
    if (!owner) return;
    setOwnerGuid(owner.guid);
    const next = owner.types.includes(type) ? type : (owner.types[0] ?? 'PARTNER');
    if (next !== type) changeType(next);
  };
  useEffect(() => {
    readOwners().then(
      (found) => {
        setOwners(found);
        if (found.length === 1) choose(found[0]);
      },
      (error) => setFaults({ owner: String(error) }),
    );
  }, []);
  if (issued) {
    return (
      <ShownOnce
        title={texts.secrets.shownTitle}
        text={texts.secrets.shownText}
        values={{
          [texts.secrets.clientId]: issued.client.clientId,
          [texts.secrets.clientSecret]: issued.clientSecret,
        }}
        done={texts.secrets.done}
        onClose={() => onDone(issued.client)}
      />
    );
  }
  const owner = owners.find(({ guid }) => guid === ownerGuid);
  const run = async () => {
    const found = {
      ...(ownerGuid === null && { owner: form.ownerFault }),
      ...faultsIn(typed),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) throw new FaultyForm();
    const expiresAt = expiryOf(expires);
    const { description, ...rest } = editedOf(typed, type);
    const body = {
      ...{ ...rest, type },
      ...(description !== null && { description }),
      ...(type === 'PARTNER' ? { partnerGuid: ownerGuid } : {}),
      ...(type !== 'PARTNER' && ownerGuid !== '' && { managementGroupGuid: ownerGuid }),
      ...(expiresAt && { secret: { expiresAt } }),
    };
    try {
      setIssued(await call('backOffice.clients.create', { body }));
    } catch (error) {
      place(error, setFaults);
    }
  };
  return (
    <Confirm title={form.createTitle} action={form.create} run={run} onClose={onClose} isWide>
      <Select
        label={texts.owner}
        value={ownerGuid === null ? 'none' : ownerGuid}
        fault={faults.owner}
        onValue={(value) => choose(owners.find(({ guid }) => guid === value))}
        options={[
          ...(ownerGuid === null ? [['none', form.chooseOwner] as const] : []),
          ...owners.map((each) => [each.guid, each.name] as const),
        ]}
      />
      {owner && owner.types.length > 1 && (
        <Select
          label={texts.type}
          value={type}
          onValue={(value) => changeType(value === 'CUSTOMER' ? 'CUSTOMER' : 'BACK_OFFICE')}
          options={owner.types.map((value) => [value, texts.types[value]])}
        />
      )}
      <Fields {...{ type, typed, faults }} onType={setTyped} />
      <Select
        label={texts.secrets.expiry}
        value={expires}
        onValue={setExpires}
        options={Object.entries(texts.secrets.expiries)}
      />
    </Confirm>
  );
}

/** What somebody has typed of an account. */
interface Typed {
  readonly name: string;
  readonly description: string;
  readonly scopes: ReadonlySet<string>;
}

/** The same as the platform has it. */
type Edited = Pick<ApiClient, 'name' | 'description' | 'scopes'>;

const fieldLabels: Readonly<Record<keyof Edited, string>> = {
  name: texts.name,
  description: texts.form.description,
  scopes: texts.form.scopes,
};
const fieldNames = Object.keys(fieldLabels) as (keyof Edited)[];

function typedOf({ name, description, scopes }: Edited): Typed {
  return { name, description: description ?? '', scopes: new Set(scopes) };
}

function editedOf({ name, description, scopes }: Typed, type: Type): Edited {
  return {
    name: name.trim(),
    description: description.trim() || null,
    scopes: scopesFor(type).filter((scope) => scopes.has(scope)),
  };
}

function faultsIn({ name, scopes }: Typed): Faults {
  return {
    ...(name.trim() === '' && { name: texts.form.nameFault }),
    ...(scopes.size === 0 && { scopes: texts.form.scopesFault }),
  };
}

interface FieldsProps {
  readonly type: Type;
  readonly typed: Typed;
  readonly faults: Faults;
  readonly onType: (typed: Typed) => void;
}

function Fields({ type, typed, faults, onType }: FieldsProps) {
  return (
    <>
      <Field
        label={fieldLabels.name}
        maxLength={NAME_AT_MOST}
        value={typed.name}
        fault={faults.name}
        onValue={(name) => onType({ ...typed, name })}
      />
      <Field
        label={fieldLabels.description}
        maxLength={DESCRIPTION_AT_MOST}
        value={typed.description}
        fault={faults.description}
        onValue={(description) => onType({ ...typed, description })}
      />
      <Checks
        label={fieldLabels.scopes}
        fault={faults.scopes}
        options={scopeOptions(type)}
        chosen={typed.scopes}
        onChoose={(scopes) => onType({ ...typed, scopes })}
      />
    </>
  );
}

/** Shows what the platform says of single fields there, and throws what it says of the whole. */
function place(error: unknown, setFaults: (faults: Faults) => void): never {
  const found = faultsOf(error);
  setFaults(found);
  const names = Object.keys(found);
  const isOwn = (name: string) => Object.hasOwn(fieldLabels, name);
  if (names.length > 0 && names.every(isOwn)) throw new FaultyForm();
  throw error;
}

export interface EditAccountProps {
  readonly client: ApiClient;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function EditAccount({ client, onDone, onClose }: EditAccountProps) {
  const { type, clientId } = client;
  // As it was when the form was opened: the page behind it goes on living.
  const [read, setRead] = useState<Edited>(client);
  const [typed, setTyped] = useState(() => typedOf(client));
  const [faults, setFaults] = useState<Faults>({});
  const [theirs, setTheirs] = useState<Edited | null>(null);
  const params = { clientId };
  const mine = editedOf(typed, type);
  // In the order of the contract on both sides.
  const before = editedOf(typedOf(read), type);
  const changed = fieldNames.filter((name) => !isSame(before[name], mine[name]));
  const save = async (names: readonly (keyof Edited)[]) => {
    const body = Object.fromEntries(names.map((name) => [name, mine[name]]));
    if (names.length > 0) await call('backOffice.clients.update', { params, body });
    say(texts.form.changed);
    onDone();
  };
  const run = async () => {
    const found = faultsIn(typed);
    setFaults(found);
    if (Object.keys(found).length > 0) throw new FaultyForm();
    const newest = await call('backOffice.clients.get', { params });
    const now = editedOf(typedOf(newest), type);
    if (changed.some((name) => !isSame(before[name], now[name]))) setTheirs(now);
    else await save(changed).catch((error) => place(error, setFaults));
  };
  if (theirs) {
    const contested = changed.filter(
      (name) => !isSame(before[name], theirs[name]) && !isSame(mine[name], theirs[name]),
    );
    return (
      <Conflict
        fields={contested.map((name) => ({
          ...{ name, label: fieldLabels[name] },
          ...{ mine: inWords(mine[name]), theirs: inWords(theirs[name]) },
        }))}
        run={(left) => save(changed.filter((name) => !left.has(name)))}
        onClose={() => {
          // From here on, the form is about what is there now; what was typed stays.
          setRead(theirs);
          setTheirs(null);
        }}
      />
    );
  }
  return (
    <Confirm
      title={texts.form.editTitle}
      action={texts.form.save}
      run={run}
      onClose={onClose}
      isWide
    >
      <Fields {...{ type, typed, faults }} onType={setTyped} />
    </Confirm>
  );
}

function inWords(value: Edited[keyof Edited]): string {
  return (typeof value === 'string' ? value : value?.join(', ')) || common.none;
}
