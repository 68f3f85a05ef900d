import type { LoggedRequest, LoggedRequestDetails } from '@servery/contract';
import { requests as texts } from '../../messages.ts';
import { Actor, PERSON } from '../../parts/actor.tsx';
import { Badge, type Tone } from '../../parts/told.tsx';
import { formatMoment } from '../../platform/format.ts';

export function StatusBadge({ status }: { readonly status: number }) {
  const tone: Tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
  return <Badge tone={tone}>{status}</Badge>;
}

export function Sender({ request: { clientId, personGuid } }: { readonly request: LoggedRequest }) {
  const actor = clientId ?? (personGuid && PERSON + personGuid);
  return actor ? <Actor actor={actor} /> : texts.nobody;
}

export function tookOf({ durationMs }: LoggedRequest): string {
  return texts.took(durationMs < 10 ? durationMs.toFixed(1) : durationMs.toFixed(0));
}

const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** A sentence of the platform, with its instants as this page shows them. */
export function localized(text: string): string {
  return text.replace(INSTANT, (instant) => formatMoment(instant));
}

const CUT = /^\[\d+ bytes |… \[of \d+ bytes\]$/;

/** Whether the log has not all of the body that was sent. */
export function lacksBody(request: LoggedRequestDetails): boolean {
  const { requestBody, requestHeaders, refusal } = request;
  if (requestBody !== null) return CUT.test(requestBody);
  // Else the operation takes none.
  if (!refusal) return false;
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = requestHeaders;
  return length !== '0' || encoding !== undefined;
}
