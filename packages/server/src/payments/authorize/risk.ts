import type { ExplainedLimit, velocityDimensions } from '@servery/contract';
import type { Guest } from './authorization-request.ts';

export type VelocityDimension = (typeof velocityDimensions)[number];

export interface RiskRefusal {
  readonly rule: string;
  readonly limit: ExplainedLimit | null;
}

/** A guest identifier of `0` means no guest and is denied (PAY-10). */
export function assessRisk({ guestIdentifier }: Guest): RiskRefusal | null {
  return guestIdentifier === '0' ? { rule: 'guestIdentifier is 0', limit: null } : null;
}
