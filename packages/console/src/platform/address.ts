import { computed, signal } from '@preact/signals';

/**
 * Where the console is. Its scripts are in a folder below it, so their address tells, however deep
 * the page is and whatever path a proxy puts in front.
 */
const consoleUrl = new URL(import.meta.env.DEV ? '/console/' : '../', import.meta.url);

/** The path of the console, with a slash at its end. */
export const consolePath = consoleUrl.pathname;

/** The base address of the platform, without a slash at its end. */
export const platformUrl = new URL('../', consoleUrl).href.replace(/\/$/, '');

/** The sandbox beside the main environment that this is; null for the main environment. */
export const sandboxName = /\/sandboxes\/([^/]+)$/.exec(platformUrl)?.[1] ?? null;

export type QueryChange = Readonly<Record<string, string | null | undefined>>;

/** The address below the console: what a page shows is in it, so that it can be shared. */
export interface Address {
  /** Without a slash at either end. */
  readonly segments: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  /** Goes to a path below the console. */
  readonly go: (path: string, query?: QueryChange) => void;
  /** Changes the query in place; null removes a parameter. */
  readonly change: (changes: QueryChange) => void;
}

const href = signal(location.href);

const shown = computed(() => {
  const { pathname, searchParams } = new URL(href.value);
  const parts = pathname.slice(consolePath.length).split('/');
  return {
    segments: parts.filter((part) => part !== '').map(decode),
    query: Object.fromEntries(searchParams),
  };
});

/** Goes to an address of the console without loading the page again. */
function route(to: string, isInPlace = false): void {
  if (isInPlace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  href.value = location.href;
}

/** Follows links to the console, and what the browser goes back and forth to. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    href.value = location.href;
  });
  addEventListener('click', (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, button, target } = event;
    const link = (target as Element).closest('a');
    // The browser itself opens windows and saves files.
    const isOwn = ctrlKey || metaKey || altKey || shiftKey || button !== 0 || link?.download;
    if (!link?.href.startsWith(consoleUrl.href) || isOwn) return;
    event.preventDefault();
    route(link.href);
  });
}

export function useAddress(): Address {
  return {
    ...shown.value,
    go: (to, given = {}) => route(hrefOf(to, given)),
    change: (changes) => {
      // Read again: several changes may come before the next rendering.
      const now = Object.fromEntries(new URLSearchParams(location.search));
      route(`${location.pathname}${searchOf({ ...now, ...changes })}`, true);
    },
  };
}

/** The change that removes these parameters. */
export function cleared(names: readonly string[]): QueryChange {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** A link to a path below the console. */
export function hrefOf(path: string, query: QueryChange = {}): string {
  return `${consolePath}${path}${searchOf(query)}`;
}

/** Keeps how a list is filtered, for the way back to it. */
export function rememberList(): void {
  sessionStorage.setItem(location.pathname, location.search);
}

/**
 * A link back to a list as it was last seen in this tab. `about` says which list it must be; null
 * stands for a parameter that it must not have.
 */
export function backTo(list: string, about: QueryChange = {}): string {
  const href = hrefOf(list);
  const search = sessionStorage.getItem(href) ?? '';
  const seen = new URLSearchParams(search);
  const isIt = Object.entries(about).every(
    ([name, value]) => value === undefined || seen.get(name) === value,
  );
  return isIt ? href + search : hrefOf(list, about);
}

function searchOf(query: QueryChange): string {
  const given = Object.entries(query).filter(([, value]) => value);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
