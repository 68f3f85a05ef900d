import type { Invitation } from '@servery/contract';
import { useEffect, useState } from 'preact/hooks';
import { invitation as texts } from '../messages.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Empty, ErrorPanel, Fault, Skeleton, sayError } from '../parts/told.tsx';
import { hrefOf, useAddress } from '../platform/address.ts';
import { brand } from '../platform/environment.ts';
import { type FieldFaults, fieldFaults, noFaults } from '../platform/faults.ts';
import { acceptInvitation, inspectInvitation } from '../platform/session.ts';

/** What a link leads to: a person chooses a name and a password. For the first operator, too. */
export default function InvitationPage() {
  const { go } = useAddress();
  // Out of the address at once, so that it stays in no history.
  const [token] = useState(() => {
    const given = location.hash.slice(1);
    if (given !== '') history.replaceState(null, '', location.pathname);
    return given;
  });
  const [invited, setInvited] = useState<Invitation | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const inspect = () => {
    setFailure(null);
    inspectInvitation(token).then(setInvited, setFailure);
  };
  useEffect(() => {
    if (token !== '') inspect();
  }, [token]);
  return (
    <main class="sign-in">
      <div class="card stack">
        <div>
          <p class="soft">{brand}</p>
          <h1>{texts.title}</h1>
        </div>
        {token === '' && (
          <Empty title={texts.noToken}>
            <p>{texts.noTokenMore}</p>
            <a class="button" href={hrefOf('')}>
              {texts.signIn}
            </a>
          </Empty>
        )}
        {failure !== null && <ErrorPanel error={failure} onRetry={inspect} />}
        {token !== '' && !invited && failure === null && <Skeleton lines={5} />}
        {invited && <Form token={token} invited={invited} onDone={() => go('')} />}
      </div>
    </main>
  );
}

interface FormProps {
  readonly token: string;
  readonly invited: Invitation;
  readonly onDone: () => void;
}

function Form({ token, invited, onDone }: FormProps) {
  const [email, setEmail] = useState(invited.email ?? '');
  const [name, setName] = useState(invited.choosesEmail ? '' : invited.name);
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [code, setCode] = useState('');
  const [faults, setFaults] = useState<FieldFaults>(noFaults);
  const [failure, setFailure] = useState<string | null>(null);
  const accept = async () => {
    setFailure(null);
    setFaults(password === again ? noFaults : new Map([['again', texts.differ]]));
    if (password !== again) return;
    try {
      await acceptInvitation({
        ...{ token, name: name.trim(), password },
        ...(invited.choosesEmail && { email: email.trim() }),
        ...(invited.needsTotp && { totpCode: code.trim() }),
      });
      onDone();
    } catch (error) {
      const told = fieldFaults(error);
      setFaults(told);
      if (told.size === 0) setFailure(sayError(error));
    }
  };
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      {invited.choosesEmail ? (
        <Field
          label={texts.email}
          type="email"
          autocomplete="username"
          value={email}
          fault={faults.get('email')}
          onValue={setEmail}
        />
      ) : (
        <p>{texts.for(email)}</p>
      )}
      <Field
        label={texts.name}
        autocomplete="name"
        value={name}
        fault={faults.get('name')}
        onValue={setName}
      />
      <Field
        label={texts.password}
        hint={texts.rule}
        type="password"
        autocomplete="new-password"
        value={password}
        fault={faults.get('password')}
        onValue={setPassword}
      />
      <Field
        label={texts.again}
        type="password"
        autocomplete="new-password"
        value={again}
        fault={faults.get('again')}
        onValue={setAgain}
      />
      {invited.needsTotp && (
        <Field
          label={texts.code}
          hint={texts.codeHint}
          autocomplete="one-time-code"
          value={code}
          fault={faults.get('totpCode')}
          onValue={setCode}
        />
      )}
      <Fault>{failure}</Fault>
      <Button kind="main" type="submit" onClick={accept}>
        {texts.submit}
      </Button>
    </form>
  );
}
