import { Refused } from '@servery/client/back-office';
import type { ComponentChildren } from 'preact';
import { common } from '../messages.ts';
import { hrefOf } from '../platform/address.ts';
import { nowMs } from '../platform/clock.ts';
import { formatCountdown, formatExactly } from '../platform/format.ts';
import { isAway } from '../platform/session.ts';
import { Button } from './button.tsx';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info';

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export interface EmptyProps {
  readonly title: string;
  /** There is nothing else on the page. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}

/** Says what would be here, and what makes it. */
export function Empty({ title, isPage = false, children }: EmptyProps) {
  return (
    <div class="empty">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={common.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} />
      ))}
    </div>
  );
}

export interface ReadingProps {
  /** Null until it was read. */
  readonly value: unknown;
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly lines?: number;
  /** Without it, there is nothing else on the page. */
  readonly isPage?: boolean;
}

/** Why something is not there yet, or not that of a moment ago. */
export function Reading({ value, error, onRetry, lines = 12, isPage = false }: ReadingProps) {
  if (error !== null) {
    return <ErrorPanel error={error} onRetry={onRetry} isPage={isPage && value === null} />;
  }
  return value === null ? <Skeleton lines={lines} /> : null;
}

/** What is wrong, where it belongs to no field. */
export function Fault({ children }: { readonly children: ComponentChildren }) {
  return children ? (
    <p class="fault" role="alert">
      {children}
    </p>
  ) : null;
}

export interface ErrorPanelProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly isPage?: boolean;
}

/** What went wrong, in the platform's own words, and the way on. */
export function ErrorPanel({ error, onRetry, isPage = false }: ErrorPanelProps) {
  const requestId = error instanceof Refused ? error.requestId : null;
  return (
    <div class="panel" role="alert">
      {isPage ? <h1>{titleOf(error)}</h1> : <h2>{titleOf(error)}</h2>}
      <p>{sayError(error)}</p>
      {error instanceof Refused && error.faults.length > 1 && (
        <ul>
          {error.faults.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <div class="row">
        {onRetry && <Button onClick={onRetry}>{common.tryAgain}</Button>}
        {requestId && <a href={hrefOf(`requests/${requestId}`)}>{common.whatHappened}</a>}
      </div>
    </div>
  );
}

function titleOf(error: unknown): string {
  if (isAway(error)) return common.serverGone;
  if (error instanceof Refused && error.status === 403) return common.notAllowed;
  return error instanceof Refused && error.status === 404 ? common.notFound : common.wentWrong;
}

export function sayError(error: unknown): string {
  if (isAway(error)) return common.noAnswer;
  return error instanceof Error ? error.message : String(error);
}

/** Whether what is shown is that of a moment ago. */
export function LiveMark({ isLive }: { readonly isLive: boolean }) {
  return (
    <span class={isLive ? 'live' : 'live lost'} role="status">
      {isLive ? common.live : common.notLive}
    </span>
  );
}

const SOON_MS = 60_000;

/** How long until an instant, by the clock of the environment. */
export function Countdown({ to, timeZone }: { to: string; timeZone?: string | undefined }) {
  const leftMs = Date.parse(to) - nowMs.value;
  return (
    <time
      class={leftMs < SOON_MS ? 'countdown soon' : 'countdown'}
      dateTime={to}
      title={formatExactly(to, timeZone)}
    >
      {leftMs > 0 ? formatCountdown(leftMs) : common.due}
    </time>
  );
}
