import type { BegunTotp } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { account } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Once } from '../../parts/once.tsx';
import { say, sayFailed } from '../../parts/toast.tsx';
import { Badge, Skeleton } from '../../parts/told.tsx';
import { call } from '../../platform/session.ts';

const { factor: texts, password: passwords } = account;

type Step =
  | { readonly kind: 'ask' | 'remove' }
  | { readonly kind: 'scan'; readonly begun: BegunTotp; readonly password: string }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

export interface SecondFactorProps {
  readonly hasTotp: boolean;
  readonly onChange: () => void;
}

/** An authenticator app: password, QR code, first code, recovery codes. */
export function SecondFactor({ hasTotp, onChange }: SecondFactorProps) {
  const [step, setStep] = useState<Step | null>(null);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const close = () => {
    setStep(null);
    setPassword('');
    setCode('');
    onChange();
  };
  const begin = async () => {
    const begun = await call('backOffice.me.totp.begin', { body: { password } });
    setStep({ kind: 'scan', begun, password });
  };
  const confirm = async () => {
    const body = { code: code.trim(), password };
    const { recoveryCodes } = await call('backOffice.me.totp.confirm', { body });
    setStep({ kind: 'codes', codes: recoveryCodes });
    setPassword('');
    setCode('');
  };
  const remove = async () => {
    await call('backOffice.me.totp.remove', { body: { password } });
    say(texts.removed);
    close();
  };
  const askPassword = (
    <Field
      label={passwords.current}
      type="password"
      autocomplete="current-password"
      autofocus
      value={password}
      onValue={setPassword}
    />
  );
  return (
    <section class="card stack" aria-label={texts.title}>
      <div class="row">
        <h2>{texts.title}</h2>
        <Badge tone={hasTotp ? 'good' : 'warn'}>{hasTotp ? texts.on : texts.off}</Badge>
      </div>
      <p class="soft">{hasTotp ? texts.onMore : texts.offMore}</p>
      <div class="row">
        <Button onClick={() => setStep({ kind: hasTotp ? 'remove' : 'ask' })}>
          {hasTotp ? texts.remove : texts.setUp}
        </Button>
      </div>
      {step?.kind === 'ask' && (
        <Confirm title={texts.setUp} action={texts.next} run={begin} onClose={close}>
          <p>{texts.askMore}</p>
          {askPassword}
        </Confirm>
      )}
      {step?.kind === 'scan' && (
        <Confirm title={texts.scan} action={texts.turnOn} run={confirm} onClose={close}>
          <p>{texts.scanMore}</p>
          <QrCode text={step.begun.uri} />
          <Once label={texts.secret} value={step.begun.secret} />
          <Field
            label={texts.code}
            hint={texts.codeMore}
            inputmode="numeric"
            autocomplete="one-time-code"
            autofocus
            value={code}
            onValue={setCode}
          />
        </Confirm>
      )}
      {step?.kind === 'codes' && <Codes codes={step.codes} onClose={close} />}
      {step?.kind === 'remove' && (
        <Confirm title={texts.remove} kind="danger" run={remove} onClose={close}>
          <p>{texts.removeMore}</p>
          {askPassword}
        </Confirm>
      )}
    </section>
  );
}

interface CodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Only its button closes it: the codes can't be shown again. */
function Codes({ codes, onClose }: CodesProps) {
  return (
    <Dialog title={texts.codes}>
      <p>{texts.codesMore}</p>
      <ol class="recovery-codes mono">
        {codes.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ol>
      <div class="actions">
        <CopyButton text={codes.join('\n')} />
        <Button kind="main" onClick={onClose}>
          {texts.kept}
        </Button>
      </div>
    </Dialog>
  );
}

/** Made here: the secret goes nowhere. */
function QrCode({ text }: { readonly text: string }) {
  const [squares, setSquares] = useState<readonly (readonly boolean[])[] | null>(null);
  useEffect(() => {
    import('uqr').then(({ encode }) => setSquares(encode(text, { border: 2 }).data), sayFailed);
  }, [text]);
  if (!squares) return <Skeleton lines={5} />;
  const path = squares.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${squares.length} ${squares.length}`}
      role="img"
      aria-label={texts.qr}
      shape-rendering="crispEdges"
    >
      <path d={path.join('')} />
    </svg>
  );
}
