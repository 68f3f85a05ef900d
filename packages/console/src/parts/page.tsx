import type { ComponentChildren } from 'preact';
import { backTo, type QueryChange } from '../platform/address.ts';
import { Icon } from './icon.tsx';
import { LiveMark, Reading } from './told.tsx';

export interface PageHeadProps {
  readonly title: ComponentChildren;
  /** Of the title. */
  readonly class?: string;
  /** For example its state. */
  readonly beside?: ComponentChildren;
  /** In smaller letters. */
  readonly about?: ComponentChildren;
  readonly isLive: boolean;
  readonly views?: ComponentChildren;
  /** What can be done. */
  readonly children?: ComponentChildren;
}

/** What a page is about, whether it is live, and what can be done there. */
export function PageHead(props: PageHeadProps) {
  const { title, class: name, beside, about, isLive, views, children } = props;
  return (
    <div class="page-head">
      <div>
        <div class="row">
          <h1 class={name}>{title}</h1>
          {beside}
        </div>
        {about && <p class="soft small">{about}</p>}
      </div>
      <div class="row">
        {views}
        <LiveMark isLive={isLive} />
        {children}
      </div>
    </div>
  );
}

export interface BackProps {
  readonly to: string;
  readonly query?: QueryChange;
  readonly children: ComponentChildren;
}

/** From one thing to the list that it is in. The query says which list that is. */
export function Back({ to, query, children }: BackProps) {
  return (
    <a class="back" href={backTo(to, query)}>
      <Icon name="back" />
      {children}
    </a>
  );
}

export interface AwaitedProps {
  readonly back: ComponentChildren;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** The page of one thing until it was read. */
export function Awaited({ back, ...reading }: AwaitedProps) {
  return (
    <div class="stack">
      {back}
      <Reading value={null} {...reading} isPage />
    </div>
  );
}

export interface CardProps {
  readonly title: string;
  /** At the other end of the title. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page, with its name. */
export function Card({ title, aside, children }: CardProps) {
  const head = <h2>{title}</h2>;
  return (
    <section class="card stack" aria-label={title}>
      {aside ? (
        <div class="spread">
          {head}
          {aside}
        </div>
      ) : (
        head
      )}
      {children}
    </section>
  );
}
