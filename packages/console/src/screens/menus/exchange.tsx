import { operations, Refused } from '@servery/client/back-office';
import type { ConfigurationPlan, PlannedAction } from '@servery/contract';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { menus as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Field, type Option, Select } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import { say, sayFailed } from '../../parts/toast.tsx';
import { ErrorPanel, Fault, Skeleton } from '../../parts/told.tsx';
import { platformUrl, useAddress } from '../../platform/address.ts';
import { minorDigits } from '../../platform/format.ts';
import { call, holds, isRefused } from '../../platform/session.ts';
import type { Catalog } from './catalog.ts';
import { ChangeList } from './drafts.tsx';
import type { FileAnswer, FileRequest } from './files.worker.ts';
import { keepMapping, keptMapping } from './mappings.ts';
import { NoteDialog } from './note-dialog.tsx';
import { guessFields, type Merged, sheetFields } from './sheet.ts';
import type { Fields } from './values.ts';
import { labelOf } from './words.tsx';

const BYTES_AT_MOST = 8_388_608;
const FAULTS_SHOWN = 20;
/** Of a draft, and of an item of the document, as the platform tells them. */
const DRAFT_FAULT = /^\w+\/\S+ "?(.*?)"? (\w+): (.*)$/s;
const ITEM_FAULT = /^configuration\.menuItems\[(\d+)\]\.(\w+)[^:]*: (.*)$/s;
/** Old workbooks too: who chooses one reads what to do. */
const ACCEPTED = '.xlsx,.xls,.csv,.json,text/csv,application/json';
/** Says nothing about the menu. */
const GENERIC_NAME = /^(sheet|table|book|workbook|untitled|export|import|items|menus?)\W*\d*$/i;

type Sheet = Extract<FileAnswer, { kind: 'sheet' }>;

interface MapStep {
  readonly kind: 'map';
  /** Of a workbook that has several. */
  readonly sheetNames: readonly string[];
  readonly chosen: string;
  /** Null until one is chosen. */
  readonly sheet: Sheet | null;
}

/** Where a plan came from. */
interface Source {
  readonly step: MapStep;
  readonly mapping: readonly string[];
  readonly merged: Merged;
}

type Step =
  | { readonly kind: 'start' | 'reading' }
  | MapStep
  | {
      readonly kind: 'plan';
      readonly document: object;
      readonly plan: ConfigurationPlan;
      /** Null for a configuration document. */
      readonly source: Source | null;
    };

export interface ExchangeProps {
  readonly catalog: Catalog;
  readonly currency: string;
  readonly onChanged: () => void;
}

