import { riskDenialText } from '../life/denials.ts';

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

export interface RiskFacts {
  readonly guestIdentifier: string;
}

export interface RiskRefusal {
  /** `denialReason`: neutral, so it doesn't reveal the rule. */
  readonly guestText: string;
  readonly rule: string;
  readonly velocityLimit: VelocityDimension | null;
}

/** A guest identifier of `0` means no guest and is denied (PAY-10). */
export function assessRisk(facts: RiskFacts): RiskRefusal | null {
  return facts.guestIdentifier === '0' ? refusedBy('guestIdentifier is 0') : null;
}

export function refusedBy(rule: string): RiskRefusal {
  return { guestText: riskDenialText, rule, velocityLimit: null };
}
