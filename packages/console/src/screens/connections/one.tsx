import type { Connection, ConnectionChange } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, connections as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { Field } from '../../parts/field.tsx';
import { Awaited, Back, Card, PageHead } from '../../parts/page.tsx';
import { useRequired } from '../../parts/required.tsx';
import { say } from '../../parts/toast.tsx';
import { ErrorPanel, Skeleton } from '../../parts/told.tsx';
import { hrefOf } from '../../platform/address.ts';
import { formatDated, formatExactly } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { useLivePages } from '../../platform/pages.ts';
import { restaurantOf } from '../../platform/restaurants.ts';
import { call, holds } from '../../platform/session.ts';
import { nameOf, StateBadge } from './list.tsx';

const EVERY_MS = 5_000;
const PAGE = 50;
const REASON_AT_MOST = 500;

export interface OneConnectionProps {
  readonly restaurantGuid: string;
  readonly partnerGuid: string;
}

type Asked = 'disconnect' | 'connect' | 'edit';

export function OneConnection({ restaurantGuid, partnerGuid }: OneConnectionProps) {
  const params = { restaurantGuid, partnerGuid };
  const { state, refresh } = useLive<Connection>(
    restaurantGuid + partnerGuid,
    () => call('backOffice.connections.get', { params }),
    EVERY_MS,
  );
  const timeline = useLivePages<ConnectionChange>(
    restaurantGuid + partnerGuid,
    (pageToken) =>
      call('backOffice.connections.timeline', { params, query: { pageSize: PAGE, pageToken } }),
    EVERY_MS,
  );
  const [asked, setAsked] = useState<Asked | null>(null);
  const { value: connection, error, isLive } = state.value;
  const back = (
    <Back to="connections" query={{ restaurant: restaurantGuid }}>
      {texts.title}
    </Back>
  );
  if (!connection) {
    return <Awaited back={back} error={error} onRetry={refresh} />;
  }
  const timeZone = restaurantOf(restaurantGuid)?.timeZone;
  const isConnected = connection.state === 'CONNECTED';
  const close = () => {
    setAsked(null);
    refresh();
    timeline.refresh();
  };
  return (
    <div class="stack">
      {back}
      <PageHead
        title={connection.partnerName}
        beside={<StateBadge connection={connection} />}
        about={texts.at(connection.restaurantName)}
        isLive={isLive}
      />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {holds('connections:write', restaurantGuid) && (
        <div class="row">
          {isConnected ? (
            <>
              <Button onClick={() => setAsked('edit')}>{texts.edit}</Button>
              <Button kind="danger" onClick={() => setAsked('disconnect')}>
                {texts.disconnect.button}
              </Button>
            </>
          ) : (
            <Button kind="main" onClick={() => setAsked('connect')}>
              {texts.again}
            </Button>
          )}
        </div>
      )}
      <Card title={texts.facts}>
        <Facts connection={connection} timeZone={timeZone} />
      </Card>
      <Card title={texts.timeline}>
        {!timeline.rows && <Skeleton lines={4} />}
        <ol class="changes">
          {timeline.rows?.map((change) => (
            <Change key={change.number} change={change} timeZone={timeZone} />
          ))}
        </ol>
        {timeline.hasMore && (
          <div class="row">
            <Button onClick={timeline.loadMore}>{common.more}</Button>
          </div>
        )}
      </Card>
      {asked === 'disconnect' && <DisconnectDialog connection={connection} onClose={close} />}
      {asked === 'edit' && <EditDialog connection={connection} onClose={close} />}
      {asked === 'connect' && (
        <Confirm
          title={texts.connect.title(connection.partnerName)}
          action={texts.again}
          run={async () => {
            await call('backOffice.connections.connect', { params, body: { partnerGuid } });
            say(texts.connect.done(connection.partnerName, 1));
            close();
          }}
          onClose={() => setAsked(null)}
        >
          <p>{texts.connect.more(connection.partnerName)}</p>
        </Confirm>
      )}
    </div>
  );
}

