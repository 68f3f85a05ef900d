import type { Schedules } from '@servery/contract';
import { common, restaurants as texts } from '../../messages.ts';
import { Conflict } from '../../parts/conflict.tsx';
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

/** For what two people have changed in the same restaurant. */
export function ClashDialog({ clashes, onSettle, onClose }: ClashDialogProps) {
  return (
    <Conflict
      fields={clashes.map(({ path, mine, theirs }) => ({
        ...{ name: path, label: labelOf(path) },
        ...{ mine: inWords(path, mine), theirs: inWords(path, theirs) },
      }))}
      run={onSettle}
      onClose={onClose}
    />
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
