import type { alarmKinds } from '@servery/contract';

export type AlarmKind = (typeof alarmKinds)[number];

export const alarmTexts: Readonly<Record<AlarmKind, string>> = {
  FOUND_CAPTURED: 'A void found the money captured. A payment must never be both (PAY-I4).',
  VOID_DECLINED: "The processor refused a void: the guest's money stays on hold.",
  REVERSAL_DECLINED: 'The processor refused to reverse an attempt with an unknown outcome.',
  CAPTURE_DECLINED: "The processor refused to capture a fulfilled order's payment.",
  CAPTURE_MISMATCH: 'The processor captured another amount. Check how much.',
  CAPTURE_MISSED: 'A fulfilled order was not captured in seven days. Its hold is voided, unpaid.',
  HOLD_MISSING: 'The processor does not know a hold that it approved.',
  STRAY_HOLD: 'A late approval holds extra money and could not be reversed.',
  UNSETTLED: 'A payment has been waiting for the processor for minutes. Calls are still retried.',
};
