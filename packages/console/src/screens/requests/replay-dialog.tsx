import type { LoggedRequestDetails, ReplayedRequest } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, requests as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm, FaultyForm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { sandboxName } from '../../platform/address.ts';
import { call } from '../../platform/session.ts';
import { pretty } from './pretty.ts';
import { StatusBadge } from './words.tsx';

export interface ReplayDialogProps {
  readonly request: LoggedRequestDetails;
  readonly onClose: () => void;
}

/** Into a copy first: nothing changes here unless somebody says so. */
export function ReplayDialog({ request, onClose }: ReplayDialogProps) {
  const [into, setInto] = useState('');
  const [set, setSet] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [replayed, setReplayed] = useState<ReplayedRequest | null>(null);
  const send = async () => {
    const values = readObject(set);
    setFault(values === null ? texts.setFault : null);
    if (values === null) throw new FaultyForm();
    const { requestId } = request;
    const target = into === '' ? {} : { into };
    const body = { ...target, ...(Object.keys(values).length > 0 && { set: values }) };
    setReplayed(await call('backOffice.requests.replay', { params: { requestId }, body }));
  };
  const here = sandboxName ?? 'main';
  if (replayed) {
    return (
      <Dialog title={texts.replayTitle} onClose={onClose} isWide>
        <Replayed replayed={replayed} />
        <div class="actions">
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
      <Field label={texts.set} hint={texts.setHint} value={set} fault={fault} onValue={setSet} />
    </Confirm>
  );
}

function Replayed({ replayed }: { readonly replayed: ReplayedRequest }) {
  const { into, status, notes, differences, differenceCount, answerBody } = replayed;
  return (
    <div class="stack" role="status">
      <div class="row">
        <h3>{texts.replayed(into)}</h3>
        <StatusBadge status={status} />
      </div>
      <p>{differenceCount === 0 ? texts.same : texts.differs(differenceCount)}</p>
      {notes.map((note) => (
        <p key={note} class="soft small">
          {note}
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
                <td>{JSON.stringify(before)}</td>
                <td>{JSON.stringify(after)}</td>
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

function readObject(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : null;
  } catch {
    return null;
  }
}
