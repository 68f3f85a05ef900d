import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '@servery/contract';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { common, webhooks as texts } from '../../messages.ts';
import { Back } from '../../parts/back.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm, FaultyForm } from '../../parts/confirm.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { Field } from '../../parts/field.tsx';
import { say } from '../../parts/toast.tsx';
import { Badge, Countdown, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { backTo, hrefOf } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatCount, formatInstant, formatNear, formatSeconds } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { call, holds } from '../../platform/session.ts';
import { newGuid } from './replay-dialog.tsx';
import { DeliveryBadges, shortUrl, titleOf } from './words.tsx';

const EVERY_MS = 2_000;
const REASON_AT_MOST = 500;

export interface OneDeliveryProps {
  readonly deliveryGuid: string;
}

export function OneDelivery({ deliveryGuid }: OneDeliveryProps) {
  const params = { deliveryGuid };
  const { state, refresh } = useLive(
    deliveryGuid,
    async () => {
      const delivery = await call('backOffice.webhooks.deliveries.get', { params });
      const { endpointGuid } = delivery;
      const endpoint = await call('backOffice.webhooks.endpoints.get', {
        params: { endpointGuid },
      });
      return { delivery, endpoint };
    },
    EVERY_MS,
  );
  const [act, setAct] = useState<'replay' | 'drop' | null>(null);
  const { value, error, isLive } = state.value;
  const { deliveries, replay } = texts;
  const back = <Back href={backTo('webhooks', { tab: 'deliveries' })}>{deliveries.title}</Back>;
  if (!value) {
    return (
      <div class="stack">
        {back}
        {error ? <ErrorPanel error={error} onRetry={refresh} /> : <Skeleton lines={10} />}
      </div>
    );
  }
  const { delivery, endpoint } = value;
  const mayChange = holds('webhooks:write');
  const isTold = endpoint.state === 'ACTIVE' || endpoint.state === 'PAUSED';
  const mayDrop = mayChange && (delivery.state === 'QUEUED' || delivery.state === 'DEAD');
  const done = () => {
    setAct(null);
    refresh();
  };
  return (
    <div class="stack">
      {back}
      <div class="page-head">
        <div class="row">
          <h1>{titleOf(delivery.eventType)}</h1>
          <DeliveryBadges delivery={delivery} />
        </div>
        <LiveMark isLive={isLive} />
      </div>
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      <div class="row">
        {mayChange && isTold && !delivery.isTest && (
          <Button icon="replay" onClick={() => setAct('replay')}>
            {replay.one}
          </Button>
        )}
        {mayDrop && <Button onClick={() => setAct('drop')}>{deliveries.drop}</Button>}
        {delivery.dueAt && isTold && (
          <span>
            {deliveries.dueIn} <Countdown to={delivery.dueAt} />
          </span>
        )}
      </div>
      <div class="webhook-columns">
        <div class="stack">
          <Attempts attempts={delivery.attempts} />
          <Body body={delivery.body} />
        </div>
        <Facts delivery={delivery} url={endpoint.url} />
      </div>
      {act === 'replay' && (
        <ReplayOne delivery={delivery} onDone={done} onClose={() => setAct(null)} />
      )}
      {act === 'drop' && <Drop delivery={delivery} onDone={done} onClose={() => setAct(null)} />}
    </div>
  );
}

