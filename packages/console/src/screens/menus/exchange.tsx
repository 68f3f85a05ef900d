import { operations } from '@servery/client/back-office';
import type { ConfigurationPlan } from '@servery/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { menus as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { type Option, Select, TextArea } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import { say } from '../../parts/toast.tsx';
import { ErrorPanel, Fault, Skeleton } from '../../parts/told.tsx';
import { platformUrl } from '../../platform/address.ts';
import { minorDigits } from '../../platform/format.ts';
import { call, holds, isRefused } from '../../platform/session.ts';
import type { Catalog } from './catalog.ts';
import { ChangeList } from './drafts.tsx';
import type { FileAnswer, FileRequest } from './files.worker.ts';
import { guessField, type Merged, sheetFields } from './sheet.ts';
import { labelOf } from './words.tsx';

const BYTES_AT_MOST = 8_388_608;
const FAULTS_SHOWN = 20;
/** Old workbooks too: who chooses one reads what to do. */
const ACCEPTED = '.xlsx,.xls,.csv,.json,text/csv,application/json';

type Sheet = Extract<FileAnswer, { kind: 'sheet' }>;

type Step =
  | { readonly kind: 'start' | 'reading' }
  | {
      readonly kind: 'map';
      /** Of a workbook that has several. */
      readonly sheetNames: readonly string[];
      readonly chosen: string;
      /** Null until one is chosen. */
      readonly sheet: Sheet | null;
    }
  | { readonly kind: 'plan'; readonly document: object; readonly plan: ConfigurationPlan };

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
  const mayApply = holds('configuration:publish', restaurantGuid);
  const exportUrl = (references: 'guid' | 'name') =>
    `${platformUrl}${operations['backOffice.configuration.export'][1].replace(
      '{restaurantGuid}',
      restaurantGuid,
    )}?references=${references}`;
  const plan = async (document: object) => {
    const params = { restaurantGuid };
    const body = { document: { ...document } };
    const planned = await call('backOffice.configuration.plan', { params, body });
    for (const { guid, name: own } of planned.actions) {
      if (own !== null) catalog.plannedNames.set(guid, own);
    }
    setStep({
      ...{ kind: 'plan', document },
      plan: planned,
    });
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
      else if (answer.kind === 'document') await plan(answer.document);
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
  const merge = (mapping: readonly string[]) =>
    attempt(async () => {
      const digits = minorDigits(currency);
      const answer = await ask({ kind: 'merge', exportUrl: exportUrl('guid'), mapping, digits });
      if (answer.kind !== 'merged') throw notRead(answer);
      setFaults(answer.faults);
      if (answer.faults.length === 0) await plan(answer.document);
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
              type="file"
              accept={ACCEPTED}
              onChange={(event) => {
                const [file] = event.currentTarget.files ?? [];
                // So that the same file can be chosen again after it was corrected.
                event.currentTarget.value = '';
                if (file) void open(file);
              }}
            />
          </label>
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
              onMapped={merge}
            />
          )}
          {faults.length > 0 && (
            <div class="panel" role="alert">
              <h3>{texts.sheetFaults(faults.length)}</h3>
              <ul class="plain-list">
                {faults.slice(0, FAULTS_SHOWN).map(({ row, message }) => (
                  <li key={`${row} ${message}`}>
                    {texts.row(row)}: {sheetFaultText(message)}
                  </li>
                ))}
                {faults.length > FAULTS_SHOWN && (
                  <li>{texts.others(faults.length - FAULTS_SHOWN)}</li>
                )}
              </ul>
            </div>
          )}
        </Card>
      )}
      {error !== null && <ErrorPanel error={error} />}
      {step.kind === 'plan' && (
        <Plan
          {...{ catalog, currency, name }}
          document={step.document}
          plan={step.plan}
          onAgain={() => attempt(() => plan(step.document))}
          onDone={() => {
            setStep({ kind: 'start' });
            onChanged();
          }}
        />
      )}
    </div>
  );
}

function notRead(answer: FileAnswer): Error {
  return new Error(
    answer.kind === 'unreadable' ? texts.unreadable[answer.why] : texts.exportFailed,
  );
}

function sheetFaultText(message: string): string {
  const known: Readonly<Record<string, string>> = texts.sheetFault;
  return known[message] ?? message;
}

/** What each column is. */
function Mapping({
  name,
  sheet: { headings, sample, count },
  onMapped,
}: {
  readonly name: string;
  readonly sheet: Sheet;
  readonly onMapped: (mapping: readonly string[]) => Promise<unknown>;
}) {
  const [mapping, setMapping] = useState(() => headings.map(guessField));
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
      <h3>{texts.mapping(name, count)}</h3>
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
            onValue={(field) => setMapping(mapping.with(column, field))}
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

interface PlanProps extends Pick<ExchangeProps, 'catalog' | 'currency'> {
  readonly name: string;
  readonly document: object;
  readonly plan: ConfigurationPlan;
  readonly onAgain: () => void;
  readonly onDone: () => void;
}

function Plan({ catalog, currency, name, document, plan, onAgain, onDone }: PlanProps) {
  const [isAsking, setAsking] = useState(false);
  const { counts, actions, actionCount, isUpToDate } = plan;
  return (
    <Card
      title={texts.planTitle}
      aside={
        !isUpToDate && (
          <Button kind="main" onClick={() => setAsking(true)}>
            {texts.apply}
          </Button>
        )
      }
    >
      <p>{isUpToDate ? texts.planNothing : texts.planCounts(counts)}</p>
      <ChangeList
        {...{ catalog, currency }}
        changes={actions.map(({ action, ...each }) => ({ ...each, kind: action }))}
      />
      {actionCount > actions.length && <p>{texts.others(actionCount - actions.length)}</p>}
      {isAsking && (
        <ApplyDialog
          {...{ catalog, name, document, plan, onAgain }}
          onClose={() => setAsking(false)}
          onDone={onDone}
        />
      )}
    </Card>
  );
}

function ApplyDialog({
  catalog,
  name,
  document,
  plan,
  onClose,
  onAgain,
  onDone,
}: Omit<PlanProps, 'currency'> & { readonly onClose: () => void }) {
  const [note, setNote] = useState(name);
  const apply = async () => {
    try {
      const params = { restaurantGuid: catalog.restaurantGuid };
      const text = note.trim();
      const body = {
        ...{ document: { ...document }, expectedState: plan.state },
        ...(text && { note: text }),
      };
      const { publication } = await call('backOffice.configuration.apply', { params, body });
      say(publication ? texts.published(publication.number) : texts.planNothing);
      onClose();
      onDone();
    } catch (error) {
      if (!isRefused(error, 409)) throw error;
      onClose();
      say(texts.publishedMeanwhile);
      onAgain();
    }
  };
  return (
    <Confirm
      title={texts.applyTitle}
      text={texts.applyMore(plan.actionCount, plan.publishNumber)}
      action={texts.publishNow}
      run={apply}
      onClose={onClose}
    >
      <TextArea label={texts.note} hint={texts.noteHint} value={note} onValue={setNote} />
    </Confirm>
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
