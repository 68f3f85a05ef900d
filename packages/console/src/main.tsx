import './tokens.css';
import './base.css';
import './parts/parts.css';
import './shell/shell.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './platform/address.ts';
import { runClock } from './platform/clock.ts';
import { resumeSession, session } from './platform/session.ts';
import { applyTheme } from './shell/theme.ts';

applyTheme();
followLinks();
runClock();
void resumeSession();
// Another tab may have signed in or out meanwhile.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && session.value.kind !== 'starting') {
    void resumeSession();
  }
});
const root = document.getElementById('app');
if (root) render(<App />, root);
