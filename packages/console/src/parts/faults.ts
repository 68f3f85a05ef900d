import { Refused } from '@servery/client';

export type Faults = Readonly<Record<string, string>>;

/**
 * What the platform says of each field, by its name, without the name: forms show it there. A fault
 * inside of a list or an object belongs to the field that has it. Empty if no field is named.
 */
export function faultsOf(error: unknown): Faults {
  if (!(error instanceof Refused)) return {};
  const faults: Record<string, string> = {};
  for (const { message } of error.faults) {
    const [, name = '', text = ''] = /^([A-Za-z]+)[^:\s]*: (.+)$/s.exec(message) ?? [];
    if (name !== '') faults[name] = `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}.`;
  }
  return faults;
}
