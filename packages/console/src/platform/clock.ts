import { effect, signal } from '@preact/signals';
import type { ClockStatus } from '@servery/contract';
import { browserNowMs, every } from './present.ts';
import { call, holds, session } from './session.ts';

/** The clock of the environment, which a sandbox can move. Null for who may not see it. */
export const clock = signal<ClockStatus | null>(null);

/** The time in the environment, once a second. */
export const nowMs = signal(browserNowMs());

const ASK_EVERY_SECONDS = 10;

let askedAtMs = 0;

export function setClock(status: ClockStatus): void {
  askedAtMs = browserNowMs();
  clock.value = status;
  tick();
}

export async function readClock(): Promise<void> {
  if (!holds('clock:read')) return;
  setClock(await call('backOffice.clock.get'));
}

/** Keeps both right for as long as the page is there. */
export function runClock(): void {
  let seconds = 0;
  every(1_000, () => {
    tick();
    seconds += 1;
    if (seconds % ASK_EVERY_SECONDS !== 0 || document.visibilityState !== 'visible') return;
    if (session.peek().kind === 'signedIn') readClock().catch(() => {});
  });
  effect(() => {
    if (session.value.kind === 'signedIn') readClock().catch(() => {});
  });
}

function tick(): void {
  const status = clock.peek();
  const browser = browserNowMs();
  if (!status) nowMs.value = browser;
  else {
    const passedMs = status.mode === 'FROZEN' ? 0 : browser - askedAtMs;
    nowMs.value = Date.parse(status.now) + passedMs;
  }
}
