import type { alarmKinds } from '@servery/contract';

/** The kind of an alarm. */
export type AlarmKind = (typeof alarmKinds)[number];

/** What a person has to decide or look into, and why, in words for operators. */
export const alarmTexts: Readonly<Record<AlarmKind, string>> = {
  FOUND_CAPTURED: 'A void met a capture: captured and voided exclude each other (PAY-I4).',
  VOID_DECLINED: 'The processor refused to void a hold: the guest’s money stays held.',
  REVERSAL_DECLINED: 'The processor refused to give up a hold whose outcome was unknown.',
  CAPTURE_DECLINED: 'The processor refused to capture a fulfilled order’s payment.',
  CAPTURE_MISMATCH: 'The processor took another amount than it was asked for: look what was taken.',
  CAPTURE_MISSED:
    'A fulfilled order was not captured in seven days: its hold is given back, unpaid.',
  HOLD_MISSING: 'The processor does not know a hold that it had approved.',
  STRAY_HOLD: 'A late approval holds money beside the payment and could not be given up.',
  UNSETTLED: 'The processor has not settled a payment for minutes; it is asked again and again.',
};
