import { riskDenialText } from '../life/denials.ts';

/**
 * What payments are counted by, narrow before wide. Whoever is refused by a narrow limit does not
 * use up a wide one: an address that tries out cards cannot close a restaurant for its guests.
 */
export const velocityDimensions = [
  'card',
  'guest',
  'address',
  'bin',
  'restaurant',
  'client',
] as const;

/** One of the things that payments are counted by. */
export type VelocityDimension = (typeof velocityDimensions)[number];

/** What the risk rules look at. */
export interface RiskFacts {
  readonly guestIdentifier: string;
}

/** A refusal by our own rules, before the processor hears of the payment. */
export interface RiskRefusal {
  /** `denialReason`: neutral, it does not say which rule it was. */
  readonly guestText: string;
  /** The rule, for operators. */
  readonly rule: string;
  /** What the limit counts by, when a velocity limit refuses; otherwise null. */
  readonly velocityLimit: VelocityDimension | null;
}

/**
 * Decides whether a valid payment is refused without asking anybody; null lets it through.
 * A guest identifier of `0` stands for no guest at all and is denied (PAY-10).
 */
export function assessRisk(facts: RiskFacts): RiskRefusal | null {
  return facts.guestIdentifier === '0' ? refusedBy('guestIdentifier is 0') : null;
}

/** The refusal by a rule, which is named to operators only. */
export function refusedBy(rule: string): RiskRefusal {
  return { guestText: riskDenialText, rule, velocityLimit: null };
}
