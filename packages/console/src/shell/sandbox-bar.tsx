import type { ClockMove, FaultRules } from '@servery/contract';
import { useState } from 'preact/hooks';
import { sandboxBar as texts } from '../messages.ts';
import { Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { say, sayFailed } from '../parts/toast.tsx';
import { Badge, Countdown } from '../parts/told.tsx';
import { sandboxName, useAddress } from '../platform/address.ts';
import { clock, nowMs, readClock, setClock } from '../platform/clock.ts';
import { formatDay, formatInstant, formatNear, formatSeconds } from '../platform/format.ts';
import { useLive } from '../platform/live.ts';
import { restaurantOf } from '../platform/restaurants.ts';
import { call, holdsEverywhere } from '../platform/session.ts';
import type Sandboxes from './sandboxes.tsx';

const STEPS = ['PT1M', 'PT5M', 'PT1H', 'P1D'] as const;
const FAULTS_EVERY_MS = 10_000;

/** On every page of a sandbox, so that nobody takes it for a real platform. */
export function SandboxBar() {
  const [Shown, setShown] = useState<typeof Sandboxes | null>(null);
  // Most people never open it.
  const open = async () => {
    try {
      const module = await import('./sandboxes.tsx');
      setShown(() => module.default);
    } catch (error) {
      sayFailed(error);
    }
  };
  return (
    <>
      <aside class="sandbox-bar" aria-label={texts.label}>
        <Badge tone="warn">
          <span class="clip">{sandboxName ? texts.named(sandboxName) : texts.sandbox}</span>
        </Badge>
        <ClockPart />
        {holdsEverywhere('faults:read') && <FaultsPart />}
        {holdsEverywhere('sandboxes:read') && (
          <Button kind="quiet" icon="copy" class="icon-on-phone at-end" onClick={open}>
            <span class="text">{texts.sandboxes}</span>
          </Button>
        )}
      </aside>
      {Shown && <Shown onClose={() => setShown(null)} />}
    </>
  );
}

function ClockPart() {
  const { query } = useAddress();
  const { restaurant } = query;
  const timeZone = restaurant ? restaurantOf(restaurant)?.timeZone : undefined;
  const status = clock.value;
  const [isMoving, setMoving] = useState(false);
  if (!status) return null;
  const { nextDeadline, mode } = status;
  const isFrozen = mode === 'FROZEN';
  const run = async (work: () => Promise<ClockMove>) => {
    setMoving(true);
    try {
      const moved = await work();
      setClock(moved.clock);
      const done = texts.moved(formatInstant(moved.clock.now, timeZone), moved.done.length);
      say(moved.stoppedBecause ? `${done} ${moved.stoppedBecause}` : done);
    } catch (error) {
      sayFailed(error);
      readClock().catch(() => {});
    } finally {
      setMoving(false);
    }
  };
  return (
    <>
      <span class="now number" title={texts.clock}>
        {formatDay(nowMs.value, timeZone)} {formatSeconds(nowMs.value, timeZone)}
      </span>
      {isFrozen && <Badge tone="info">{texts.frozen}</Badge>}
      {status.isMovable && holdsEverywhere('clock:write') && (
        <Menu
          label={texts.advance}
          icon="clock"
          kind="quiet"
          class="icon-on-phone"
          isBusy={isMoving}
        >
          {nextDeadline && (
            <button
              type="button"
              class="item"
              onClick={() => run(() => call('backOffice.clock.next'))}
            >
              <span>
                {texts.toNext}
                <span class="soft small">
                  {' '}
                  {nextDeadline.kind}, {formatNear(nextDeadline.at, nowMs.value, timeZone)}
                </span>
              </span>
            </button>
          )}
          {STEPS.map((duration) => (
            <button
              key={duration}
              type="button"
              class="item"
              onClick={() => run(() => call('backOffice.clock.advance', { body: { duration } }))}
            >
              {texts.steps[duration]}
            </button>
          ))}
          <button
            type="button"
            class="item"
            onClick={() =>
              run(() => call(isFrozen ? 'backOffice.clock.run' : 'backOffice.clock.freeze'))
            }
          >
            {isFrozen ? texts.letRun : texts.freeze}
          </button>
        </Menu>
      )}
      {nextDeadline && (
        <span class="wide-only soft small">
          {texts.next(nextDeadline.kind, Date.parse(nextDeadline.at) <= nowMs.value)}{' '}
          <Countdown to={nextDeadline.at} timeZone={timeZone} />
        </span>
      )}
    </>
  );
}

function FaultsPart() {
  const { state, refresh } = useLive<FaultRules>(
    'faults',
    () => call('backOffice.faults.list'),
    FAULTS_EVERY_MS,
  );
  const { value } = state.value;
  if (!value) return null;
  const { profile, rules } = value;
  const alive = rules.filter(({ remaining }) => remaining !== 0);
  if (alive.length === 0) return null;
  const label = texts.faultsOn(alive.length, profile === 'perfect' ? null : profile);
  if (!holdsEverywhere('faults:write')) return <Badge tone="bad">{label}</Badge>;
  const turnOff = async () => {
    try {
      await call('backOffice.faults.setProfile', { body: { profile: 'perfect' } });
      say(texts.faultsOff);
    } catch (error) {
      sayFailed(error);
    }
    refresh();
  };
  return (
    <>
      <Badge tone="bad">{label}</Badge>
      <Button kind="quiet" onClick={turnOff}>
        {texts.turnOff}
      </Button>
    </>
  );
}
