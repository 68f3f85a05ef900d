import type { LoggedRequest } from '@servery/contract';
import { requests as texts } from '../../messages.ts';
import { Badge, type Tone } from '../../parts/told.tsx';

export function StatusBadge({ status }: { readonly status: number }) {
  const tone: Tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
  return <Badge tone={tone}>{status}</Badge>;
}

export function senderOf({ clientId, personGuid }: LoggedRequest): string {
  return clientId ?? (personGuid === null ? texts.nobody : texts.person);
}

export function tookOf({ durationMs }: LoggedRequest): string {
  return texts.took(durationMs < 10 ? durationMs.toFixed(1) : durationMs.toFixed(0));
}
