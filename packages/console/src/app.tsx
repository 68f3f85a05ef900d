import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { common, shell as texts } from './messages.ts';
import { Button } from './parts/button.tsx';
import { Dialog } from './parts/dialog.tsx';
import { Toasts } from './parts/toast.tsx';
import { Empty, ErrorPanel, Skeleton } from './parts/told.tsx';
import { hrefOf, rememberList, useAddress } from './platform/address.ts';
import { brand } from './platform/environment.ts';
import { loadRestaurants } from './platform/restaurants.ts';
import { holds, resumeSession, session, who } from './platform/session.ts';
import { type Screen, screens } from './screens.ts';
import { Shell } from './shell/shell.tsx';
import { SignInForm, SignInPage } from './shell/sign-in.tsx';

export function App() {
  return (
    <>
      <Gate />
      <Toasts />
    </>
  );
}

/** Decides by the session what there is to see. */
function Gate() {
  const state = session.value;
  const [name] = useAddress().segments;
  // Sessions of the same person are one: what is on the page stays.
  const person = who.value?.id ?? null;
  useEffect(() => {
    if (person !== null) loadRestaurants().catch(() => {});
  }, [person]);
  // An invitation is for the person who opens it, even if somebody else is signed in.
  if (name === 'invitation') return <Loaded key="invitation" screen={invitation} />;
  switch (state.kind) {
    case 'starting':
      return (
        <main class="sign-in">
          <Skeleton lines={4} />
        </main>
      );
    case 'unreachable':
      return (
        <main class="sign-in">
          <ErrorPanel error={state.error} onRetry={resumeSession} />
        </main>
      );
    case 'signedOut':
      return <SignInPage />;
    default:
      return (
        <>
          <Shell key={person}>
            <Page />
          </Shell>
          {state.kind === 'ended' && (
            <Dialog title={texts.endedTitle}>
              <p>{texts.ended}</p>
              <SignInForm email={state.who.email ?? ''} />
            </Dialog>
          )}
        </>
      );
  }
}

/** The screen that the address names; without a name, the first one that the person may see. */
function Page() {
  const { segments, query, go } = useAddress();
  const [name] = segments;
  const isAllowed = ({ scope }: Screen) => scope === null || holds(scope);
  const first = screens.find((screen) => screen.order !== null && isAllowed(screen));
  const screen = screens.find(({ id }) => id === name);
  const title = screen?.label;
  useEffect(() => {
    document.title = title ? `${title} · ${brand}` : brand;
  }, [title]);
  useEffect(() => {
    if (segments.length === 1) rememberList();
  });
  const target = name === undefined ? first?.id : null;
  useEffect(() => {
    if (target) go(target, query);
  }, [target]);
  if (target) return <Skeleton />;
  if (!screen) {
    return (
      <Empty isPage title={name === undefined ? common.notAllowed : common.notFound}>
        <p>{name === undefined ? common.notAllowedMore : common.notFoundMore}</p>
        <a class="button" href={hrefOf('')}>
          {common.toStart}
        </a>
      </Empty>
    );
  }
  if (!isAllowed(screen)) {
    return (
      <Empty isPage title={common.notAllowed}>
        <p>{common.notAllowedMore}</p>
        <a class="button" href={hrefOf('')}>
          {common.toStart}
        </a>
      </Empty>
    );
  }
  return <Loaded key={screen.id} screen={screen} />;
}

const invitation = { id: 'invitation', load: () => import('./shell/invitation.tsx') };

const loaded = new Map<string, ComponentType>();

function Loaded({ screen: { id, load } }: { readonly screen: Pick<Screen, 'id' | 'load'> }) {
  const [, again] = useState(0);
  const [isLost, setLost] = useState(false);
  const Component = loaded.get(id);
  useEffect(() => {
    if (Component) return;
    load().then(
      (module) => {
        loaded.set(id, module.default);
        again((count) => count + 1);
      },
      () => setLost(true),
    );
  }, [id, Component, load]);
  if (Component) return <Component />;
  if (!isLost) return <Skeleton />;
  return (
    <Empty isPage title={common.serverGone}>
      <p>{texts.updated}</p>
      <Button kind="main" onClick={() => location.reload()}>
        {texts.reload}
      </Button>
    </Empty>
  );
}
