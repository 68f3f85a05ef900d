import type { ApiClient, ApiClientSecret } from '@servery/contract';
import { scopeGrants } from '@servery/contract/scopes.ts';
import { useState } from 'preact/hooks';
import { accounts as texts } from '../../messages.ts';
import { Actor } from '../../parts/actor.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Awaited, Back, Card, PageHead } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { say } from '../../parts/toast.tsx';
import { Badge, ErrorPanel } from '../../parts/told.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatInstant, formatNear } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { call, holds } from '../../platform/session.ts';
import { EditAccount } from './account-form.tsx';
import { CardKeys } from './keys.tsx';
import { Usage } from './usage.tsx';
import { AccountBadge, expiryOf, liveSecrets, ownerOf } from './words.tsx';

const EVERY_MS = 5_000;
const LABEL_AT_MOST = 100;

export interface OneAccountProps {
  readonly clientId: string;
}

export function OneAccount({ clientId }: OneAccountProps) {
  const { query, change } = useAddress();
  const params = { clientId };
  const { state, refresh } = useLive(
    clientId,
    () => call('backOffice.clients.get', { params }),
    EVERY_MS,
  );
  const [act, setAct] = useState<'edit' | 'rotate' | 'revoke' | null>(null);
  const { value: client, error, isLive } = state.value;
  const back = <Back to="accounts">{texts.title}</Back>;
  if (!client) {
    return <Awaited back={back} error={error} onRetry={refresh} />;
  }
  const mayChange = holds('clients:write') && client.revokedAt === null;
  const close = () => setAct(null);
  const done = () => {
    setAct(null);
    refresh();
  };
  const hasKeys = client.type !== 'BACK_OFFICE' && holds('card_keys:read');
  const tabs = Object.entries(texts.tabs).filter(([id]) => id !== 'keys' || hasKeys);
  const [tab] = tabs.find(([id]) => id === query.tab) ?? ['access'];
  const revoke = async () => {
    await call('backOffice.clients.revoke', { params });
    say(texts.revoke.done);
    done();
  };
  return (
    <div class="stack">
      {back}
      <PageHead title={client.name} beside={<AccountBadge client={client} />} isLive={isLive} />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {mayChange && (
        <div class="row">
          <Button onClick={() => setAct('edit')}>{texts.actions.edit}</Button>
          <Button onClick={() => setAct('rotate')}>{texts.actions.rotate}</Button>
          <Button kind="danger" onClick={() => setAct('revoke')}>
            {texts.actions.revoke}
          </Button>
        </div>
      )}
      <Tabs
        label={client.name}
        tabs={tabs}
        chosen={tab}
        onChoose={(id) => change({ tab: id === 'access' ? null : id })}
      >
        {tab === 'usage' && <Usage client={client} />}
        {tab === 'keys' && (
          <CardKeys clientId={clientId} isLiveClient={client.revokedAt === null} />
        )}
        {tab === 'access' && (
          <div class="columns">
            <Scopes client={client} />
            <div class="stack">
              <Secrets client={client} mayChange={mayChange} onDone={refresh} />
              <Facts client={client} />
            </div>
          </div>
        )}
      </Tabs>
      {act === 'edit' && <EditAccount client={client} onDone={done} onClose={close} />}
      {act === 'rotate' && (
        <RotateDialog client={client} onRotated={refresh} onDone={done} onClose={close} />
      )}
      {act === 'revoke' && (
        <Confirm
          title={texts.revoke.title(client.name)}
          text={texts.revoke.text}
          action={texts.actions.revoke}
          kind="danger"
          run={revoke}
          onClose={close}
        />
      )}
    </div>
  );
}

function Scopes({ client }: { readonly client: ApiClient }) {
  return (
    <Card title={texts.may}>
      <ul class="scopes">
        {client.scopes.map((scope) => (
          <li key={scope}>
            {scopeGrants[scope]}
            <code class="under soft">{scope}</code>
          </li>
        ))}
      </ul>
      {client.scopes.length === 0 && <p class="soft">{texts.mayNothing}</p>}
    </Card>
  );
}

const tones = { LIVE: 'good', EXPIRED: 'plain', REVOKED: 'plain' } as const;

interface SecretsProps {
  readonly client: ApiClient;
  readonly mayChange: boolean;
  readonly onDone: () => void;
}

