import type { PersonSession } from '@servery/contract';
import { useState } from 'preact/hooks';
import { sessions as texts } from '../messages.ts';
import { formatInstant } from '../platform/format.ts';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { say } from './toast.tsx';
import { Badge } from './told.tsx';

export interface SessionListProps {
  readonly sessions: readonly PersonSession[];
  readonly end: (session: PersonSession) => Promise<void>;
  readonly onEnded: () => void;
}

/** Where somebody is signed in. Each can be ended. */
export function SessionList({ sessions, end, onEnded }: SessionListProps) {
  const [chosen, setChosen] = useState<PersonSession | null>(null);
  return (
    <>
      {sessions.length === 0 && <p class="soft">{texts.none}</p>}
      <ul class="lines">
        {sessions.map((session) => {
          const { sessionGuid, userAgent, address, createdAt, seenAt, isCurrent } = session;
          return (
            <li key={sessionGuid}>
              <span>
                <strong>{browserOf(userAgent)}</strong>{' '}
                {isCurrent && <Badge tone="good">{texts.current}</Badge>}
                <span class="under soft small">
                  {texts.about(address, formatInstant(createdAt), formatInstant(seenAt))}
                </span>
              </span>
              <Button kind="quiet" onClick={() => setChosen(session)}>
                {texts.end}
              </Button>
            </li>
          );
        })}
      </ul>
      {chosen && (
        <Confirm
          title={texts.end}
          kind="danger"
          run={async () => {
            await end(chosen);
            if (chosen.isCurrent) return;
            say(texts.ended);
            setChosen(null);
            onEnded();
          }}
          onClose={() => setChosen(null)}
        >
          <p>{chosen.isCurrent ? texts.endsThis : texts.endsOther}</p>
        </Confirm>
      )}
    </>
  );
}

const BROWSERS = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'];
const SYSTEMS = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'];

/** What people call their browser; the rest of the text helps nobody. */
function browserOf(userAgent: string | null): string {
  if (userAgent === null) return texts.unknown;
  const find = (names: readonly string[]) => names.find((name) => userAgent.includes(name));
  const known = [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined);
  return known.length === 0 ? userAgent.slice(0, 60) : known.join(', ');
}