/** The configuration as a file: out, and in with a plan first. */
export function Exchange({ catalog, currency, onChanged }: ExchangeProps) {
  const { restaurantGuid } = catalog;
  const ask = useFileWorker();
  const [name, setName] = useState('');
  const [step, setStep] = useState<Step>({ kind: 'start' });
  const [error, setError] = useState<unknown>(null);
  const [faults, setFaults] = useState<Merged['faults']>([]);
  const input = useRef<HTMLInputElement>(null);
  const mayApply = holds('configuration:publish', restaurantGuid);
  const exportUrl = (references: 'guid' | 'name') =>
    `${platformUrl}${operations['backOffice.configuration.export'][1].replace(
      '{restaurantGuid}',
      restaurantGuid,
    )}?references=${references}`;
  const plan = async (document: object, source: Source | null) => {
    const params = { restaurantGuid };
    const body = { document: { ...document } };
    try {
      const planned = await call('backOffice.configuration.plan', { params, body });
      for (const { guid, name: own } of planned.actions) {
        if (own !== null) catalog.plannedNames.set(guid, own);
      }
      setStep({ kind: 'plan', document, plan: inOrderOf(document, planned), source });
    } catch (failure) {
      const found = source && cellFaults(failure, source);
      if (!found) throw failure;
      setStep(source.step);
      setFaults(found);
    }
  };
  const attempt = async (work: () => Promise<unknown>) => {
    setError(null);
    setFaults([]);
    try {
      await work();
    } catch (failure) {
      setStep((before) => (before.kind === 'reading' ? { kind: 'start' } : before));
      setError(failure);
    }
  };
  const open = (file: File) =>
    attempt(async () => {
      setName(file.name);
      setStep({ kind: 'reading' });
      if (file.size > BYTES_AT_MOST) throw new Error(texts.tooLarge);
      const answer = await ask({ kind: 'read', file });
      const one = { kind: 'map', sheetNames: [], chosen: '' } as const;
      if (answer.kind === 'sheet') setStep({ ...one, sheet: answer });
      else if (answer.kind === 'sheets') setStep({ ...one, sheetNames: answer.names, sheet: null });
      else if (answer.kind === 'document') await plan(answer.document, null);
      else throw notRead(answer);
    });
  const openSheet = (sheetNames: readonly string[], chosen: string) =>
    attempt(async () => {
      setStep({ kind: 'map', sheetNames, chosen, sheet: null });
      if (chosen === '') return;
      const answer = await ask({ kind: 'readSheet', name: chosen });
      if (answer.kind !== 'sheet') throw notRead(answer);
      setStep({ kind: 'map', sheetNames, chosen, sheet: answer });
    });
  const merge = (from: MapStep, mapping: readonly string[], menu: string | null) =>
    attempt(async () => {
      const digits = minorDigits(currency);
      const request = {
        kind: 'merge',
        exportUrl: exportUrl('guid'),
        mapping,
        digits,
        menu,
      } as const;
      const answer = await ask(request);
      if (answer.kind !== 'merged') throw notRead(answer);
      if (answer.faults.length > 0) {
        setStep(from);
        setFaults(answer.faults);
      } else await plan(answer.document, { step: from, mapping, merged: answer });
    });
  const save = (kind: 'exportSheet' | 'exportDocument', fileName: string) =>
    attempt(async () => {
      const references = kind === 'exportSheet' ? 'guid' : 'name';
      const answer = await ask({ kind, exportUrl: exportUrl(references) });
      if (answer.kind !== 'file') throw new Error(texts.exportFailed);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(answer.file);
      link.download = fileName;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  return (
    <div class="stack">
      <Card title={texts.export}>
        <p class="soft">{texts.exportMore}</p>
        <div class="row">
          <Button onClick={() => save('exportSheet', 'items.csv')}>{texts.exportSheet}</Button>
          <Button onClick={() => save('exportDocument', 'configuration.json')}>
            {texts.exportDocument}
          </Button>
        </div>
      </Card>
      {mayApply && (
        <Card title={texts.import}>
          <p class="soft">{texts.importMore}</p>
          <label class="field file-field">
            <span class="label">{texts.file}</span>
            <input
              ref={input}
              type="file"
              accept={ACCEPTED}
              onClick={(event) => {
                // So that the same file can be chosen again after it was corrected.
                event.currentTarget.value = '';
              }}
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? [];
                if (file) void open(file);
              }}
            />
          </label>
          {faults.length > 0 && step.kind === 'map' && <Faults {...{ faults, step }} />}
          {error !== null && <ErrorPanel error={error} />}
          {step.kind === 'reading' && <Skeleton lines={3} />}
          {step.kind === 'map' && step.sheetNames.length > 0 && (
            <Select
              label={texts.whichSheet(name)}
              value={step.chosen}
              options={[
                ['', texts.chooseSheet],
                ...step.sheetNames.map((value): Option => [value, value]),
              ]}
              onValue={(chosen) => openSheet(step.sheetNames, chosen)}
            />
          )}
          {step.kind === 'map' && step.sheet && (
            <Mapping
              key={`${name} ${step.chosen}`}
              name={step.chosen || name}
              sheet={step.sheet}
              restaurantGuid={restaurantGuid}
              onMapped={(mapping) => merge(step, mapping, null)}
            />
          )}
        </Card>
      )}
      {!mayApply && error !== null && <ErrorPanel error={error} />}
      {step.kind === 'plan' && (
        <Plan
          {...{ catalog, currency, name, step }}
          onMenu={async (menu) => {
            if (step.source) await merge(step.source.step, step.source.mapping, menu);
          }}
          onBack={() => step.source && setStep(step.source.step)}
          onAgain={() => attempt(() => plan(step.document, step.source))}
          onDone={() => {
            setStep({ kind: 'start' });
            if (input.current) input.current.value = '';
            onChanged();
          }}
        />
      )}
    </div>
  );
}

function columnName({ sheet }: MapStep, column: number): string {
  return sheet?.headings[column] || texts.column(column + 1);
}

