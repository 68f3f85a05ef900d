import { useEffect, useRef, useState } from 'preact/hooks';
import { shell as texts } from '../messages.ts';
import { Dialog } from '../parts/dialog.tsx';
import { hrefOf, useAddress } from '../platform/address.ts';
import { after } from '../platform/present.ts';
import { searchRestaurants } from '../platform/restaurants.ts';
import { holds, signOut } from '../platform/session.ts';
import { type Found, screens } from '../screens.ts';
import { switchTheme } from './theme.ts';

interface Entry extends Omit<Found, 'href'> {
  readonly id: string;
  readonly run: () => unknown;
}

const TYPING_MS = 150;
const SHORTEST = 2;

/** Ctrl-K: leads to any page, restaurant, item, payment or request, and does what has no page. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { query, go } = useAddress();
  const restaurant = query.restaurant ?? null;
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Found[]>([]);
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isCurrent = true;
    const wanted = text.trim();
    if (wanted.length < SHORTEST) {
      setFound([]);
      return;
    }
    const forget = after(TYPING_MS, () => {
      setFound([]);
      for (const finding of findings(wanted, restaurant)) {
        finding.then(
          (results) => isCurrent && setFound((before) => [...before, ...results]),
          () => {},
        );
      }
    });
    return () => {
      isCurrent = false;
      forget();
    };
  }, [text, restaurant]);
  const entries: readonly Entry[] = [
    ...commands(go, restaurant).filter(({ label }) => matches(label, text)),
    ...found.map(({ href, ...shown }) => ({ ...shown, id: href, run: () => follow(href, go) })),
  ];
  const at = Math.min(chosen, entries.length - 1);
  const run = (entry: Entry | undefined) => {
    onClose();
    void entry?.run();
  };
  const key = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && entries.length > 0) {
      event.preventDefault();
      const next = (at + step + entries.length) % entries.length;
      setChosen(next);
      list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      run(entries[at]);
    }
  };
  return (
    <Dialog title={texts.palette} onClose={onClose}>
      <div class="palette">
        <input
          autofocus
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={entries.length > 0 ? `palette-${at}` : undefined}
          aria-label={texts.palette}
          placeholder={texts.paletteHint}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={key}
        />
        <div id="palette-list" role="listbox" aria-label={texts.palette} ref={list}>
          {entries.map((entry, index) => (
            <div
              key={entry.id}
              id={`palette-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onClick={() => run(entry)}
            >
              {entry.label}
              {entry.detail && <span class="soft small">{entry.detail}</span>}
            </div>
          ))}
        </div>
        {entries.length === 0 && <p class="soft">{texts.nothingFound}</p>}
      </div>
    </Dialog>
  );
}

type Go = ReturnType<typeof useAddress>['go'];

function commands(go: Go, restaurant: string | null): readonly Entry[] {
  const pages = screens
    .filter(({ scope }) => scope === null || holds(scope))
    .map(({ id, label }) => ({ id, label, run: () => go(id, { restaurant }) }));
  return [
    ...pages,
    { id: 'theme', label: texts.switchTheme, run: switchTheme },
    { id: 'signOut', label: texts.signOut, run: signOut },
  ];
}

function findings(text: string, restaurant: string | null): Promise<readonly Found[]>[] {
  const places = searchRestaurants(text).then((results) =>
    results.slice(0, 5).map(({ guid, name }) => ({
      label: name,
      detail: texts.restaurant,
      href: hrefOf('', { restaurant: guid }),
    })),
  );
  const searched = screens
    .filter(({ scope }) => scope === null || holds(scope))
    .flatMap(({ find }) => (find ? [find(text, restaurant)] : []));
  return [places, ...searched];
}

function follow(href: string, go: Go): void {
  const { pathname, search } = new URL(href, location.href);
  const path = pathname.slice(hrefOf('').length);
  go(path, Object.fromEntries(new URLSearchParams(search)));
}

function matches(label: string, text: string): boolean {
  return label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());
}
