import './account.css';
import type { BackOfficeSession, PersonSession } from '@servery/contract';
import { useState } from 'preact/hooks';
import { account as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Card, PageHead } from '../../parts/page.tsx';
import { SessionList } from '../../parts/session-list.tsx';
import { say } from '../../parts/toast.tsx';
import { ErrorPanel, Fault, Skeleton, sayError } from '../../parts/told.tsx';
import { type FieldFaults, fieldFaults, noFaults } from '../../platform/faults.ts';
import { useLive } from '../../platform/live.ts';
import { call, isRefused, signOut, who } from '../../platform/session.ts';
import { SecondFactor } from './second-factor.tsx';

const EVERY_MS = 10_000;

interface Own {
  readonly session: BackOfficeSession;
  readonly sessions: readonly PersonSession[];
}

export default function Account() {
  const { state, refresh } = useLive<Own>(
    'account',
    async () => {
      const [session, sessions] = await Promise.all([
        call('backOffice.session.get'),
        call('backOffice.me.sessions.list'),
      ]);
      return { session, sessions };
    },
    EVERY_MS,
  );
  const { value, error, isLive } = state.value;
  return (
    <div class="stack account">
      <PageHead
        title={texts.title}
        about={`${who.value?.name}, ${who.value?.email}`}
        isLive={isLive}
      />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {value ? (
        <>
          <Password />
          <SecondFactor hasTotp={value.session.person.hasTotp} onChange={refresh} />
          <Card title={texts.sessions}>
            <SessionList sessions={value.sessions} end={end} onEnded={refresh} />
          </Card>
        </>
      ) : (
        error === null && <Skeleton lines={12} />
      )}
    </div>
  );
}

function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [faults, setFaults] = useState<FieldFaults>(noFaults);
  const [failure, setFailure] = useState<string | null>(null);
  const change = async () => {
    setFailure(null);
    setFaults(next === again ? noFaults : new Map([['again', texts.password.differ]]));
    if (next !== again) return;
    try {
      const body = { currentPassword: current, newPassword: next };
      await call('backOffice.me.password.change', { body });
      setCurrent('');
      setNext('');
      setAgain('');
      say(texts.password.done);
    } catch (error) {
      const told = fieldFaults(error);
      const isWrong = told.size === 0 && isRefused(error, 403);
      setFaults(isWrong ? new Map([['currentPassword', sayError(error)]]) : told);
      if (told.size === 0 && !isWrong) setFailure(sayError(error));
    }
  };
  return (
    <Card title={texts.password.title}>
      <form class="stack narrow" onSubmit={(event) => event.preventDefault()}>
        <Field
          label={texts.password.current}
          type="password"
          autocomplete="current-password"
          value={current}
          fault={faults.get('currentPassword')}
          onValue={setCurrent}
        />
        <Field
          label={texts.password.next}
          hint={texts.password.rule}
          type="password"
          autocomplete="new-password"
          value={next}
          fault={faults.get('newPassword')}
          onValue={setNext}
        />
        <Field
          label={texts.password.again}
          type="password"
          autocomplete="new-password"
          value={again}
          fault={faults.get('again')}
          onValue={setAgain}
        />
        <Fault>{failure}</Fault>
        <div class="row">
          <Button kind="main" type="submit" onClick={change}>
            {texts.password.change}
          </Button>
          <span class="soft small">{texts.password.ends}</span>
        </div>
      </form>
    </Card>
  );
}

async function end({ sessionGuid, isCurrent }: PersonSession): Promise<void> {
  if (isCurrent) await signOut();
  else await call('backOffice.me.sessions.end', { params: { sessionGuid } });
}
