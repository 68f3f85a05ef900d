import { Refused } from '@servery/client/back-office';
import type { ConfigurationObject } from '@servery/contract';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { common, menus as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { say, sayFailed } from '../../parts/toast.tsx';
import { ErrorPanel, Reading, sayError } from '../../parts/told.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatNear } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { after } from '../../platform/present.ts';
import { call, isRefused } from '../../platform/session.ts';
import { type Catalog, keyOf, type Place } from './catalog.ts';
import { ConflictDialog, type Contest } from './conflict-dialog.tsx';
import { FieldDifferences } from './differences.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { FieldList, type FormContext } from './fields.tsx';
import { type CollectionForm, forms } from './form.ts';
import {
  cleanedFields,
  type Fields,
  initialFields,
  isEqual,
  patchOf,
  shownFields,
} from './values.ts';
import { ChangeBadge, kindLabel } from './words.tsx';

const EVERY_MS = 4_000;
const FAULT = /^([\w.[\]]+): (.*)$/s;

/** What a manager changes; the other fields are behind one more click. */
const main: Readonly<Record<string, readonly string[]>> = {
  menus: ['name', 'description', 'groups', 'availability', 'channels', 'taxRates'],
  menuGroups: [
    ...['name', 'description', 'items', 'subgroups', 'optionGroups', 'pricing'],
    ...['taxRates', 'channels'],
  ],
  menuItems: [
    ...['name', 'description', 'pricing', 'taxRates', 'taxInclusion', 'optionGroups'],
    ...['channels', 'itemTags', 'salesCategory', 'calories', 'sku', 'plu'],
  ],
  menuOptionGroups: [
    ...['name', 'options', 'minSelections', 'maxSelections', 'requiredMode'],
    ...['pricingMode', 'groupPricing', 'optionSettings'],
  ],
  taxRates: [
    ...['name', 'type', 'rate', 'roundingType', 'taxTable', 'conditionalTaxRates'],
    'isDefault',
  ],
};

export interface EditorProps {
  readonly catalog: Catalog;
  readonly place: Place;
  readonly currency: string;
  readonly timeZone: string;
  readonly mayChange: boolean;
  /** Something was saved: the drafts must be read again. */
  readonly onChanged: () => void;
}

/** One object: as it is, and as it is being changed. */
export function Editor(props: EditorProps) {
  const { catalog, place } = props;
  const form = forms[place.collection];
  const back = <BackToList />;
  if (!form) return <ErrorPanel error={new Error(common.notFoundMore)} />;
  if (place.guid === 'new') return <NewObject {...props} form={form} />;
  return (
    <Existing key={keyOf(place)} {...props} form={form} restaurantGuid={catalog.restaurantGuid}>
      {back}
    </Existing>
  );
}

function BackToList() {
  const { query } = useAddress();
  const { restaurant, list, open, find } = query;
  return (
    <a class="back menus-back" href={hrefOf('menus', { restaurant, list, open, find })}>
      <Icon name="back" />
      {texts.title}
    </a>
  );
}

interface FormOf {
  readonly form: CollectionForm;
}

function Existing(
  props: EditorProps & FormOf & { restaurantGuid: string; children: preact.ComponentChildren },
) {
  const { catalog, place, restaurantGuid, children } = props;
  const params = { restaurantGuid, ...place };
  const { state, refresh } = useLive<ConfigurationObject>(
    keyOf(place),
    () => call('backOffice.configuration.objects.get', { params }),
    EVERY_MS,
  );
  const { value, error } = state.value;
  useEffect(() => {
    const known = value && catalog.get(place);
    if (known && (known.name !== value.name || known.change !== value.change)) catalog.put([value]);
  }, [value]);
  return (
    <div class="stack">
      {children}
      <Reading value={value} error={error} onRetry={refresh} lines={10} />
      {value && <ObjectForm {...props} now={value} onSaved={refresh} />}
    </div>
  );
}

interface ObjectFormProps extends EditorProps, FormOf {
  /** As the platform has it now. */
  readonly now: ConfigurationObject;
  readonly onSaved: () => void;
}

function ObjectForm(props: ObjectFormProps) {
  const { catalog, place, form, now, currency, timeZone, mayChange, onChanged, onSaved } = props;
  const { collection } = place;
  const kept = catalog.unsaved.get(keyOf(place));
  const [base, setBase] = useState(kept?.base ?? now);
  const [values, setValues] = useState<Fields>(kept?.values ?? shownFields(collection, now.object));
  const [refusal, setRefusal] = useState<Refusal>(NO_REFUSAL);
  const [conflict, setConflict] = useState<Contest | null>(null);
  const [isDiscarding, setDiscarding] = useState(false);
  const [isComparing, setComparing] = useState(false);
  const latest = useRef(now.state);
  latest.current = now.state;
  const outrun = useRef<string | null>(null);
  const patch = patchFrom(form, collection, base, values);
  const isDirty = Object.keys(patch).length > 0;
  const adopt = (object: ConfigurationObject) => {
    catalog.setUnsaved(place, null);
    setBase(object);
    setValues(shownFields(collection, object.object));
    setRefusal(NO_REFUSAL);
    setConflict(null);
  };
  const edit = (changed: Fields) => {
    setValues(changed);
    const isChanged = Object.keys(patchFrom(form, collection, base, changed)).length > 0;
    catalog.setUnsaved(place, isChanged ? { base, values: changed } : null);
  };
  // What was read before this page saved is older than what it has.
  const isMoved = now.state !== base.state && now.state !== outrun.current;
  useEffect(() => {
    if (isMoved && !isDirty) adopt(now);
  }, [now.state, isDirty]);
  const params = { restaurantGuid: catalog.restaurantGuid, ...place };
  const send = async (body: Fields, expectedState: string) => {
    setRefusal(NO_REFUSAL);
    try {
      const request = { params, query: { expectedState }, body };
      const saved = await call('backOffice.configuration.objects.update', request);
      catalog.put([saved]);
      outrun.current = latest.current;
      adopt(saved);
      say(saved.draft ? texts.saved : texts.sameAsPublished);
      onSaved();
      onChanged();
    } catch (error) {
      if (isRefused(error, 409)) return await compare(body);
      setRefusal(refusalOf(error));
    }
  };
  /** Somebody else was first: what both changed is for the person to choose, the rest fits. */
  const compare = async (body: Fields) => {
    const theirs = await call('backOffice.configuration.objects.get', { params });
    const both = Object.keys(body).filter(
      (name) =>
        !isEqual(base.object[name], theirs.object[name]) &&
        !isEqual(theirs.object[name], mineOf(form, collection, values)[name]),
    );
    const mine = mineOf(form, collection, values);
    if (both.length > 0) return setConflict({ mine, theirs, fields: both });
    await send(rebased(theirs, mine, Object.keys(body)), theirs.state);
    say(texts.merged(theirs.draft?.modifiedByName ?? texts.somebody));
  };
  const run = async (id: 'archive' | 'unarchive', done: string) => {
    try {
      const changed = await call(`backOffice.configuration.objects.${id}`, { params });
      catalog.put([changed]);
      outrun.current = latest.current;
      adopt(changed);
      say(done);
      onSaved();
      onChanged();
    } catch (error) {
      sayFailed(error);
    }
  };
  const isArchived = now.object.archived === true;
  const who = now.draft?.modifiedByName ?? texts.somebody;
  const when = now.draft && formatNear(now.draft.modifiedAt, nowMs.peek(), timeZone);
  return (
    <>
      <div class="page-head">
        <div class="row">
          <h2 class="object-name">{now.name ?? kindLabel(collection)}</h2>
          <ChangeBadge change={now.change} />
          {isArchived && now.change !== 'ARCHIVE' && <span class="badge">{texts.archived}</span>}
        </div>
        <span class="soft small">{kindLabel(collection)}</span>
      </div>
      {now.draft && (
        <p class="soft small">
          {texts.drafted(who, when ?? '')}
          {now.draft.isOutdated && ` ${texts.outdated}`}
        </p>
      )}
      {isMoved && isDirty && (
        <div class="panel warn" role="status">
          <p>{texts.movedMeanwhile(who)}</p>
          <Button onClick={() => adopt(now)}>{texts.takeTheirs}</Button>
        </div>
      )}
      <Form
        {...{ catalog, currency, mayChange, refusal, values }}
        isReadOnly={!mayChange}
        collection={collection}
        form={form}
        onValues={edit}
        onSubmit={() => (isDirty ? send(patch, base.state) : undefined)}
      >
        {mayChange && (
          <>
            <Button kind="main" type="submit" disabled={!isDirty}>
              {texts.save}
            </Button>
            {isDirty && <Button onClick={() => adopt(now)}>{texts.reset}</Button>}
            {now.draft && !isDirty && (
              <Button onClick={() => setDiscarding(true)}>{texts.discard}</Button>
            )}
            {now.published && !isArchived && (
              <Button kind="quiet" onClick={() => run('archive', texts.archiveDone)}>
                {texts.archive}
              </Button>
            )}
            {isArchived && (
              <Button kind="quiet" onClick={() => run('unarchive', texts.restoreDone)}>
                {texts.restore}
              </Button>
            )}
          </>
        )}
      </Form>
      {now.draft && now.published && (
        <details
          class="card"
          open={isComparing}
          onToggle={(event) => setComparing(event.currentTarget.open)}
        >
          <summary>{texts.differsFromPublished}</summary>
          {isComparing && (
            <FieldDifferences
              {...{ catalog, collection, currency }}
              before={now.published}
              after={now.object}
            />
          )}
        </details>
      )}
      {conflict && (
        <ConflictDialog
          {...{ catalog, collection, currency, conflict }}
          onClose={() => setConflict(null)}
          onChoose={(mine) => {
            const { theirs } = conflict;
            setConflict(null);
            const names = Object.keys(patch).filter(
              (name) => !conflict.fields.includes(name) || mine.includes(name),
            );
            const body = rebased(theirs, conflict.mine, names);
            if (Object.keys(body).length > 0) return send(body, theirs.state);
            adopt(theirs);
          }}
        />
      )}
      {isDiscarding && (
        <DiscardDialog
          {...{ catalog, onChanged }}
          drafts={[{ ...place, name: now.name, change: now.change }]}
          onClose={() => setDiscarding(false)}
          onDone={() => {
            setDiscarding(false);
            catalog.setUnsaved(place, null);
            onSaved();
          }}
        />
      )}
    </>
  );
}

function NewObject(props: EditorProps & FormOf) {
  const { catalog, place, form, currency, mayChange, onChanged } = props;
  const { collection } = place;
  const { go, query } = useAddress();
  const kept = catalog.unsaved.get(keyOf(place));
  const initial = useMemo(() => initialFields(form.fields), [form]);
  const [values, setValues] = useState<Fields>(kept?.values ?? initial);
  const [refusal, setRefusal] = useState<Refusal>(NO_REFUSAL);
  const create = async () => {
    setRefusal(NO_REFUSAL);
    const written = cleanedFields(form.fields, values, collection);
    const isGiven = ([name, value]: [string, unknown]) =>
      value !== '' && !isEqual(value, initial[name]);
    const required = form.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    const body = Object.fromEntries(
      Object.entries(written).filter(
        (entry) => isGiven(entry) || (required.includes(entry[0]) && entry[1] !== ''),
      ),
    );
    try {
      const params = { restaurantGuid: catalog.restaurantGuid, collection };
      const made = await call('backOffice.configuration.objects.create', { params, body });
      catalog.setUnsaved(place, null);
      catalog.put([made]);
      say(texts.saved);
      onChanged();
      const { restaurant, list, open } = query;
      go(`menus/${collection}/${made.guid}`, { restaurant, list, open });
    } catch (error) {
      setRefusal(refusalOf(error));
    }
  };
  return (
    <div class="stack">
      <BackToList />
      <h2>{texts.newOne(kindLabel(collection))}</h2>
      <Form
        {...{ catalog, currency, mayChange, refusal, values, collection, form }}
        isReadOnly={!mayChange}
        onValues={(changed) => {
          setValues(changed);
          const base = { ...EMPTY, collection };
          catalog.setUnsaved(place, { base, values: changed });
        }}
        onSubmit={create}
      >
        <Button kind="main" type="submit" disabled={!mayChange}>
          {texts.create}
        </Button>
      </Form>
    </div>
  );
}

/** What a form of a new object begins from. */
const EMPTY = {
  ...{ guid: 'new', name: null, state: '', change: null, object: {}, published: null },
  ...{ publishedAt: null, draft: null },
};

interface Refusal {
  readonly faults: ReadonlyMap<string, string>;
  /** What belongs to no field. */
  readonly others: readonly string[];
}

const NO_REFUSAL: Refusal = { faults: new Map(), others: [] };

/** The faults by their fields, as the interface names them. */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Refused) || error.faults.length === 0) {
    return { faults: new Map(), others: [sayError(error)] };
  }
  const faults = new Map<string, string>();
  const others: string[] = [];
  for (const { message } of error.faults) {
    const [, path, fault] = FAULT.exec(message) ?? [];
    if (path === undefined || fault === undefined) others.push(message);
    else faults.set(path, sentence(fault));
  }
  return { faults, others };
}

