import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type CrashDefect, crashDefects } from './defects.ts';

/** What a crash run is asked to do. */
export interface CrashOptions {
  /** How long to kill, in minutes. */
  readonly minutes: number;
  /** After how many kills to end even before; null for no limit. */
  readonly kills: number | null;
  readonly seed: number;
  /** What is broken on purpose; null for nothing. */
  readonly defect: CrashDefect | null;
}

const DEFAULT_MINUTES = '2';
const SEEDS = 2 ** 32;

/** Reads the command line; throws an Error that says what is wrong with it. */
export function readOptions(args: readonly string[]): CrashOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: DEFAULT_MINUTES },
      kills: { type: 'string' },
      seed: { type: 'string' },
      defect: { type: 'string' },
    },
  });
  const defect = crashDefects.find(({ name }) => name === values.defect) ?? null;
  if (values.defect !== undefined && !defect) {
    const names = crashDefects.map(({ name }) => name).join(', ');
    throw new Error(`--defect is one of ${names}`);
  }
  return {
    minutes: number('minutes', values.minutes),
    kills: values.kills === undefined ? null : number('kills', values.kills),
    seed: values.seed === undefined ? randomInt(SEEDS) : number('seed', values.seed),
    defect,
  };
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`--${name} takes a number, not "${text}"`);
}
