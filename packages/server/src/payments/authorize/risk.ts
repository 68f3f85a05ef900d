import type { Guest } from './authorization-request.ts';

/** Narrow to wide: an address that tries out cards must not use up a restaurant's limit. */
export const velocityDimensions = [
  'card',
  'guest',
  'address',
  'bin',
  'restaurant',
  'client',
] as const;

export type VelocityDimension = (typeof velocityDimensions)[number];

export interface RiskRefusal {
  readonly rule: string;
  readonly velocityLimit: VelocityDimension | null;
}

/** A guest identifier of `0` means no guest and is denied (PAY-10). */
export function assessRisk({ guestIdentifier }: Guest): RiskRefusal | null {
  return guestIdentifier === '0' ? { rule: 'guestIdentifier is 0', velocityLimit: null } : null;
}
