import './sandboxes.css';
import type { Sandbox, SandboxOrigin, SandboxSnapshot } from '@servery/contract';
import { useRef, useState } from 'preact/hooks';
import { common, sandboxes as texts } from '../messages.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { say, sayNext } from '../parts/toast.tsx';
import { ErrorPanel, Skeleton, sayError } from '../parts/told.tsx';
import { sandboxName } from '../platform/address.ts';
import { faultsOf } from '../platform/faults.ts';
import { formatInstant } from '../platform/format.ts';
import { useLive } from '../platform/live.ts';
import {
  consoleOf,
  enterMain,
  MAIN,
  type MainEnvironment,
  samePageIn,
  signInAt,
} from '../platform/main-environment.ts';
import { isRefused } from '../platform/session.ts';

const EVERY_MS = 10_000;
const PAGE = 200;
const NAME_AT_MOST = 40;
/** What is open. */
const here = sandboxName ?? MAIN;

interface Known {
  readonly sandboxes: readonly Sandbox[];
  /** Of the sandbox that is open. */
  readonly snapshots: readonly SandboxSnapshot[];
}

/** The main environment and what is beside it: null if nobody who may see it is signed in there. */
type Seen = Known | null;

type Question =
  | { readonly kind: 'restore' | 'dropSnapshot'; readonly snapshot: SandboxSnapshot }
  | { readonly kind: 'drop'; readonly sandbox: Sandbox };