interface OfConnectionProps {
  readonly connection: Connection;
  readonly timeZone: string | undefined;
}

function Facts({ connection, timeZone }: OfConnectionProps) {
  const { fact } = texts;
  const when = (instant: string | null) => instant && formatDated(instant, timeZone);
  const rows: readonly (readonly [string, string | null])[] = [
    [texts.sinceWhen, when(connection.createdAt)],
    [fact.disconnectedAt, when(connection.disconnectedAt)],
    [fact.reason, connection.disconnectReason],
    [texts.changedBy, nameOf(connection.changedBy) || null],
    [texts.reference, connection.externalRestaurantRef],
    [texts.groupReference, connection.externalGroupRef],
  ];
  return <FactList rows={rows} />;
}

interface ChangeProps {
  readonly change: ConnectionChange;
  readonly timeZone: string | undefined;
}

function Change({ change, timeZone }: ChangeProps) {
  const { kind, at, employee, by, reason, requestId } = change;
  return (
    <li>
      <strong>{texts.changes[kind]}</strong>
      {reason !== null && <span class="reason">{reason}</span>}
      <span class="soft small">
        <time dateTime={at} title={formatExactly(at, timeZone)}>
          {formatDated(at, timeZone)}
        </time>
        , {nameOf(employee) || by}
        {requestId !== null && holds('requests:read') && (
          <>
            {', '}
            <a href={hrefOf(`requests/${requestId}`)}>{common.whatHappened}</a>
          </>
        )}
      </span>
    </li>
  );
}

interface DialogProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

function DisconnectDialog({ connection, onClose }: DialogProps) {
  const { restaurantGuid, partnerGuid, partnerName, restaurantName } = connection;
  const [reason, readReason] = useRequired({
    label: texts.disconnect.reason,
    hint: texts.disconnect.reasonHint,
    fault: texts.disconnect.reasonFault,
    maxLength: REASON_AT_MOST,
    autofocus: true,
  });
  const disconnect = async () => {
    const params = { restaurantGuid, partnerGuid };
    const body = { reason: readReason() };
    await call('backOffice.connections.disconnect', { params, body });
    say(texts.disconnect.done(partnerName));
    onClose();
  };
  return (
    <Confirm
      title={texts.disconnect.title(partnerName)}
      action={texts.disconnect.button}
      kind="danger"
      run={disconnect}
      onClose={onClose}
    >
      <p>{texts.disconnect.more(partnerName, restaurantName)}</p>
      {reason}
    </Confirm>
  );
}

function EditDialog({ connection, onClose }: DialogProps) {
  const { restaurantGuid, partnerGuid, partnerName } = connection;
  const [own, setOwn] = useState(connection.externalRestaurantRef ?? '');
  const [ofGroup, setOfGroup] = useState(connection.externalGroupRef ?? '');
  const save = async () => {
    const orNone = (text: string) => (text.trim() === '' ? null : text.trim());
    const body = {
      ...(orNone(own) !== connection.externalRestaurantRef && {
        externalRestaurantRef: orNone(own),
      }),
      ...(orNone(ofGroup) !== connection.externalGroupRef && { externalGroupRef: orNone(ofGroup) }),
    };
    await call('backOffice.connections.update', { params: { restaurantGuid, partnerGuid }, body });
    say(texts.edited);
    onClose();
  };
  return (
    <Confirm title={texts.editTitle(partnerName)} action={texts.save} run={save} onClose={onClose}>
      <p>{texts.editMore}</p>
      <Field
        label={common.optional(texts.reference)}
        hint={texts.referenceHint}
        maxLength={200}
        value={own}
        onValue={setOwn}
      />
      <Field
        label={common.optional(texts.groupReference)}
        maxLength={200}
        value={ofGroup}
        onValue={setOfGroup}
      />
    </Confirm>
  );
}
