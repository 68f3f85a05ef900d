import type { Order, OrderEvent } from '@servery/contract';
import { orders as texts } from '../../messages.ts';
import { Card } from '../../parts/page.tsx';
import { hrefOf } from '../../platform/address.ts';
import { formatExactly, formatInstant, formatMoney, minorDigits } from '../../platform/format.ts';
import { holds } from '../../platform/session.ts';
import type { Place } from './place.ts';
import { selectionsOf } from './state.ts';

export interface HistoryProps {
  readonly events: readonly OrderEvent[];
  readonly order: Order;
  readonly place: Place;
}

/** What happened to an order, when, and by whom. */
export function History({ events, order, place }: HistoryProps) {
  const { timeZone, names, guid } = place;
  const nameOfItem = new Map(
    selectionsOf(order).map((selection) => [selection.guid, selection.displayName]),
  );
  return (
    <Card title={texts.history}>
      <ol class="timeline">
        {events.map(({ version, cause, details, occurredAt, by, byName, requestId }) => {
          const { reason, voidReasonGuid, selectionGuids, selectionGuid } = details ?? {};
          const { amountMinor, tipMinor } = details ?? {};
          const items = [selectionGuids ?? selectionGuid ?? []]
            .flat()
            .flatMap((each) => nameOfItem.get(String(each)) ?? []);
          return (
            <li key={version}>
              <strong>{causeInWords(cause)}</strong>
              {typeof reason === 'string' && <q>{reason}</q>}
              {typeof voidReasonGuid === 'string' && <span>{names.get(voidReasonGuid)}</span>}
              {typeof amountMinor === 'number' && (
                <span class="small number">{amounts(amountMinor, tipMinor, place)}</span>
              )}
              {items.length > 0 && <span class="small">{items.join(', ')}</span>}
              <span class="soft small">
                <time dateTime={occurredAt} title={formatExactly(occurredAt, timeZone)}>
                  {formatInstant(occurredAt, timeZone)}
                </time>
                {' · '}
                {byName ?? texts.bySystem(by)}
                {requestId && holds('requests:read', guid) && (
                  <>
                    {' · '}
                    <a href={hrefOf(`requests/${requestId}`)}>{texts.request}</a>
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

function causeInWords(cause: string): string {
  const known: Readonly<Record<string, string>> = texts.causes;
  return known[cause] ?? cause;
}

function amounts(amountMinor: number, tipMinor: unknown, { currencyCode }: Place): string {
  const unit = 10 ** minorDigits(currencyCode);
  const money = (minor: number) => formatMoney(minor / unit, currencyCode);
  const tip = typeof tipMinor === 'number' && tipMinor > 0 ? money(tipMinor) : null;
  return texts.amount(money(amountMinor), tip);
}
