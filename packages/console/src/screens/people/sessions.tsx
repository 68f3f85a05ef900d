import type { Person, PersonSession } from '@servery/contract';
import { useState } from 'preact/hooks';
import { people as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/page.tsx';
import { SessionList } from '../../parts/session-list.tsx';
import { ErrorPanel, Skeleton } from '../../parts/told.tsx';
import { useLive } from '../../platform/live.ts';
import { call } from '../../platform/session.ts';

const EVERY_MS = 10_000;

/** On demand: only who has all that the person has may see them. */
export function PersonSessions({ person: { personGuid, name } }: { readonly person: Person }) {
  const [isShown, setShown] = useState(false);
  return (
    <Card title={texts.sessions}>
      {isShown ? (
        <Shown personGuid={personGuid} />
      ) : (
        <div class="row">
          <Button onClick={() => setShown(true)}>{texts.showSessions(name)}</Button>
        </div>
      )}
    </Card>
  );
}

function Shown({ personGuid }: { readonly personGuid: string }) {
  const params = { personGuid };
  const { state, refresh } = useLive<readonly PersonSession[]>(
    `sessions of ${personGuid}`,
    () => call('backOffice.people.sessions.list', { params }),
    EVERY_MS,
  );
  const { value, error } = state.value;
  if (error !== null) return <ErrorPanel error={error} onRetry={refresh} />;
  if (!value) return <Skeleton lines={3} />;
  const end = async ({ sessionGuid }: PersonSession) => {
    await call('backOffice.people.sessions.end', { params: { personGuid, sessionGuid } });
  };
  return <SessionList sessions={value} end={end} onEnded={refresh} />;
}