function Faults({ faults, step }: { readonly faults: Merged['faults']; readonly step: MapStep }) {
  const known: Readonly<Record<string, string>> = texts.sheetFault;
  return (
    <div class="panel" role="alert">
      <h3>{texts.sheetFaults(faults.length)}</h3>
      <ul class="plain-list">
        {faults.slice(0, FAULTS_SHOWN).map(({ row, firstRow, column, message, text }) => (
          <li key={`${row} ${column} ${message}`}>
            {texts.cell(
              firstRow === undefined ? [row] : [firstRow, row],
              column === null ? null : columnName(step, column),
            )}{' '}
            {text && `${texts.quoted(text)} `}
            {known[message] ?? message}
          </li>
        ))}
        {faults.length > FAULTS_SHOWN && <li>{texts.others(faults.length - FAULTS_SHOWN)}</li>}
      </ul>
    </div>
  );
}

/** What the platform refuses, at the cells where it comes from; null if some comes from none. */
function cellFaults(error: unknown, { mapping, merged }: Source): Merged['faults'] | null {
  if (!(error instanceof Refused) || error.faults.length === 0) return null;
  const found = error.faults.flatMap(({ message: whole }) => {
    const [, index, name, message] = ITEM_FAULT.exec(whole) ?? [];
    const row = merged.rows[Number(index)];
    const column = mapping.indexOf(name === 'pricing' ? 'price' : (name ?? ''));
    return row === undefined || message === undefined || column < 0
      ? []
      : [{ row, column, message, text: '' }];
  });
  return found.length === error.faults.length ? found : null;
}

/** The plan as the rows of a table stand, not as their GUIDs happen to be. */
function inOrderOf(document: object, plan: ConfigurationPlan): ConfigurationPlan {
  const { configuration = {} } = document as { readonly configuration?: object };
  const places = new Map<unknown, number>();
  for (const { guid, name } of Object.values(configuration).flat() as readonly Fields[]) {
    places.set(guid ?? name, places.size);
  }
  const placeOf = ({ guid, name }: PlannedAction) =>
    places.get(guid) ?? places.get(name) ?? places.size;
  return { ...plan, actions: plan.actions.toSorted((one, other) => placeOf(one) - placeOf(other)) };
}

function notRead(answer: FileAnswer): Error {
  return new Error(
    answer.kind === 'unreadable' ? texts.unreadable[answer.why] : texts.exportFailed,
  );
}

/** What each column is. */
function Mapping({
  name,
  sheet: { headings, sample, count },
  restaurantGuid,
  onMapped,
}: {
  readonly name: string;
  readonly sheet: Sheet;
  readonly restaurantGuid: string;
  readonly onMapped: (mapping: readonly string[]) => Promise<unknown>;
}) {
  const kept = useMemo(() => keptMapping(restaurantGuid, headings), [headings]);
  const [mapping, setMapping] = useState(() => kept ?? guessFields(headings));
  const [fault, setFault] = useState<string | null>(null);
  const options: readonly Option[] = [
    ['', texts.skipColumn],
    ...sheetFields.map((value): Option => [value, labelOf(value)]),
  ];
  const submit = () => {
    const used = mapping.filter((field) => field !== '');
    const hasName = used.includes('name') || used.includes('guid');
    const isTwice = new Set(used).size < used.length;
    const wrong = isTwice ? texts.columnTwice : hasName ? null : texts.columnMissing;
    setFault(wrong);
    return wrong === null ? onMapped(mapping) : undefined;
  };
  return (
    <div class="stack">
      <Heading>{texts.mapping(name, count)}</Heading>
      {kept && <p class="soft small">{texts.mappingKept}</p>}
      <div class="mapping">
        {headings.map((heading, column) => (
          <Select
            key={column}
            label={heading || texts.column(column + 1)}
            hint={sample
              .map((row) => row[column])
              .filter(Boolean)
              .join(', ')
              .slice(0, 60)}
            value={mapping[column] ?? ''}
            options={options}
            onValue={(field) => {
              const changed = mapping.with(column, field);
              keepMapping(restaurantGuid, headings, changed);
              setMapping(changed);
            }}
          />
        ))}
      </div>
      <Fault>{fault}</Fault>
      <div class="row">
        <Button kind="main" onClick={submit}>
          {texts.makePlan}
        </Button>
      </div>
    </div>
  );
}

