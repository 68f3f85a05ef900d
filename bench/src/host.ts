import { readFile } from 'node:fs/promises';

/** Processor time of the whole machine, in ticks: both only grow. */
export interface HostTime {
  readonly all: number;
  /** What a host gave to others while this machine had something to do. */
  readonly stolen: number;
}

/** Which column of `/proc/stat` is the stolen time; those of guests are counted in others. */
const STOLEN_COLUMN = 7;
const COLUMNS = 8;

/** Reads them from Linux; null where nobody tells. */
export async function readHostTime(): Promise<HostTime | null> {
  const text = await readFile('/proc/stat', 'utf8').catch(() => null);
  return text === null ? null : hostTimeOf(text);
}

/** What the first line of `/proc/stat` says; null when it is none. */
export function hostTimeOf(text: string): HostTime | null {
  const [name, ...ticks] = text.split('\n', 1)[0]?.split(/\s+/) ?? [];
  const counted = ticks.slice(0, COLUMNS).map(Number);
  if (name !== 'cpu' || counted.length < COLUMNS || counted.some(Number.isNaN)) return null;
  const all = counted.reduce((sum, each) => sum + each, 0);
  return { all, stolen: counted[STOLEN_COLUMN] ?? 0 };
}

/** The share (0 to 1) of the machine's time between two readings that its host took away. */
export function stolenShare(before: HostTime | null, after: HostTime | null): number {
  if (!before || !after || after.all <= before.all) return 0;
  return (after.stolen - before.stolen) / (after.all - before.all);
}