/** Copies the sandbox that is open, takes it back to a snapshot, and leads to the others. */
export default function Sandboxes({ onClose }: { readonly onClose: () => void }) {
  const main = useRef<MainEnvironment | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const { state, refresh } = useLive<Seen>(
    'sandboxes',
    async () => {
      main.current ??= await enterMain();
      if (!main.current?.holds('sandboxes:read')) return null;
      try {
        return await readKnown(main.current);
      } catch (failure) {
        if (isRefused(failure, 401)) main.current = null;
        throw failure;
      }
    },
    EVERY_MS,
  );
  const { value, error, isLive } = state.value;
  const there = main.current;
  const mayChange = there?.holds('sandboxes:write') ?? false;
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {/* What takes a while ends before the dialog does. */}
      <Dialog title={texts.title} {...(!isBusy && { onClose })}>
        {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
        {!value && !isLive && error === null && <Skeleton lines={4} />}
        {isLive && !value && (
          <p>
            {texts.elsewhere} <a href={consoleOf(MAIN)}>{texts.toMain}</a>
          </p>
        )}
        {there && value && (
          <>
            {mayChange && (
              <NameForm
                label={texts.copyName}
                hint={texts.copyHint}
                offered={freeName(value.sandboxes)}
                action={texts.copy}
                progress={texts.copying}
                isBusy={isBusy}
                run={(name) => run(() => copy(there, name))}
              />
            )}
            {sandboxName !== null && (
              <section class="stack" aria-label={texts.snapshots}>
                <h3>{texts.snapshots}</h3>
                {value.snapshots.length === 0 && <p class="soft">{texts.noSnapshots}</p>}
                <ul class="sandboxes">
                  {value.snapshots.map((snapshot) => (
                    <li key={snapshot.name}>
                      <span>
                        <strong>{snapshot.name}</strong>{' '}
                        <span class="soft small">
                          {texts.taken(formatInstant(snapshot.createdAt))}
                        </span>
                      </span>
                      {mayChange && (
                        <span class="row">
                          <Button
                            disabled={isBusy}
                            onClick={() => setQuestion({ kind: 'restore', snapshot })}
                          >
                            {texts.restore}
                            <span class="visually-hidden"> {snapshot.name}</span>
                          </Button>
                          <Button
                            kind="quiet"
                            disabled={isBusy}
                            onClick={() => setQuestion({ kind: 'dropSnapshot', snapshot })}
                          >
                            {texts.drop}
                            <span class="visually-hidden"> {snapshot.name}</span>
                          </Button>
                        </span>
                      )}
                    </li>
                  ))}
                </ul>
                {mayChange && (
                  <NameForm
                    label={texts.snapshotName}
                    hint={texts.snapshotHint}
                    offered=""
                    action={texts.take}
                    progress={texts.taking}
                    isBusy={isBusy}
                    run={(name) =>
                      run(async () => {
                        const params = { name: here };
                        const body = { name };
                        await there.call('backOffice.sandboxes.snapshots.create', { params, body });
                        say(texts.isTaken(name));
                        refresh();
                      })
                    }
                  />
                )}
              </section>
            )}
            <section class="stack" aria-label={texts.all}>
              <h3>{texts.all}</h3>
              <ul class="sandboxes">
                <Environment name={MAIN} about={texts.main} />
                {value.sandboxes.map((sandbox) => (
                  <Environment
                    key={sandbox.name}
                    name={sandbox.name}
                    from={sandbox.from}
                    onLeave={onClose}
                    about={texts.until(formatInstant(sandbox.expiresAt))}
                    onDrop={
                      mayChange && !isBusy ? () => setQuestion({ kind: 'drop', sandbox }) : null
                    }
                  />
                ))}
              </ul>
              {sandboxName === null && <p class="soft small">{texts.mainHasNone}</p>}
            </section>
          </>
        )}
        <div class="actions">
          <Button kind="quiet" disabled={isBusy} onClick={onClose}>
            {common.close}
          </Button>
        </div>
      </Dialog>
      {there && question?.kind === 'restore' && (
        <Confirm
          title={texts.restoreTitle(question.snapshot.name)}
          text={texts.restoreMore(here, formatInstant(question.snapshot.createdAt))}
          action={texts.restoreNow}
          kind="danger"
          run={async () => {
            const { name: snapshot } = question.snapshot;
            const params = { name: here };
            await there.call('backOffice.sandboxes.restore', { params, body: { snapshot } });
            sayNext(texts.restored(snapshot));
            // Everything on the page may be of a time that is gone.
            location.reload();
          }}
          onClose={() => setQuestion(null)}
        />
      )}
      {there && question?.kind === 'dropSnapshot' && (
        <Confirm
          title={texts.dropSnapshotTitle(question.snapshot.name)}
          text={texts.dropSnapshotMore(here)}
          action={texts.drop}
          kind="danger"
          run={async () => {
            const { name: snapshot } = question.snapshot;
            const params = { name: here, snapshot };
            await there.call('backOffice.sandboxes.snapshots.drop', { params });
            say(texts.snapshotDropped(snapshot));
            setQuestion(null);
            refresh();
          }}
          onClose={() => setQuestion(null)}
        />
      )}
      {there && question?.kind === 'drop' && (
        <Confirm
          title={texts.dropTitle(question.sandbox.name)}
          text={texts.dropMore}
          action={texts.drop}
          kind="danger"
          run={async () => {
            const { name } = question.sandbox;
            await there.call('backOffice.sandboxes.drop', { params: { name } });
            if (name === here) {
              sayNext(texts.dropped(name));
              return location.assign(samePageIn(MAIN));
            }
            say(texts.dropped(name));
            setQuestion(null);
            refresh();
          }}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  );
}

async function readKnown(main: MainEnvironment): Promise<Known> {
  const { results } = await main.call('backOffice.sandboxes.list', { query: { pageSize: PAGE } });
  // It may be gone, and the others are still there.
  const isThere = results.some(({ name }) => name === here);
  const params = { name: here };
  const snapshots = isThere
    ? await main.call('backOffice.sandboxes.snapshots.list', { params })
    : [];
  return { sandboxes: results, snapshots };
}

/** Goes to the same page of the copy. */
async function copy(main: MainEnvironment, name: string): Promise<void> {
  const body = { name, from: { sandbox: here } };
  const { demo } = await main.call('backOffice.sandboxes.create', { body });
  await signInAt(name, demo);
  location.assign(samePageIn(name));
}

function freeName(sandboxes: readonly Sandbox[]): string {
  const taken = new Set(sandboxes.map(({ name }) => name));
  const base = `${here}-copy`.slice(0, NAME_AT_MOST - 4);
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  return name;
}

interface EnvironmentProps {
  readonly name: string;
  readonly about: string;
  readonly from?: SandboxOrigin;
  /** The page behind the dialog may be the one that is wanted. */
  readonly onLeave?: () => void;
  /** Null if it may not be dropped. */
  readonly onDrop?: (() => void) | null;
}

function Environment({ name, about, from, onLeave, onDrop = null }: EnvironmentProps) {
  const isHere = name === here;
  return (
    <li>
      <span>
        {isHere ? <strong>{name}</strong> : <a href={consoleOf(name)}>{name}</a>}{' '}
        <span class="soft small">{isHere ? texts.here(about) : about}</span>
        {from?.replayOf && (
          <span class="under soft small">
            {texts.replayOf}{' '}
            <a
              href={`${consoleOf(from.sandbox ?? MAIN)}requests/${from.replayOf.requestId}`}
              onClick={onLeave}
            >
              {from.replayOf.method} {from.replayOf.path}
            </a>
          </span>
        )}
      </span>
      {onDrop && (
        <Button kind="quiet" onClick={onDrop}>
          {texts.drop}
          <span class="visually-hidden"> {name}</span>
        </Button>
      )}
    </li>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly hint?: string;
  readonly offered: string;
  readonly action: string;
  /** What it says while it runs. */
  readonly progress: string;
  /** Something else may be running. */
  readonly isBusy: boolean;
  readonly run: (name: string) => Promise<void>;
}

function NameForm({ label, hint, offered, action, progress, isBusy, run }: NameFormProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const name = typed ?? offered;
  const submit = async () => {
    setFault(null);
    setRunning(true);
    try {
      await run(name.trim());
      setTyped(null);
    } catch (error) {
      setFault(faultsOf(error).name ?? sayError(error));
    }
    setRunning(false);
  };
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      <Field
        {...{ label, hint, fault }}
        autocomplete="off"
        maxLength={NAME_AT_MOST}
        value={name}
        onValue={setTyped}
      />
      <div class="row">
        <Button type="submit" disabled={isBusy && !isRunning} onClick={submit}>
          {action}
        </Button>
        <span role="status">{isRunning && progress}</span>
      </div>
    </form>
  );
}
