import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { shell as texts } from '../messages.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { sayFailed } from '../parts/toast.tsx';
import { Badge } from '../parts/told.tsx';
import { hrefOf, useAddress } from '../platform/address.ts';
import { brand, isSandbox } from '../platform/environment.ts';
import { holds, signOut, who } from '../platform/session.ts';
import { screens } from '../screens.ts';
import { Palette } from './palette.tsx';
import { PlaceMenu } from './place-menu.tsx';
import { SandboxBar } from './sandbox-bar.tsx';
import { switchTheme } from './theme.ts';

/** What is around every page: where it is about, where else to go, and who one is. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const [isFinding, setFinding] = useState(false);
  // At once: people press keys as soon as they see the page.
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setFinding(true);
      }
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, []);
  return (
    <div class={isSandbox ? 'shell' : 'shell production'}>
      <button type="button" class="skip" onClick={toPage}>
        {texts.skip}
      </button>
      <header class="top">
        <div class="where">
          <a class="brand" href={hrefOf('')}>
            {brand}
          </a>
          {!isSandbox && <Badge>{texts.production}</Badge>}
        </div>
        <PlaceMenu />
        <span class="fill" />
        <Button kind="quiet" icon="search" class="icon-on-phone" onClick={() => setFinding(true)}>
          <span class="text">{texts.palette}</span>
          <kbd class="wide-only">{texts.paletteKey}</kbd>
        </Button>
        <AccountMenu />
      </header>
      {isSandbox && <SandboxBar />}
      <div class="middle">
        <Navigation />
        <main id="page" tabIndex={-1}>
          {children}
        </main>
      </div>
      {isFinding && <Palette onClose={() => setFinding(false)} />}
    </div>
  );
}

function toPage(): void {
  document.getElementById('page')?.focus();
}

function Navigation() {
  const { segments, query } = useAddress();
  const { restaurant } = query;
  const shown = screens.filter(
    ({ order, scope }) => order !== null && (scope === null || holds(scope)),
  );
  const navigation = useRef<HTMLElement>(null);
  const [current] = segments;
  // On a phone it is one row, which is longer than the window.
  useEffect(() => {
    const link = navigation.current?.querySelector('[aria-current]');
    link?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav aria-label={texts.navigation} ref={navigation}>
      {shown.map(({ id, label, icon }) => (
        <a
          key={id}
          href={hrefOf(id, { restaurant })}
          aria-current={current === id ? 'page' : undefined}
        >
          <Icon name={icon} />
          {label}
        </a>
      ))}
    </nav>
  );
}

function AccountMenu() {
  const person = who.value;
  return (
    <Menu label={texts.account} icon="person" kind="quiet" shown={<AccountName />}>
      <p class="about-me">
        {person?.name}
        <span class="soft small">{person?.email}</span>
      </p>
      <a class="item" href={hrefOf('account')}>
        {texts.accountPage}
      </a>
      <button type="button" class="item" onClick={switchTheme}>
        {texts.switchTheme}
      </button>
      <button type="button" class="item" onClick={() => signOut().catch(sayFailed)}>
        {texts.signOut}
      </button>
    </Menu>
  );
}

function AccountName() {
  return <span class="wide-only">{who.value?.name}</span>;
}
