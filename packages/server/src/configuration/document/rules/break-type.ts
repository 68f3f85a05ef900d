import type { BreakType } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';

/** Nobody can notice a missed break without knowing when it is due. */
export function checkBreakType(breakType: BreakType, place: Place): void {
  for (const field of ['breakIntervalHrs', 'breakIntervalMins'] as const) {
    if (breakType.trackMissedBreaks && breakType[field] === null) {
      place.fault('is missing; it is needed when trackMissedBreaks is true', field);
    }
  }
  if (breakType.breakIntervalMins !== null && breakType.breakIntervalMins > 59) {
    place.fault('must be at most 59; whole hours belong to breakIntervalHrs', 'breakIntervalMins');
  }
}
