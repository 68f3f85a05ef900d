import { type Verdict, verifyInBrowser } from '@servery/webhooks/browser.ts';
import { useState } from 'preact/hooks';
import { webhooks as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Field, TextArea } from '../../parts/field.tsx';
import { brand } from '../../platform/environment.ts';
import type { Faults } from '../../platform/faults.ts';

/** What receivers log: a header a line, perhaps with the quotes of a command, or a JSON object. */
const LINE = /^\s*(?:-H\s+)?['"]?([A-Za-z0-9-]+)['"]?\s*:\s*(.*?)['"]?,?\s*$/;

export function VerifyForm() {
  const { verify } = texts;
  // Only here: neither the address nor any storage of the browser has them.
  const [headers, setHeaders] = useState('');
  const [body, setBody] = useState('');
  const [secret, setSecret] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const changed = (set: (value: string) => void) => (value: string) => {
    set(value);
    setVerdict(null);
  };
  const check = async () => {
    const read = readHeaders(headers);
    const found = {
      ...(Object.keys(read).length === 0 && { headers: verify.headersFault }),
      ...(secret.trim() === '' && { secret: verify.secretFault }),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    setVerdict(await verifyInBrowser({ headers: read, body, secrets: secret }, { brand }));
  };
  return (
    <div class="stack verify">
      <h1>{texts.tabs.verify}</h1>
      <p class="soft">{verify.intro}</p>
      {isSecureContext ? (
        <form class="card stack" onSubmit={(event) => event.preventDefault()}>
          <TextArea
            label={verify.headers}
            hint={verify.headersHint}
            fault={faults.headers ?? null}
            isCode
            rows={6}
            value={headers}
            onValue={changed(setHeaders)}
          />
          <TextArea
            label={verify.body}
            hint={verify.bodyHint}
            isCode
            rows={6}
            value={body}
            onValue={changed(setBody)}
          />
          <Field
            label={verify.secret}
            hint={verify.secretHint}
            type="password"
            autocomplete="off"
            value={secret}
            fault={faults.secret}
            onValue={changed(setSecret)}
          />
          <div class="row">
            <Button kind="main" type="submit" onClick={check}>
              {verify.check}
            </Button>
          </div>
          <div role="status">{verdict && <Outcome verdict={verdict} />}</div>
        </form>
      ) : (
        <div class="panel warn">
          <p>{verify.insecure}</p>
        </div>
      )}
    </div>
  );
}

function Outcome({ verdict }: { readonly verdict: Verdict }) {
  const { verify } = texts;
  if (verdict.isValid) {
    return (
      <div class="verdict good">
        <h2>{verify.valid}</h2>
        <p>{verify.validMore}</p>
      </div>
    );
  }
  return (
    <div class={verdict.reason === 'clock' ? 'verdict warn' : 'verdict bad'}>
      <h2>{verify.reasons[verdict.reason]}</h2>
      <p>{verdict.explanation}</p>
    </div>
  );
}

function readHeaders(text: string): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, given]) => [name, String(given)]),
      );
    }
  } catch {
    // Lines, then.
  }
  const lines = text.split('\n').flatMap((line) => {
    const [, name, value] = LINE.exec(line) ?? [];
    return name !== undefined && value !== undefined ? [[name, value] as const] : [];
  });
  return Object.fromEntries(lines);
}
