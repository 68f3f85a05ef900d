import type { DemoSignIn } from '@servery/contract';
import { useEffect, useId, useState } from 'preact/hooks';
import { sandboxBar, signIn as texts } from '../messages.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Fault, sayError } from '../parts/told.tsx';
import { sandboxName } from '../platform/address.ts';
import { brand, isSandbox } from '../platform/environment.ts';
import { isRefused, listDemoPeople, signIn, signInAsDemo } from '../platform/session.ts';

const SECOND_FACTOR = 21_401;

export function SignInPage() {
  return (
    <main class="sign-in">
      <div class="card stack">
        <div>
          <p class="soft">{brand}</p>
          <h1>{texts.title}</h1>
          {sandboxName && <p>{sandboxBar.named(sandboxName)}</p>}
        </div>
        <SignInForm email="" />
      </div>
    </main>
  );
}

/** Password first; the second factor only when the platform asks for it. */
export function SignInForm({ email: known }: { readonly email: string }) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useId();
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setFault(null);
    try {
      await work();
    } catch (error) {
      setBusy(false);
      if (isRefused(error, 401) && error.code === SECOND_FACTOR && !needsCode) setNeedsCode(true);
      else setFault(sayError(error));
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    const totpCode = needsCode ? code.trim() : undefined;
    void run(() => signIn({ email: email.trim(), password, totpCode }));
  };
  return (
    <div class="stack">
      <form id={form} class="stack" onSubmit={submit}>
        <Field
          label={texts.email}
          type="email"
          name="email"
          autocomplete="username"
          required
          value={email}
          onValue={setEmail}
        />
        <Field
          label={texts.password}
          type="password"
          name="password"
          autocomplete="current-password"
          required
          value={password}
          onValue={setPassword}
        />
        {needsCode && (
          <Field
            label={texts.code}
            hint={texts.codeHint}
            name="code"
            inputmode="numeric"
            autocomplete="one-time-code"
            required
            autofocus
            value={code}
            onValue={setCode}
          />
        )}
        <Fault>{fault}</Fault>
        <Button kind="main" type="submit" isBusy={isBusy}>
          {texts.submit}
        </Button>
      </form>
      {isSandbox && <DemoPeople onChoose={(guid) => run(() => signInAsDemo(guid))} />}
    </div>
  );
}

function DemoPeople({ onChoose }: { readonly onChoose: (guid: string) => Promise<void> }) {
  const [people, setPeople] = useState<readonly DemoSignIn[]>([]);
  useEffect(() => {
    listDemoPeople().then(setPeople, () => {});
  }, []);
  if (people.length === 0) return null;
  return (
    <section class="stack demo" aria-label={texts.demo}>
      <p class="soft small">{texts.demo}</p>
      {people.map(({ personGuid, name, role, placeName }) => (
        <Button key={personGuid} icon="person" onClick={() => onChoose(personGuid)}>
          <span class="who">
            {texts.roles[role]}
            <span class="soft small">{placeName ? `${name}, ${placeName}` : name}</span>
          </span>
        </Button>
      ))}
    </section>
  );
}
