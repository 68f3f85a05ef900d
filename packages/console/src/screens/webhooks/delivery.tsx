import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '@servery/contract';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { webhooks as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { FactList } from '../../parts/fact-list.tsx';
import { Awaited, Back, Card, PageHead } from '../../parts/page.tsx';
import { say } from '../../parts/toast.tsx';
import { Badge, Countdown, ErrorPanel } from '../../parts/told.tsx';
import { hrefOf } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatCount, formatInstant, formatNear, formatSeconds } from '../../platform/format.ts';
import { newGuid } from '../../platform/guid.ts';
import { useLive } from '../../platform/live.ts';
import { call, holds } from '../../platform/session.ts';
import { useReason } from './endpoint-dialogs.tsx';
import { DeliveryBadges, shortUrl, titleOf } from './words.tsx';

const EVERY_MS = 2_000;

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
  const back = (
    <Back to="webhooks" query={{ tab: 'deliveries' }}>
      {deliveries.title}
    </Back>
  );
  if (!value) {
    return <Awaited back={back} error={error} onRetry={refresh} />;
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
      <PageHead
        title={titleOf(delivery.eventType)}
        beside={<DeliveryBadges delivery={delivery} />}
        isLive={isLive}
      />
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
      <div class="columns">
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
  const { deliveries } = texts;
  const [reason, readReason] = useReason();
  const run = async () => {
    await call('backOffice.webhooks.deliveries.drop', {
      params: { deliveryGuid: delivery.guid },
      body: { reason: readReason() },
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
      {reason}
    </Confirm>
  );
}

function Attempts({ attempts }: { readonly attempts: readonly WebhookAttempt[] }) {
  const { deliveries } = texts;
  return (
    <Card title={deliveries.attempts}>
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
    </Card>
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
    <Card
      title={deliveries.body}
      aside={<CopyButton text={body}>{deliveries.copyBody}</CopyButton>}
    >
      <pre tabIndex={0}>{body}</pre>
    </Card>
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
    <Card title={texts.facts}>
      <FactList rows={rows} />
      <a href={hrefOf('webhooks', { tab: 'deliveries', event: delivery.eventGuid })}>{sameEvent}</a>
    </Card>
  );
}
