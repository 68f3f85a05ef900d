import type { WebhookEndpoint } from '@servery/contract';
import { type EventType, eventTypes } from '@servery/contract/schemas/event-types.ts';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { common, webhooks as texts } from '../../messages.ts';
import { Check, Checks } from '../../parts/checks.tsx';
import { Confirm, FaultyForm } from '../../parts/confirm.tsx';
import { Conflict } from '../../parts/conflict.tsx';
import { Field, type Option, Select } from '../../parts/field.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { say } from '../../parts/toast.tsx';
import { sayError } from '../../parts/told.tsx';
import { type Faults, faultsOf } from '../../platform/faults.ts';
import { isSame } from '../../platform/same.ts';
import { call } from '../../platform/session.ts';
import type { EndpointDialogProps } from './endpoint-dialogs.tsx';
import { eventOptions, isEventType, titleOf } from './words.tsx';

/** The fields as they are typed. */
interface Typed {
  readonly url: string;
  readonly description: string;
  readonly isForAll: boolean;
  readonly events: ReadonlySet<string>;
  readonly isOrdered: boolean;
  readonly connect: string;
  readonly answer: string;
  readonly retries: string;
}

type Settings = Pick<
  WebhookEndpoint,
  | 'url'
  | 'description'
  | 'eventTypes'
  | 'isOrdered'
  | 'connectTimeoutMs'
  | 'answerTimeoutMs'
  | 'retryDelaysSeconds'
>;

const URL_FORM = /^https?:\/\/\S+$/i;
const WHOLE = /^\s*\d+\s*$/;
const fresh: Typed = {
  url: '',
  description: '',
  isForAll: true,
  events: new Set(),
  isOrdered: false,
  connect: '',
  answer: '',
  retries: '',
};

function typedOf(endpoint: Settings): Typed {
  return {
    url: endpoint.url,
    description: endpoint.description ?? '',
    isForAll: endpoint.eventTypes === null,
    events: new Set(endpoint.eventTypes),
    isOrdered: endpoint.isOrdered,
    connect: String(endpoint.connectTimeoutMs),
    answer: String(endpoint.answerTimeoutMs),
    retries: endpoint.retryDelaysSeconds.join(', '),
  };
}

/** The faults that the page sees by itself; the platform sees the others. */
function faultsIn(typed: Typed, isNew: boolean): Faults {
  const { form } = texts;
  const isNumber = (text: string) => WHOLE.test(text) || (isNew && text.trim() === '');
  const retries = typed.retries.split(',');
  const areRetries = typed.retries.trim() === '' || retries.every((text) => WHOLE.test(text));
  return {
    ...(!URL_FORM.test(typed.url.trim()) && { url: form.urlFault }),
    ...(!typed.isForAll && typed.events.size === 0 && { eventTypes: form.eventsFault }),
    ...(!isNumber(typed.connect) && { connectTimeoutMs: form.numberFault }),
    ...(!isNumber(typed.answer) && { answerTimeoutMs: form.numberFault }),
    ...(!areRetries && { retryDelaysSeconds: form.numberFault }),
  };
}

/** What was typed, as the platform takes it. Nothing typed leaves a setting as it is by default. */
function settingsOf(typed: Typed): Partial<Settings> {
  const retries = typed.retries.trim() === '' ? [] : typed.retries.split(',').map(Number);
  return {
    url: typed.url.trim(),
    description: typed.description.trim() === '' ? null : typed.description.trim(),
    eventTypes: typed.isForAll ? null : eventTypes.filter((type) => typed.events.has(type)),
    isOrdered: typed.isOrdered,
    ...(typed.connect.trim() !== '' && { connectTimeoutMs: Number(typed.connect) }),
    ...(typed.answer.trim() !== '' && { answerTimeoutMs: Number(typed.answer) }),
    retryDelaysSeconds: retries,
  };
}

interface FieldsProps {
  readonly typed: Typed;
  readonly faults: Faults;
  readonly onType: (typed: Typed) => void;
}