function Secrets({ client, mayChange, onDone }: SecretsProps) {
  const { secrets } = texts;
  const [chosen, setChosen] = useState<ApiClientSecret | null>(null);
  const labelOf = ({ label }: ApiClientSecret) => label ?? secrets.unnamed;
  const revoke = async ({ guid }: ApiClientSecret) => {
    const params = { clientId: client.clientId, secretGuid: guid };
    await call('backOffice.clients.revokeSecret', { params });
    say(secrets.revoked);
    setChosen(null);
    onDone();
  };
  return (
    <Card title={secrets.title}>
      <ul class="stack">
        {client.secrets.map((secret) => (
          <li key={secret.guid} class="spread">
            <span>
              <span class="row">
                <strong>{labelOf(secret)}</strong>
                <Badge tone={tones[secret.state]}>{texts.states[secret.state]}</Badge>
              </span>
              <span class="under soft small">{lifeOf(secret)}</span>
            </span>
            {mayChange && secret.state === 'LIVE' && (
              <Button onClick={() => setChosen(secret)}>{secrets.revoke}</Button>
            )}
          </li>
        ))}
      </ul>
      {chosen && (
        <Confirm
          title={secrets.revokeTitle(labelOf(chosen))}
          text={liveSecrets(client).length === 1 ? secrets.revokeLastText : secrets.revokeText}
          action={secrets.revoke}
          kind="danger"
          run={() => revoke(chosen)}
          onClose={() => setChosen(null)}
        />
      )}
    </Card>
  );
}

function lifeOf({ createdAt, expiresAt, revokedAt, lastUsedAt }: ApiClientSecret): string {
  const { secrets } = texts;
  const near = (instant: string) => formatNear(instant, nowMs.peek());
  return [
    secrets.created(near(createdAt)),
    revokedAt
      ? secrets.revokedAt(near(revokedAt))
      : expiresAt
        ? secrets.expires(near(expiresAt))
        : secrets.neverExpires,
    lastUsedAt ? secrets.used(near(lastUsedAt)) : secrets.unused,
  ].join(', ');
}

interface RotateDialogProps {
  readonly client: ApiClient;
  /** There is a new secret, which is still shown. */
  readonly onRotated: () => void;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RotateDialog({ client, onRotated, onDone, onClose }: RotateDialogProps) {
  const { secrets } = texts;
  const [label, setLabel] = useState('');
  const [keeps, setKeeps] = useState('1');
  const [expires, setExpires] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) {
    return (
      <ShownOnce
        title={secrets.shownTitle}
        text={secrets.shownText}
        values={{ [secrets.clientId]: client.clientId, [secrets.clientSecret]: secret }}
        done={secrets.done}
        onClose={onDone}
      />
    );
  }
  const run = async () => {
    const [othersExpireAt, expiresAt] = [expiryOf(keeps), expiryOf(expires)];
    const body = {
      ...(label.trim() !== '' && { label: label.trim() }),
      ...(othersExpireAt && { othersExpireAt }),
      ...(expiresAt && { expiresAt }),
    };
    const params = { clientId: client.clientId };
    const issued = await call('backOffice.clients.addSecret', { params, body });
    setSecret(issued.clientSecret);
    onRotated();
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
      <Select
        label={secrets.expiry}
        value={expires}
        onValue={setExpires}
        options={Object.entries(secrets.expiries)}
      />
      <Field label={secrets.label} maxLength={LABEL_AT_MOST} value={label} onValue={setLabel} />
    </Confirm>
  );
}

function Facts({ client }: { readonly client: ApiClient }) {
  const { fact } = texts;
  const { createdBy, revokedAt, revokedBy } = client;
  return (
    <Card title={texts.facts}>
      <dl class="facts">
        <dt>{texts.owner}</dt>
        <dd>{ownerOf(client)}</dd>
        {client.description && (
          <>
            <dt>{fact.description}</dt>
            <dd>{client.description}</dd>
          </>
        )}
        <dt>{fact.id}</dt>
        <dd>
          <code>{client.clientId}</code>
        </dd>
        <dt>{fact.created}</dt>
        <dd>
          {formatInstant(client.createdAt)}
          {createdBy && (
            <>
              {' '}
              {texts.by} <Actor actor={createdBy} />
            </>
          )}
        </dd>
        {revokedAt && (
          <>
            <dt>{fact.revoked}</dt>
            <dd>
              {formatInstant(revokedAt)}
              {revokedBy && (
                <>
                  {' '}
                  {texts.by} <Actor actor={revokedBy} />
                </>
              )}
            </dd>
          </>
        )}
        <dt>{texts.lastUsed}</dt>
        <dd>{client.lastUsedAt ? formatNear(client.lastUsedAt, nowMs.peek()) : texts.never}</dd>
      </dl>
      {holds('requests:read') && (
        <a href={hrefOf('requests', { client: client.clientId })}>{texts.itsRequests}</a>
      )}
    </Card>
  );
}