/** Nobody who fills in a form knows null. */
function sentence(fault: string): string {
  const text = fault.replace(/ or null\b/, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

interface FormProps extends Pick<FormContext, 'catalog' | 'currency' | 'isReadOnly'>, FormOf {
  readonly collection: string;
  readonly values: Fields;
  readonly refusal: Refusal;
  readonly onValues: (values: Fields) => void;
  readonly onSubmit: () => unknown;
  /** What can be done. */
  readonly children: preact.ComponentChildren;
}

function Form(props: FormProps) {
  const { catalog, currency, isReadOnly, form, collection, values, refusal, children } = props;
  const element = useRef<HTMLFormElement>(null);
  const first = main[collection] ?? form.fields.map(({ name }) => name);
  const more = form.fields.filter(({ name }) => !first.includes(name));
  const fields = first.flatMap((name) => form.fields.find((field) => field.name === name) ?? []);
  const { faults, others } = refusal;
  const isAmongMore = (path: string) => more.some(({ name }) => path.split(/[.[]/)[0] === name);
  const hasHidden = [...faults.keys()].some(isAmongMore);
  const context: FormContext = { catalog, currency, isReadOnly, faults };
  const running = useRef(false);
  useEffect(() => {
    if (faults.size === 0) return;
    return after(0, () => {
      const [fault] = element.current?.querySelectorAll<HTMLElement>(
        '[aria-invalid=true], .fault',
      ) ?? [undefined];
      fault?.scrollIntoView({ block: 'center' });
      fault?.focus();
    });
  }, [faults]);
  const list = (shown: typeof fields) => (
    <FieldList
      context={context}
      fields={shown}
      within={collection}
      path=""
      values={values}
      onValues={props.onValues}
    />
  );
  return (
    <form
      ref={element}
      class="stack object-form"
      noValidate
      onSubmit={async (event) => {
        event.preventDefault();
        if (running.current) return;
        running.current = true;
        try {
          await props.onSubmit();
        } catch (error) {
          sayFailed(error);
        } finally {
          running.current = false;
        }
      }}
    >
      {(faults.size > 0 || others.length > 0) && (
        <div class="panel" role="alert">
          {faults.size > 0 && <p>{texts.faults(faults.size)}</p>}
          {others.map((other) => (
            <p key={other}>{other}</p>
          ))}
        </div>
      )}
      <fieldset class="plain stack" disabled={isReadOnly}>
        {list(fields)}
      </fieldset>
      {more.length > 0 && (
        <details open={hasHidden}>
          <summary>{texts.moreFields(more.length)}</summary>
          <fieldset class="plain stack" disabled={isReadOnly}>
            {list(more)}
          </fieldset>
        </details>
      )}
      {isReadOnly ? (
        <p class="soft">{texts.readOnly}</p>
      ) : (
        <div class="form-actions">{children}</div>
      )}
    </form>
  );
}

function mineOf(form: CollectionForm, collection: string, values: Fields): Fields {
  return cleanedFields(form.fields, values, collection);
}

/** What was changed, and nothing else. */
function patchFrom(
  form: CollectionForm,
  collection: string,
  base: ConfigurationObject,
  values: Fields,
): Fields {
  const before = mineOf(form, collection, shownFields(collection, base.object));
  return patchOf(before, mineOf(form, collection, values));
}

/** The patch that makes these fields mine on what is there now. */
function rebased(now: ConfigurationObject, mine: Fields, names: readonly string[]): Fields {
  const before = Object.fromEntries(names.map((name) => [name, now.object[name]]));
  return patchOf(before, Object.fromEntries(names.map((name) => [name, mine[name]])));
}
