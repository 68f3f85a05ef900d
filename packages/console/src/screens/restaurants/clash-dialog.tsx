import type { Schedules } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, restaurants as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import type { Clash } from './draft.ts';
import { AREA, SCHEDULES } from './fields.ts';
import { cornersOf, writeCorners } from './geometry.ts';
import { keysOf, weekdays } from './hours.ts';
import { formatClock, weekdayName } from './words.ts';

export interface ClashDialogProps {
  readonly clashes: readonly Clash[];
  /** With the fields that stay as others set them. */
  readonly onSettle: (theirs: ReadonlySet<string>) => Promise<void>;
  readonly onClose: () => void;
}

/** Two people changed the same fields: shows both values of each, and lets the person choose. */
export function ClashDialog({ clashes, onSettle, onClose }: ClashDialogProps) {
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set());
  const choose = (path: string, isTheirs: boolean) => {
    const next = new Set(theirs);
    if (isTheirs) next.add(path);
    else next.delete(path);
    setTheirs(next);
  };
  return (
    <Dialog title={texts.clash.title} onClose={onClose} isWide>
      <p>{texts.clash.more}</p>
      {clashes.map(({ path, mine, theirs: other }) => (
        <fieldset key={path} class="clash">
          <legend>{labelOf(path)}</legend>
          {[
            { isTheirs: false, label: texts.clash.mine, value: mine },
            { isTheirs: true, label: texts.clash.theirs, value: other },
          ].map(({ isTheirs, label, value }) => (
            <label key={label} class={theirs.has(path) === isTheirs ? 'chosen' : undefined}>
              <input
                type="radio"
                name={`clash ${path}`}
                checked={theirs.has(path) === isTheirs}
                onChange={() => choose(path, isTheirs)}
              />
              <span>
                <span class="soft small">{label}</span>
                <span class="value">{inWords(path, value)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <div class="actions">
        <Button kind="quiet" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button kind="main" onClick={() => onSettle(theirs)}>
          {texts.clash.save}
        </Button>
      </div>
    </Dialog>
  );
}

function labelOf(path: string): string {
  if (path === SCHEDULES) return texts.tabs.hours;
  if (path === AREA) return texts.area.title;
  const labels: Readonly<Record<string, string>> = texts.fields;
  return labels[path] ?? path;
}

function inWords(path: string, value: unknown): string {
  if (value === null || value === '') return common.none;
  if (typeof value === 'boolean') return value ? texts.clash.yes : texts.clash.no;
  if (path === AREA) return writeCorners(cornersOf(String(value)) ?? []);
  if (path === SCHEDULES) return scheduleInWords(value as Schedules);
  return String(value);
}

function scheduleInWords(schedules: Schedules): string {
  const days = keysOf(schedules).map((key) => {
    const day = schedules.daySchedules[key];
    const services = (day?.services ?? []).map(
      ({ name, hours }) =>
        `${name} ${formatClock(hours.startTime)} – ${formatClock(hours.endTime)}`,
    );
    return `${day?.scheduleName}: ${services.join(', ')}`;
  });
  const week = weekdays.map((weekday) => {
    const key = schedules.weekSchedule[weekday];
    const name = key === null ? texts.hours.closed : schedules.daySchedules[key]?.scheduleName;
    return `${weekdayName(weekday)}: ${name}`;
  });
  return [...days, ...week].join('\n');
}