function Fields({ typed, faults, onType }: FieldsProps) {
  const { form } = texts;
  const set = (change: Partial<Typed>) => onType({ ...typed, ...change });
  const advanced = ['connectTimeoutMs', 'answerTimeoutMs', 'retryDelaysSeconds'];
  return (
    <>
      <Field
        label={form.url}
        hint={form.urlHint}
        inputmode="url"
        value={typed.url}
        fault={faults.url}
        onValue={(url) => set({ url })}
      />
      <Field
        label={form.description}
        value={typed.description}
        fault={faults.description}
        onValue={(description) => set({ description })}
      />
      <Select
        label={form.which}
        value={typed.isForAll ? 'all' : 'some'}
        fault={typed.isForAll ? faults.eventTypes : null}
        onValue={(value) => set({ isForAll: value === 'all' })}
        options={[
          ['all', form.whichAll],
          ['some', form.whichSome],
        ]}
      />
      {!typed.isForAll && (
        <Checks
          label={form.events}
          fault={faults.eventTypes}
          options={eventOptions}
          chosen={typed.events}
          onChoose={(events) => set({ events })}
        />
      )}
      <details open={advanced.some((name) => faults[name])}>
        <summary>{form.advanced}</summary>
        <div class="stack inner">
          <Check
            label={form.isOrdered}
            hint={form.isOrderedHint}
            isOn={typed.isOrdered}
            onChange={(isOrdered) => set({ isOrdered })}
          />
          <div class="pair-of-fields">
            <Field
              label={form.connect}
              inputmode="numeric"
              value={typed.connect}
              fault={faults.connectTimeoutMs}
              onValue={(connect) => set({ connect })}
            />
            <Field
              label={form.answer}
              inputmode="numeric"
              value={typed.answer}
              fault={faults.answerTimeoutMs}
              onValue={(answer) => set({ answer })}
            />
          </div>
          <Field
            label={form.retries}
            hint={form.retriesHint}
            value={typed.retries}
            fault={faults.retryDelaysSeconds}
            onValue={(retries) => set({ retries })}
          />
        </div>
      </details>
    </>
  );
}

const FIELDS = [
  ...['clientId', 'url', 'description', 'eventTypes'],
  ...['connectTimeoutMs', 'answerTimeoutMs', 'retryDelaysSeconds'],
];

/** Shows what the platform says of single fields there, and throws what it says of the whole. */
function place(error: unknown, setFaults: (faults: Faults) => void): never {
  const found = faultsOf(error);
  setFaults(found);
  const names = Object.keys(found);
  if (names.length > 0 && names.every((name) => FIELDS.includes(name))) throw new FaultyForm();
  throw error;
}

export interface CreateEndpointProps {
  readonly onDone: (endpoint: WebhookEndpoint) => void;
  readonly onClose: () => void;
}

interface Account {
  readonly clientId: string;
  readonly name: string;
}

export function CreateEndpoint({ onDone, onClose }: CreateEndpointProps) {
  const { form, secrets } = texts;
  const [accounts, setAccounts] = useState<readonly Account[] | null>(null);
  const [clientId, setClientId] = useState('');
  // The defaults of the platform are those of a new endpoint: they are not typed here.
  const [typed, setTyped] = useState(fresh);
  const [faults, setFaults] = useState<Faults>({});
  const [issued, setIssued] = useState<{ endpoint: WebhookEndpoint; secret: string } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const query = { type: 'PARTNER', revoked: false, pageSize: 200 } as const;
    call('backOffice.clients.list', { query }).then(
      ({ results }) => {
        setAccounts(results);
        if (results.length === 1) setClientId(results[0]?.clientId ?? '');
      },
      (error) => {
        setAccounts([]);
        setFailure(sayError(error));
      },
    );
  }, []);
  if (issued) {
    return (
      <ShownOnce
        title={secrets.shownTitle}
        text={secrets.shownText}
        values={{ [secrets.secret]: issued.secret }}
        done={secrets.done}
        onClose={() => onDone(issued.endpoint)}
      />
    );
  }
  const run = async () => {
    const found = {
      ...faultsIn(typed, true),
      ...(clientId === '' && { clientId: form.chooseClient }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) throw new FaultyForm();
    const { retryDelaysSeconds, ...settings } = settingsOf(typed);
    const body = {
      ...{ clientId, ...settings },
      ...(typed.retries.trim() !== '' && { retryDelaysSeconds }),
    };
    try {
      setIssued(await call('backOffice.webhooks.endpoints.create', { body }));
    } catch (error) {
      place(error, setFaults);
    }
  };
  return (
    <Confirm title={form.createTitle} action={form.create} run={run} onClose={onClose} isWide>
      {accounts?.length === 0 ? (
        <p class="fault">{failure ?? form.noClients}</p>
      ) : (
        <Select
          label={form.client}
          value={clientId}
          fault={faults.clientId}
          onValue={setClientId}
          options={[
            ['', form.chooseClient],
            ...(accounts ?? []).map((account): Option => [account.clientId, account.name]),
          ]}
        />
      )}
      <Fields typed={typed} faults={faults} onType={setTyped} />
    </Confirm>
  );
}

