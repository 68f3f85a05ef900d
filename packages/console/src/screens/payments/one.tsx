import type { Alarm, BackOfficePayment, PaymentEvent } from '@servery/contract';
import { useState } from 'preact/hooks';
import { payments as texts } from '../../messages.ts';
import { Actor } from '../../parts/actor.tsx';
import { Button } from '../../parts/button.tsx';
import { type Fact, FactList } from '../../parts/fact-list.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Awaited, Back, Card, PageHead } from '../../parts/page.tsx';
import { ErrorPanel } from '../../parts/told.tsx';
import { useAddress } from '../../platform/address.ts';
import { formatExactly, formatInstant, formatMoney } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { restaurantOf } from '../../platform/restaurants.ts';
import { call, holds } from '../../platform/session.ts';
import { AcknowledgeDialog } from './alarms.tsx';
import { type Move, MoveDialog } from './move-dialog.tsx';
import { cardOf, Deadline, StateBadge, totalOf } from './words.tsx';

const EVERY_MS = 2_000;

interface Whole {
  readonly payment: BackOfficePayment;
  readonly events: readonly PaymentEvent[];
  readonly alarms: readonly Alarm[];
}

export interface OnePaymentProps {
  readonly merchantUuid: string;
  readonly paymentUuid: string;
}

export function OnePayment({ merchantUuid, paymentUuid }: OnePaymentProps) {
  const { query } = useAddress();
  const params = { merchantUuid, paymentUuid };
  const { state, refresh } = useLive<Whole>(
    merchantUuid + paymentUuid,
    async () => {
      const [payment, events, alarms] = await Promise.all([
        call('backOffice.payments.get', { params }),
        call('backOffice.payments.events', { params }),
        call('backOffice.alarms.list', { query: { open: true, pageSize: 200 } }),
      ]);
      const own = alarms.results.filter((alarm) => alarm.paymentUuid === paymentUuid);
      return { payment, events, alarms: own };
    },
    EVERY_MS,
  );
  const [move, setMove] = useState<Move | null>(null);
  const { value, error, isLive } = state.value;
  const back = (
    <Back to="payments" query={{ restaurant: query.restaurant }}>
      {texts.title}
    </Back>
  );
  if (!value) {
    return <Awaited back={back} error={error} onRetry={refresh} />;
  }
  const { payment, events, alarms } = value;
  const timeZone = restaurantOf(merchantUuid)?.timeZone;
  const mayMove = holds('payments.lifecycle:write', merchantUuid);
  const { nextDeadline, legalMoves } = payment;
  return (
    <div class="stack">
      {back}
      <PageHead
        title={texts.one(totalOf(payment))}
        class="number"
        beside={<StateBadge state={payment.paymentState} />}
        isLive={isLive}
      />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {alarms.map((alarm) => (
        <AlarmPanel key={alarm.guid} alarm={alarm} mayMove={mayMove} onDone={refresh} />
      ))}
      <div class="columns">
        <section class="card stack" aria-label={texts.timeline}>
          {nextDeadline && (
            <p class="deadline">
              <Icon name="clock" />
              <span>
                <strong>
                  <Deadline deadline={nextDeadline} timeZone={timeZone} />
                </strong>
                <span class="under soft small">{formatInstant(nextDeadline.at, timeZone)}</span>
              </span>
            </p>
          )}
          <div class="row">
            {mayMove &&
              legalMoves.map((each) => (
                <Button
                  key={each}
                  kind={each === 'void' ? 'danger' : 'plain'}
                  onClick={() => setMove(each)}
                >
                  {texts.moves[each]}
                </Button>
              ))}
            {legalMoves.length === 0 && <p class="soft">{whyNothing(value)}</p>}
            {!mayMove && legalMoves.length > 0 && <p class="soft">{texts.readOnly}</p>}
          </div>
          <h2>{texts.timeline}</h2>
          <Timeline events={events} timeZone={timeZone} />
        </section>
        <Facts payment={payment} />
      </div>
      {move && (
        <MoveDialog
          move={move}
          payment={payment}
          onDone={() => {
            setMove(null);
            refresh();
          }}
          onClose={() => setMove(null)}
          onConflict={refresh}
        />
      )}
    </div>
  );
}

const FINAL = ['DENIED', 'ABORTED', 'REVERSED', 'CAPTURED', 'VOIDED'];

function whyNothing({ payment: { paymentState }, alarms }: Whole): string {
  const isFinal = FINAL.includes(paymentState);
  if (!isFinal && paymentState !== 'REVIEW') return texts.byPlatform;
  return isFinal && alarms.length === 0 ? texts.nothing : texts.byHand;
}

function AlarmPanel({
  alarm,
  mayMove,
  onDone,
}: {
  readonly alarm: Alarm;
  readonly mayMove: boolean;
  readonly onDone: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="panel" role="alert">
      <h2>{texts.alarm}</h2>
      <p>{alarm.explanation}</p>
      {mayMove && <Button onClick={() => setOpen(true)}>{texts.alarms.acknowledge}</Button>}
      {isOpen && <AcknowledgeDialog alarm={alarm} onDone={onDone} onClose={() => setOpen(false)} />}
    </div>
  );
}

function Timeline({
  events,
  timeZone,
}: {
  readonly events: readonly PaymentEvent[];
  readonly timeZone: string | undefined;
}) {
  return (
    <ol class="timeline">
      {events.map(({ version, cause, toState, attempt, details, occurredAt }) => {
        const { by, ...more } = details ?? {};
        return (
          <li key={version}>
            <div class="row">
              <strong>{causeInWords(cause)}</strong>
              <StateBadge state={toState} />
            </div>
            <div class="soft small">
              <time dateTime={occurredAt} title={formatExactly(occurredAt, timeZone)}>
                {formatInstant(occurredAt, timeZone)}
              </time>
              {attempt > 1 && ` · ${texts.fact.attempt} ${attempt}`}
              {typeof by === 'string' && (
                <>
                  {` · ${texts.by} `}
                  <Actor actor={by} />
                </>
              )}
            </div>
            {Object.keys(more).length > 0 && (
              <details>
                <summary class="small">{texts.facts}</summary>
                <dl class="facts small">
                  {Object.entries(more).map(([name, value]) => (
                    <div key={name} class="pair">
                      <dt>{name}</dt>
                      <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
                    </div>
                  ))}
                </dl>
              </details>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function causeInWords(cause: string): string {
  const known: Readonly<Record<string, string>> = texts.causes;
  return known[cause] ?? cause;
}

function Facts({ payment }: { readonly payment: BackOfficePayment }) {
  const money = (amount: number | null) =>
    amount === null ? null : formatMoney(amount, payment.currencyCode);
  const { fact } = texts;
  const rows: readonly Fact[] = [
    [fact.restaurant, restaurantOf(payment.merchantGuid)?.name ?? payment.merchantGuid],
    [fact.price, money(payment.amount)],
    [fact.tip, money(payment.tipAmount)],
    [fact.authorized, money(payment.authorizedAmount)],
    [fact.captured, money(payment.capturedAmount)],
    [fact.card, `${cardOf(payment)} (${payment.cardFirst6}…)`],
    [fact.code, payment.authorizationCode],
    [fact.response, payment.responseCode],
    [fact.denial, payment.denialReason],
    [fact.error, payment.error],
    [fact.voidReason, payment.voidReason],
    [fact.check, payment.checkGuid],
    [fact.client, <Actor key="client" actor={payment.clientId} />],
    [fact.id, payment.paymentUuid],
  ];
  return (
    <Card title={texts.facts}>
      <FactList rows={rows} />
    </Card>
  );
}
