import type { CardKey } from '@servery/contract';
import { useState } from 'preact/hooks';
import { accounts as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Select } from '../../parts/field.tsx';
import { say } from '../../parts/toast.tsx';
import { Badge, Empty, Reading, type Tone } from '../../parts/told.tsx';
import { nowMs } from '../../platform/clock.ts';
import { formatInstant, formatNear } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { call, holds } from '../../platform/session.ts';
import { expiryOf } from './words.tsx';

const EVERY_MS = 10_000;

type Move = 'activate' | 'retire' | 'destroy';

const tones: Readonly<Record<CardKey['state'], Tone>> = {
  PENDING: 'info',
  ACTIVE: 'good',
  DECRYPT_ONLY: 'plain',
  DESTROYED: 'plain',
};

const movesOf: Readonly<Record<CardKey['state'], readonly Move[]>> = {
  PENDING: ['activate', 'destroy'],
  ACTIVE: ['retire', 'destroy'],
  DECRYPT_ONLY: ['destroy'],
  DESTROYED: [],
};

export interface CardKeysProps {
  readonly clientId: string;
  readonly isLiveClient: boolean;
}

/** With which keys the account may encrypt card data. */
export function CardKeys({ clientId, isLiveClient }: CardKeysProps) {
  const { keys } = texts;
  const params = { clientId };
  const { state, refresh } = useLive(
    clientId,
    () => call('backOffice.cardKeys.list', { params }),
    EVERY_MS,
  );
  const [isIssuing, setIssuing] = useState(false);
  const [chosen, setChosen] = useState<{ key: CardKey; move: Move } | null>(null);
  const { value, error } = state.value;
  const mayChange = holds('card_keys:write');
  const run = async ({ key, move }: { key: CardKey; move: Move }) => {
    await call(`backOffice.cardKeys.${move}`, { params: { clientId, keyId: key.keyId } });
    say(keys.done[move]);
    setChosen(null);
    refresh();
  };
  const issue = mayChange && isLiveClient && (
    <Button kind="main" onClick={() => setIssuing(true)}>
      {keys.issue}
    </Button>
  );
  return (
    <div class="stack">
      <div class="spread">
        <p class="soft">{keys.intro}</p>
        {issue}
      </div>
      <Reading value={value} error={error} onRetry={refresh} lines={6} />
      {value?.length === 0 && (
        <Empty title={keys.empty}>
          <p>{keys.emptyMore}</p>
        </Empty>
      )}
      <ul class="stack">
        {value?.map((key) => (
          <li key={key.keyId} class="card stack">
            <div class="spread">
              <div>
                <span class="row">
                  <strong class="mono">{key.keyId}</strong>
                  <Badge tone={tones[key.state]}>{keys.states[key.state]}</Badge>
                  {key.legacy && <Badge>{keys.legacy}</Badge>}
                </span>
                <span class="under soft small">
                  {texts.secrets.created(formatInstant(key.createdAt))},{' '}
                  {key.notAfter ? keys.until(formatNear(key.notAfter, nowMs.peek())) : keys.noEnd}
                </span>
              </div>
              {mayChange && (
                <div class="row">
                  {movesOf[key.state].map((move) => (
                    <Button
                      key={move}
                      kind={move === 'destroy' ? 'danger' : 'plain'}
                      onClick={() => setChosen({ key, move })}
                    >
                      {keys.moves[move]}
                    </Button>
                  ))}
                </div>
              )}
            </div>
            <details>
              <summary class="small">{keys.publicKey}</summary>
              <pre tabIndex={0}>{key.publicKeyPem}</pre>
              <CopyButton text={key.publicKeyPem} />
            </details>
          </li>
        ))}
      </ul>
      {isIssuing && (
        <IssueDialog
          clientId={clientId}
          onDone={() => {
            setIssuing(false);
            refresh();
          }}
          onClose={() => setIssuing(false)}
        />
      )}
      {chosen && (
        <Confirm
          title={`${keys.moves[chosen.move]}: ${chosen.key.keyId}`}
          text={keys.confirm[chosen.move]}
          action={keys.moves[chosen.move]}
          kind={chosen.move === 'activate' ? 'main' : 'danger'}
          run={() => run(chosen)}
          onClose={() => setChosen(null)}
        />
      )}
    </div>
  );
}

interface IssueDialogProps {
  readonly clientId: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function IssueDialog({ clientId, onDone, onClose }: IssueDialogProps) {
  const { keys } = texts;
  const [algorithm, setAlgorithm] = useState<CardKey['algorithm']>('ECDH-ES');
  const [state, setState] = useState<'ACTIVE' | 'PENDING'>('ACTIVE');
  const [expires, setExpires] = useState('');
  const isAlgorithm = (text: string): text is CardKey['algorithm'] =>
    Object.hasOwn(keys.algorithms, text);
  const run = async () => {
    const notAfter = expiryOf(expires);
    // RSA with SHA-1 is for payments without a keyId alone.
    const legacy = algorithm === 'RSA-OAEP-SHA1';
    const body = { algorithm, legacy, state, ...(notAfter && { notAfter }) };
    await call('backOffice.cardKeys.issue', { params: { clientId }, body });
    say(keys.issued);
    onDone();
  };
  return (
    <Confirm
      title={keys.issueTitle}
      text={keys.issueText}
      action={keys.issue}
      run={run}
      onClose={onClose}
    >
      <Select
        label={keys.algorithm}
        value={algorithm}
        onValue={(value) => isAlgorithm(value) && setAlgorithm(value)}
        options={Object.entries(keys.algorithms)}
      />
      <Select
        label={keys.use}
        value={state}
        onValue={(value) => setState(value === 'PENDING' ? 'PENDING' : 'ACTIVE')}
        options={Object.entries(keys.uses)}
      />
      <Select
        label={keys.end}
        value={expires}
        onValue={setExpires}
        options={Object.entries(texts.secrets.expiries)}
      />
    </Confirm>
  );
}
