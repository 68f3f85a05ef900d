import type { ApiClient } from '@servery/contract';
import { type Scope, scopeGrants, scopesFor } from '@servery/contract/scopes.ts';
import { useEffect, useState } from 'preact/hooks';
import { accounts as texts } from '../../messages.ts';
import { Checks } from '../../parts/checks.tsx';
import { Confirm, FaultyForm } from '../../parts/confirm.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { say } from '../../parts/toast.tsx';
import { type Faults, faultsOf } from '../../platform/faults.ts';
import { call, holds, holdsEverywhere, who } from '../../platform/session.ts';
import { expiryOf } from './words.tsx';

type Type = ApiClient['type'];

const NAME_AT_MOST = 100;
const DESCRIPTION_AT_MOST = 1_000;

/** The scopes of a type, each with what it allows. */
function scopeOptions(type: Type) {
  return scopesFor(type).map((scope) => ({
    value: scope,
    label: scopeGrants[scope],
    hint: scope,
  }));
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
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set());
  const [expires, setExpires] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [issued, setIssued] = useState<{ client: ApiClient; clientSecret: string } | null>(null);
  const choose = (owner: Owner | undefined) => {
    if (!owner) return;
    setOwnerGuid(owner.guid);
    const next = owner.types.includes(type) ? type : (owner.types[0] ?? 'PARTNER');
    if (next !== type) setScopes(new Set());
    setType(next);
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
      ...(name.trim() === '' && { name: form.nameFault }),
      ...(scopes.size === 0 && { scopes: form.scopesFault }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) throw new FaultyForm();
    const expiresAt = expiryOf(expires);
    const body = {
      name: name.trim(),
      ...{ type, scopes: scopesFor(type).filter((scope) => scopes.has(scope)) },
      ...(description.trim() !== '' && { description: description.trim() }),
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
          ...(ownerGuid === null ? [{ value: 'none', label: form.chooseOwner }] : []),
          ...owners.map((each) => ({ value: each.guid, label: each.name })),
        ]}
      />
      {owner && owner.types.length > 1 && (
        <Select
          label={texts.type}
          value={type}
          onValue={(value) => {
            setType(value === 'CUSTOMER' ? 'CUSTOMER' : 'BACK_OFFICE');
            setScopes(new Set());
          }}
          options={owner.types.map((value) => ({ value, label: texts.types[value] }))}
        />
      )}
      <Field
        label={texts.name}
        maxLength={NAME_AT_MOST}
        value={name}
        fault={faults.name}
        onValue={setName}
      />
      <Field
        label={form.description}
        maxLength={DESCRIPTION_AT_MOST}
        value={description}
        fault={faults.description}
        onValue={setDescription}
      />
      <Checks
        label={form.scopes}
        fault={faults.scopes}
        options={scopeOptions(type)}
        chosen={scopes}
        onChoose={setScopes}
      />
      <Select
        label={texts.secrets.expiry}
        value={expires}
        onValue={setExpires}
        options={Object.entries(texts.secrets.expiries).map(([value, label]) => ({ value, label }))}
      />
    </Confirm>
  );
}

/** Shows what the platform says of single fields there, and throws what it says of the whole. */
function place(error: unknown, setFaults: (faults: Faults) => void): never {
  const found = faultsOf(error);
  setFaults(found);
  const names = Object.keys(found);
  const own = ['name', 'description', 'scopes'];
  if (names.length > 0 && names.every((name) => own.includes(name))) throw new FaultyForm();
  throw error;
}

export interface EditAccountProps {
  readonly client: ApiClient;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface Edited {
  readonly name: string;
  readonly description: string | null;
  readonly scopes: readonly Scope[];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export function EditAccount({ client, onDone, onClose }: EditAccountProps) {
  const { form } = texts;
  // As it was when the form was opened: the page behind it goes on living.
  const [read, setRead] = useState<Edited>(client);
  const [name, setName] = useState(client.name);
  const [description, setDescription] = useState(client.description ?? '');
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(client.scopes));
  const [faults, setFaults] = useState<Faults>({});
  const [theirs, setTheirs] = useState<Edited | null>(null);
  const run = async () => {
    const found = {
      ...(name.trim() === '' && { name: form.nameFault }),
      ...(scopes.size === 0 && { scopes: form.scopesFault }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) throw new FaultyForm();
    const typed: Edited = {
      name: name.trim(),
      description: description.trim() === '' ? null : description.trim(),
      scopes: [...scopes].toSorted() as Scope[],
    };
    const now: Edited = await call('backOffice.clients.get', {
      params: { clientId: client.clientId },
    });
    const fields = (['name', 'description', 'scopes'] as const).filter(
      (field) => !isSame(read[field], typed[field]),
    );
    if (fields.some((field) => !isSame(read[field], now[field]))) {
      // Another click sends what was typed all the same: both were seen.
      setTheirs(now);
      setRead(now);
      throw new FaultyForm();
    }
    const body = Object.fromEntries(fields.map((field) => [field, typed[field]]));
    try {
      if (fields.length > 0) {
        const params = { clientId: client.clientId };
        await call('backOffice.clients.update', { params, body });
      }
    } catch (error) {
      place(error, setFaults);
    }
    say(form.changed);
    onDone();
  };
  const take = () => {
    if (!theirs) return;
    setName(theirs.name);
    setDescription(theirs.description ?? '');
    setScopes(new Set(theirs.scopes));
    setTheirs(null);
  };
  return (
    <Confirm
      title={form.editTitle}
      action={theirs ? form.keepMine : form.save}
      run={run}
      onClose={onClose}
      isWide
    >
      {theirs && (
        <div class="panel warn" role="alert">
          <h3>{form.conflict}</h3>
          <dl class="facts">
            <dt>{texts.name}</dt>
            <dd>{theirs.name}</dd>
            <dt>{form.description}</dt>
            <dd>{theirs.description ?? '–'}</dd>
            <dt>{texts.scopes}</dt>
            <dd>{theirs.scopes.join(', ')}</dd>
          </dl>
          <button type="button" class="button" onClick={take}>
            {form.takeTheirs}
          </button>
        </div>
      )}
      <Field
        label={texts.name}
        maxLength={NAME_AT_MOST}
        value={name}
        fault={faults.name}
        onValue={setName}
      />
      <Field
        label={form.description}
        maxLength={DESCRIPTION_AT_MOST}
        value={description}
        fault={faults.description}
        onValue={setDescription}
      />
      <Checks
        label={form.scopes}
        fault={faults.scopes}
        options={scopeOptions(client.type)}
        chosen={scopes}
        onChoose={setScopes}
      />
    </Confirm>
  );
}