type Name = keyof Settings;

const labels: Readonly<Record<Name, string>> = {
  url: texts.form.url,
  description: texts.fact.description,
  eventTypes: texts.form.events,
  isOrdered: texts.form.isOrdered,
  connectTimeoutMs: texts.form.connect,
  answerTimeoutMs: texts.form.answer,
  retryDelaysSeconds: texts.form.retries,
};
const names = Object.keys(labels) as Name[];

/** The fields in which the settings differ from those that were read. */
function changesFrom(read: Settings, settings: Partial<Settings>): Partial<Settings> {
  return Object.fromEntries(
    names
      .filter((name) => name in settings && !isSame(read[name], settings[name]))
      .map((name) => [name, settings[name]]),
  );
}

export function EditEndpoint({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const { form } = texts;
  // What was read when the form was opened: the page behind it goes on living.
  const [read, setRead] = useState<Settings>(endpoint);
  const [typed, setTyped] = useState(() => typedOf(endpoint));
  const [faults, setFaults] = useState<Faults>({});
  const [theirs, setTheirs] = useState<Settings | null>(null);
  const params = { endpointGuid: endpoint.guid };
  const mine = changesFrom(read, settingsOf(typed));
  const save = async (changes: Partial<Settings>) => {
    if (Object.keys(changes).length > 0) {
      await call('backOffice.webhooks.endpoints.update', { params, body: changes });
    }
    say(Object.keys(changes).length > 0 ? form.changed : form.nothingChanged);
    onDone();
  };
  const run = async () => {
    const found = faultsIn(typed, false);
    setFaults(found);
    if (Object.keys(found).length > 0) throw new FaultyForm();
    const now = await call('backOffice.webhooks.endpoints.get', { params });
    const isTouched = names.some((name) => name in mine && !isSame(read[name], now[name]));
    if (isTouched) {
      setTheirs(now);
      return;
    }
    await save(mine).catch((error) => place(error, setFaults));
  };
  if (theirs) {
    return (
      <Conflict
        fields={names
          .filter(
            (name) =>
              name in mine &&
              !isSame(read[name], theirs[name]) &&
              !isSame(mine[name], theirs[name]),
          )
          .map((name) => ({
            ...{ name, label: labels[name] },
            ...{ mine: inWords(name, mine[name]), theirs: inWords(name, theirs[name]) },
          }))}
        run={(left) =>
          save(Object.fromEntries(Object.entries(mine).filter(([name]) => !left.has(name))))
        }
        onClose={() => {
          // From here on, the form is about what is there now; what was typed stays.
          setRead(theirs);
          setTheirs(null);
        }}
      />
    );
  }
  return (
    <Confirm title={form.editTitle} action={form.save} run={run} onClose={onClose} isWide>
      <Fields typed={typed} faults={faults} onType={setTyped} />
    </Confirm>
  );
}

function inWords(name: Name, value: unknown): ComponentChildren {
  if (name === 'eventTypes') {
    const types = value as readonly EventType[] | null;
    return types === null ? texts.allEvents : types.filter(isEventType).map(titleOf).join('; ');
  }
  if (name === 'isOrdered') return value ? texts.ordered : texts.unordered;
  if (Array.isArray(value)) return value.length === 0 ? texts.noRetries : value.join(', ');
  return value === null ? common.none : String(value);
}
