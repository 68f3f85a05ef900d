import type { LoggedRequestDetails, ReplayedRequest } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, requests as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm, FaultyForm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Select, TextArea } from '../../parts/field.tsx';
import { sayError } from '../../parts/told.tsx';
import { sandboxName } from '../../platform/address.ts';
import { consoleOf, MAIN, signInAt } from '../../platform/main-environment.ts';
import { call } from '../../platform/session.ts';
import { pretty } from './pretty.ts';
import { lacksBody, localized, StatusBadge } from './words.tsx';

/** How the platform calls the place of all of it. */
const WHOLE_BODY = 'The body';
/** How it begins the name of a place in its faults. */
const PLACE = /\bset(?:\["(.+?)"\]|\.)/g;

export interface ReplayDialogProps {
  readonly request: LoggedRequestDetails;
  readonly onClose: () => void;
}

/** Into a copy first: nothing changes here unless somebody says so. */
export function ReplayDialog({ request, onClose }: ReplayDialogProps) {
  const [into, setInto] = useState('');
  const [set, setSet] = useState('');
  const [sent, setSent] = useState('');
  const [isTold, setTold] = useState(false);
  const [replayed, setReplayed] = useState<ReplayedRequest | null>(null);
  const needsBody = lacksBody(request);
  const values = parsed(set || '{}');
  const whole = needsBody ? parsed(sent) : null;
  const send = async () => {
    setTold(true);
    if (!isObject(values) || whole === undefined) throw new FaultyForm();
    const { requestId } = request;
    const all = { ...values, ...(needsBody && { [WHOLE_BODY]: whole }) };
    const body = { ...(into && { into }), set: all };
    const answered = await call('backOffice.requests.replay', { params: { requestId }, body });
    if (answered.demo) await signInAt(answered.into, answered.demo);
    setReplayed(answered);
  };
  const here = sandboxName ?? MAIN;
  if (replayed) {
    return (
      <Dialog title={texts.replayTitle} onClose={onClose} isWide>
        <Replayed replayed={replayed} />
        <div class="actions">
          <a
            class="button"
            href={`${consoleOf(replayed.into)}requests/${replayed.requestId}`}
            onClick={onClose}
          >
            {texts.openReplayed}
          </a>
          <Button kind="quiet" onClick={onClose}>
            {common.close}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Confirm
      title={texts.replayTitle}
      text={texts.replayMore}
      action={texts.replay}
      kind={into === '' ? 'main' : 'danger'}
      run={send}
      sayFailure={(error) => sayError(error).replace(PLACE, '$1')}
      onClose={onClose}
      isWide
    >
      <Select
        label={texts.into}
        value={into}
        onValue={setInto}
        options={[
          ['', texts.intoCopy],
          [here, sandboxName ? texts.intoHere(here) : texts.intoMain],
        ]}
      />
      {needsBody ? (
        <TextArea
          label={texts.wholeBody}
          hint={texts.wholeBodyHint}
          fault={isTold && whole === undefined ? texts.wholeBodyFault : null}
          isCode
          value={sent}
          onValue={setSent}
          rows={6}
        />
      ) : (
        <TextArea
          label={texts.set}
          hint={texts.setHint}
          fault={isTold && !isObject(values) ? texts.setFault : null}
          isCode
          value={set}
          onValue={setSet}
        />
      )}
    </Confirm>
  );
}

function Replayed({ replayed }: { readonly replayed: ReplayedRequest }) {
  const { into, status, notes, differences, differenceCount, answerBody } = replayed;
  return (
    <div class="stack" role="status">
      <div class="row">
        {/* The dialog opens here, and not at the button at its end. */}
        <h3 tabIndex={-1} autofocus>
          {texts.replayed(into)}
        </h3>
        <StatusBadge status={status} />
      </div>
      <p>{differenceCount === 0 ? texts.same : texts.differs(differenceCount)}</p>
      {notes.map((note) => (
        <p key={note} class="soft small">
          {localized(note)}
        </p>
      ))}
      {differences.length > 0 && (
        <table class="table differences">
          <thead>
            <tr>
              <th scope="col">{texts.place}</th>
              <th scope="col">{texts.before}</th>
              <th scope="col">{texts.after}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ path, before, after }) => (
              <tr key={path}>
                <td>
                  <code>{path}</code>
                </td>
                <td>{valueAt(path, before)}</td>
                <td>{valueAt(path, after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <details>
        <summary>{texts.body}</summary>
        <pre>{answerBody === null ? texts.noBody : pretty(answerBody)}</pre>
      </details>
    </div>
  );
}

/** A body that was cut off is a text. */
function valueAt(path: string, value: unknown) {
  if (typeof value === 'object' && value !== null)
    return <pre>{JSON.stringify(value, null, 2)}</pre>;
  return path === 'body' && typeof value === 'string' ? <pre>{value}</pre> : JSON.stringify(value);
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
