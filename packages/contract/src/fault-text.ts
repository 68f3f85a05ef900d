import type { InjectedFault } from './schemas/back-office-faults.ts';
import { type FaultKindDescription, faultKinds } from './schemas/back-office-terms.ts';

/** As in the header that injects a fault: `lostAnswer`, or `latency=PT2S`. */
export function faultText(fault: InjectedFault): string {
  const { parameter }: FaultKindDescription = faultKinds[fault.kind];
  const value = parameter ? fault[parameter] : null;
  return value === null ? fault.kind : `${fault.kind}=${value}`;
}
