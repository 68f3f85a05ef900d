import type { VelocityDimension } from './risk.ts';

export interface VelocityLimit {
  readonly count: number;
  readonly durationMs: number;
  readonly text: string;
}

export type VelocityLimits = Readonly<Record<VelocityDimension, VelocityLimit | null>>;

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const LONGEST_MS = 30 * 86_400_000;

export function parseVelocityLimit(text: string): VelocityLimit | null {
  if (text === 'off') return null;
  const [, count = '', length = '', unit = ''] = /^(\d{1,7})\/(\d{1,7})([smhd])$/.exec(text) ?? [];
  const durationMs = Number(length) * (UNITS_MS[unit] ?? 0);
  const isInRange = Number(count) >= 1 && Number(count) <= 1_000_000 && durationMs >= 1;
  if (isInRange && durationMs <= LONGEST_MS) return { count: Number(count), durationMs, text };
  throw new Error(
    'must be "off" or a count from 1 to 1000000 and a time of at most 30 days, for example 20/10m ' +
      '(s, m, h, d)',
  );
}