interface ActProps {
  readonly delivery: WebhookDelivery;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function ReplayOne({ delivery, onDone, onClose }: ActProps) {
  const { replay } = texts;
  // A repeated request with it sends nothing twice.
  const [requestGuid] = useState(newGuid);
  const run = async () => {
    const { endpointGuid, eventGuid } = delivery;
    const body = { which: 'EVENT', eventGuid, requestGuid, dryRun: false } as const;
    const { count } = await call('backOffice.webhooks.replay', { params: { endpointGuid }, body });
    say(replay.sent(count));
    onDone();
  };
  return (
    <Confirm
      title={replay.oneTitle}
      text={replay.oneText}
      action={replay.one}
      run={run}
      onClose={onClose}
    />
  );
}

function Drop({ delivery, onDone, onClose }: ActProps) {
  const { deliveries, stop } = texts;
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const run = async () => {
    setFault(reason.trim() === '' ? stop.reasonFault : null);
    if (reason.trim() === '') throw new FaultyForm();
    await call('backOffice.webhooks.deliveries.drop', {
      params: { deliveryGuid: delivery.guid },
      body: { reason: reason.trim() },
    });
    say(deliveries.dropped);
    onDone();
  };
  return (
    <Confirm
      title={deliveries.dropTitle}
      text={deliveries.dropText}
      action={deliveries.drop}
      kind="danger"
      run={run}
      onClose={onClose}
    >
      <Field
        label={stop.reason}
        hint={stop.reasonHint}
        maxLength={REASON_AT_MOST}
        value={reason}
        fault={fault}
        onValue={setReason}
      />
    </Confirm>
  );
}

function Attempts({ attempts }: { readonly attempts: readonly WebhookAttempt[] }) {
  const { deliveries } = texts;
  return (
    <section class="card stack" aria-label={deliveries.attempts}>
      <h2>{deliveries.attempts}</h2>
      {attempts.length === 0 && <p class="soft">{deliveries.noAttempts}</p>}
      <ol class="attempts">
        {attempts.toReversed().map((attempt, index) => (
          <li key={attempt.number}>
            <details open={index === 0}>
              <summary>
                <Attempt attempt={attempt} />
              </summary>
              <Exchange attempt={attempt} />
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Attempt({ attempt }: { readonly attempt: WebhookAttempt }) {
  const { deliveries } = texts;
  const { number, at, outcome, status, durationMs, isProbe, fault } = attempt;
  return (
    <span class="attempt">
      <strong>{deliveries.attempt(number)}</strong>
      <Badge tone={outcome === 'DELIVERED' ? 'good' : 'bad'}>
        {deliveries.outcomes[outcome]}
        {status !== null && ` ${status}`}
      </Badge>
      {isProbe && <Badge>{deliveries.probe}</Badge>}
      {fault && <Badge tone="bad">{fault}</Badge>}
      <span class="soft small number">
        {formatSeconds(at)}, {deliveries.took(formatCount(Math.round(durationMs)))}
      </span>
    </span>
  );
}

function Exchange({ attempt }: { readonly attempt: WebhookAttempt }) {
  const { deliveries } = texts;
  const { url, requestHeaders, answerBody, isAnswerCut, explanation, nextAt } = attempt;
  return (
    <div class="stack inner">
      {explanation && <p>{explanation}</p>}
      {nextAt && <p class="soft small">{deliveries.nextAt(formatNear(nextAt, nowMs.peek()))}</p>}
      <h3>{deliveries.request}</h3>
      <p class="mono webhook-address">POST {url}</p>
      <dl class="facts mono">
        {Object.entries(requestHeaders).map(([name, value]) => (
          <div key={name} class="pair">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="soft small">{deliveries.headersMore}</p>
      <h3>{deliveries.response}</h3>
      {answerBody === null ? (
        <p class="soft">{deliveries.noResponse}</p>
      ) : (
        <pre tabIndex={0}>{answerBody === '' ? '–' : answerBody}</pre>
      )}
      {isAnswerCut && <p class="soft small">{deliveries.cut}</p>}
    </div>
  );
}

function Body({ body }: Pick<WebhookDeliveryDetails, 'body'>) {
  const { deliveries } = texts;
  return (
    <section class="card stack" aria-label={deliveries.body}>
      <div class="spread">
        <h2>{deliveries.body}</h2>
        <Button
          icon="copy"
          onClick={async () => {
            await navigator.clipboard.writeText(body);
            say(common.copied);
          }}
        >
          {deliveries.copyBody}
        </Button>
      </div>
      <pre tabIndex={0}>{body}</pre>
    </section>
  );
}

function Facts({ delivery, url }: { readonly delivery: WebhookDelivery; readonly url: string }) {
  const { fact, sameEvent } = texts.deliveries;
  const { eventPosition, settledAt } = delivery;
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    [
      fact.endpoint,
      <a href={hrefOf(`webhooks/endpoints/${delivery.endpointGuid}`)}>{shortUrl(url)}</a>,
    ],
    [fact.event, delivery.eventGuid],
    [fact.position, eventPosition === null ? null : formatCount(eventPosition)],
    [fact.happened, formatInstant(delivery.eventAt)],
    [fact.queued, formatInstant(delivery.queuedAt)],
    [fact.settled, settledAt && formatInstant(settledAt)],
    [fact.reason, delivery.reason],
    [fact.id, delivery.guid],
  ];
  return (
    <section class="card stack" aria-label={texts.facts}>
      <h2>{texts.facts}</h2>
      <FactList rows={rows} />
      <a href={hrefOf('webhooks', { tab: 'deliveries', event: delivery.eventGuid })}>{sameEvent}</a>
    </section>
  );
}