/** Of a step that a person has just come to: the focus is there, and not on what is gone. */
function Heading({ children }: { readonly children: ComponentChildren }) {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <h3 ref={element} tabIndex={-1}>
      {children}
    </h3>
  );
}

interface PlanProps extends Pick<ExchangeProps, 'catalog' | 'currency'> {
  readonly name: string;
  readonly step: Extract<Step, { kind: 'plan' }>;
  readonly onMenu: (menu: string) => Promise<void>;
  readonly onBack: () => void;
  readonly onAgain: () => void;
  readonly onDone: () => void;
}

function Plan(props: PlanProps) {
  const { catalog, currency, name, step, onMenu, onBack, onAgain, onDone } = props;
  const [isAsking, setAsking] = useState(false);
  /** The menu that the next plan is made for. */
  const [chosenMenu, setChosenMenu] = useState<string | null>(null);
  const [contest, setContest] = useState<Refused | null>(null);
  const { query, go } = useAddress();
  const { counts, actions, actionCount, isUpToDate } = step.plan;
  const { source } = step;
  const params = { restaurantGuid: catalog.restaurantGuid };
  // Nothing is sent that a person hasn't seen.
  const sent = { document: { ...step.document }, expectedState: step.plan.state };
  const send = async (work: () => Promise<unknown>) => {
    try {
      await work();
      onDone();
    } catch (error) {
      if (!isRefused(error, 409)) throw error;
      setAsking(false);
      if (error.faults.length > 0) return setContest(error);
      say(texts.publishedMeanwhile);
      onAgain();
    }
  };
  const chooseMenu = async (menu: string) => {
    setChosenMenu(menu);
    await onMenu(menu);
    setChosenMenu((latest) => (latest === menu ? null : latest));
  };
  const publish = (note: object) =>
    send(async () => {
      const body = { ...sent, ...note };
      const { publication } = await call('backOffice.configuration.apply', { params, body });
      say(publication ? texts.published(publication.number) : texts.planNothing);
    });
  const saveDrafts = (conflicts: 'refuse' | 'keep' | 'replace') =>
    send(async () => {
      await call('backOffice.configuration.draft.apply', { params, body: { ...sent, conflicts } });
      say(texts.draftsSaved);
      go('menus', { restaurant: query.restaurant, tab: 'drafts' });
    });
  return (
    <section class="card stack" aria-label={texts.planTitle}>
      <Heading>{texts.planTitle}</Heading>
      <p>{isUpToDate ? texts.planNothing : texts.planCounts(counts)}</p>
      {source && (
        <Remarks
          {...{ source, actions, name }}
          menu={chosenMenu ?? source.merged.menu}
          onMenu={chooseMenu}
        />
      )}
      <div class="row">
        {!isUpToDate && (
          <Button kind="main" disabled={chosenMenu !== null} onClick={() => setAsking(true)}>
            {texts.publish}
          </Button>
        )}
        {!isUpToDate && (
          <Button
            disabled={chosenMenu !== null}
            onClick={() => saveDrafts('refuse').catch(sayFailed)}
          >
            {texts.saveDrafts}
          </Button>
        )}
        {source && <Button onClick={onBack}>{texts.toColumns}</Button>}
      </div>
      <ChangeList
        {...{ catalog, currency }}
        changes={actions.map(({ action, ...each }) => ({ ...each, kind: action }))}
      />
      {actionCount > actions.length && <p>{texts.others(actionCount - actions.length)}</p>}
      {contest && (
        <Confirm
          title={texts.contested}
          text={texts.contestedMore}
          action={texts.replaceDrafts}
          run={() => saveDrafts('replace')}
          onClose={() => setContest(null)}
        >
          <ul class="plain-list">
            {contest.faults.map(({ message }) => (
              <li key={message}>{contestText(message)}</li>
            ))}
          </ul>
          <Button onClick={() => saveDrafts('keep').catch(sayFailed)}>{texts.keepDrafts}</Button>
        </Confirm>
      )}
      {isAsking && (
        <NoteDialog
          title={texts.applyTitle}
          text={texts.applyMore(actionCount, step.plan.publishNumber)}
          action={texts.publishNow}
          note={name}
          run={publish}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

function contestText(message: string): string {
  const [, name = '', field = '', told] = DRAFT_FAULT.exec(message) ?? [];
  return told === undefined ? message : `${name}, ${labelOf(field)}: ${told}`;
}

/** What the file leaves out and changes, and what guests would not see. */
function Remarks({
  source: { step, mapping, merged },
  actions,
  name,
  menu,
  onMenu,
}: Pick<PlanProps, 'name' | 'onMenu'> & {
  readonly source: Source;
  readonly actions: readonly PlannedAction[];
  readonly menu: string;
}) {
  const { groups, menus, ungrouped, unpriced } = merged;
  const leftOut = mapping.flatMap((field, column) => (field ? [] : [columnName(step, column)]));
  const existing = actions
    .filter(({ collection, action }) => collection === 'menuItems' && action === 'CHANGE')
    .map((item) => item.name ?? item.guid);
  const isNew = menu !== '' && menus.every(([guid]) => guid !== menu);
  const newName = isNew ? menu : unusedName(menus, [step.chosen, name.replace(/\.\w+$/, '')]);
  const options: readonly Option[] = [['', texts.noMenu], ...menus, [newName, texts.newMenu]];
  return (
    <>
      {leftOut.length > 0 && <p class="soft">{texts.leftOut(texts.listed(leftOut))}</p>}
      {existing.length > 0 && (
        <p class="panel warn">{texts.existing(existing.length, texts.listed(existing))}</p>
      )}
      {groups.length > 0 && (
        <div class={menu === '' ? 'panel warn' : 'stack'}>
          <Select
            label={texts.offMenu(groups.length, texts.listed(groups))}
            {...(menu === '' && { hint: texts.offMenuMore })}
            value={menu}
            options={options}
            onValue={onMenu}
          />
          {isNew && <NewMenuName {...{ menu, menus, onMenu }} />}
        </div>
      )}
      {ungrouped.length + unpriced.length > 0 && (
        <div class="panel warn">
          {ungrouped.length > 0 && (
            <p>{texts.ungrouped(ungrouped.length, texts.listed(ungrouped))}</p>
          )}
          {unpriced.length > 0 && <p>{texts.unpriced(unpriced.length, texts.listed(unpriced))}</p>}
        </div>
      )}
    </>
  );
}

type Menus = Merged['menus'];

/** A document finds menus by their names, and a menu that is there is no new one. */
function isUsed(menus: Menus, name: string): boolean {
  return menus.some(([, each]) => each.toLowerCase() === name.toLowerCase());
}

/** The name of the sheet or the file, if it says something. */
function unusedName(menus: Menus, sources: readonly string[]): string {
  const name =
    sources
      .map((source) => source.trim())
      .find((source) => source !== '' && !GENERIC_NAME.test(source)) ?? texts.kinds.menus;
  let number = 1;
  let unused = name;
  while (isUsed(menus, unused)) {
    number += 1;
    unused = `${name} ${number}`;
  }
  return unused;
}

/** The plan is made again when the name has been typed. */
function NewMenuName({
  menu,
  menus,
  onMenu,
}: Pick<PlanProps, 'onMenu'> & { readonly menu: string; readonly menus: Menus }) {
  const [name, setName] = useState(menu);
  const [fault, setFault] = useState<string | null>(null);
  return (
    <Field
      label={texts.newMenuName}
      value={name}
      onValue={setName}
      fault={fault}
      onChange={() => {
        const given = name.trim();
        const wrong = given === '' || isUsed(menus, given);
        setFault(wrong ? texts.newMenuFault : null);
        if (!wrong && given !== menu) void onMenu(given);
      }}
    />
  );
}

/** One worker for as long as the page is there. It is asked one question after the other. */
function useFileWorker(): (request: FileRequest) => Promise<FileAnswer> {
  const worker = useRef<Worker | null>(null);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = null;
    },
    [],
  );
  const ask = (request: FileRequest): Promise<FileAnswer> => {
    worker.current ??= new Worker(new URL('./files.worker.ts', import.meta.url), {
      type: 'module',
    });
    const { current } = worker;
    return new Promise((resolve, reject) => {
      current.onmessage = ({ data }: MessageEvent<FileAnswer>) => resolve(data);
      current.onerror = () => reject(new Error(texts.unreadable.noTable));
      current.postMessage(request);
    });
  };
  return (request) => {
    const answered = last.current.then(() => ask(request));
    last.current = answered.catch(() => {});
    return answered;
  };
}
