import type { WebhookEndpoint, WebhookSecret } from '@servery/contract';
import { useState } from 'preact/hooks';
import { webhooks as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm, FaultyForm } from '../../parts/confirm.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { say } from '../../parts/toast.tsx';
import { nowMs } from '../../platform/clock.ts';
import { faultsOf } from '../../platform/faults.ts';
import { formatInstant, formatNear } from '../../platform/format.ts';
import { call } from '../../platform/session.ts';

const LABEL_AT_MOST = 100;
const keepMs: Readonly<Record<string, number>> = {
  PT1H: 3_600_000,
  P1D: 86_400_000,
  P7D: 604_800_000,
};

const labelOf = ({ label }: WebhookSecret) => label ?? texts.secrets.unnamed;

export interface SecretsProps {
  readonly endpoint: WebhookEndpoint;
  readonly mayChange: boolean;
  readonly onDone: () => void;
}

export function Secrets({ endpoint, mayChange, onDone }: SecretsProps) {
  const { secrets } = texts;
  const [chosen, setChosen] = useState<WebhookSecret | null>(null);
  const revoke = async ({ guid }: WebhookSecret) => {
    const params = { endpointGuid: endpoint.guid, secretGuid: guid };
    await call('backOffice.webhooks.secrets.revoke', { params });
    say(secrets.revoked);
    setChosen(null);
    onDone();
  };
  return (
    <Card title={secrets.title}>
      <ul class="stack">
        {endpoint.secrets.map((secret) => (
          <li key={secret.guid} class="spread">
            <span>
              <strong>{labelOf(secret)}</strong>
              <span class="under soft small">
                {secrets.created(formatInstant(secret.createdAt))},{' '}
                {secret.expiresAt
                  ? secrets.expires(formatNear(secret.expiresAt, nowMs.peek()))
                  : secrets.neverExpires}
              </span>
            </span>
            {mayChange && endpoint.secrets.length > 1 && (
              <Button onClick={() => setChosen(secret)}>{secrets.revoke}</Button>
            )}
          </li>
        ))}
      </ul>
      {chosen && (
        <Confirm
          title={secrets.revokeTitle(labelOf(chosen))}
          text={secrets.revokeText}
          action={secrets.revoke}
          kind="danger"
          run={() => revoke(chosen)}
          onClose={() => setChosen(null)}
        />
      )}
    </Card>
  );
}

export interface RotateDialogProps {
  readonly endpoint: WebhookEndpoint;
  /** There is a new secret, which is still shown. */
  readonly onRotated: () => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function RotateDialog({ endpoint, onRotated, onDone, onClose }: RotateDialogProps) {
  const { secrets } = texts;
  const [label, setLabel] = useState('');
  const [keeps, setKeeps] = useState('P1D');
  const [faults, setFaults] = useState(faultsOf(null));
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) {
    return (
      <ShownOnce
        title={secrets.shownTitle}
        text={secrets.shownText}
        values={{ [secrets.secret]: secret }}
        done={secrets.done}
        onClose={onDone}
      />
    );
  }
  const run = async () => {
    const forMs = keepMs[keeps];
    const body = {
      ...(label.trim() !== '' && { label: label.trim() }),
      ...(forMs !== undefined && {
        othersExpireAt: new Date(nowMs.peek() + forMs).toISOString(),
      }),
    };
    try {
      const params = { endpointGuid: endpoint.guid };
      const issued = await call('backOffice.webhooks.secrets.add', { params, body });
      setSecret(issued.secret);
      onRotated();
    } catch (error) {
      const found = faultsOf(error);
      setFaults(found);
      if (found.label) throw new FaultyForm();
      throw error;
    }
  };
  return (
    <Confirm
      title={secrets.rotateTitle}
      text={secrets.rotateText}
      action={secrets.rotate}
      run={run}
      onClose={onClose}
    >
      <Select
        label={secrets.others}
        value={keeps}
        onValue={setKeeps}
        options={Object.entries(secrets.keeps)}
      />
      <Field
        label={secrets.label}
        maxLength={LABEL_AT_MOST}
        value={label}
        fault={faults.label}
        onValue={setLabel}
      />
    </Confirm>
  );
}
