import { Refused } from '@servery/client/back-office';

/** What the platform says of single fields, by their place, for example `general.name`. */
export type FieldFaults = ReadonlyMap<string, string>;

export const noFaults: FieldFaults = new Map();

const PLACE = /^(\S+): (.+)$/s;

/** Of an error that is no refusal of fields: none. */
export function fieldFaults(error: unknown): FieldFaults {
  if (!(error instanceof Refused)) return noFaults;
  const found = error.faults.flatMap(({ message }) => {
    const [, place, text] = PLACE.exec(message) ?? [];
    return place !== undefined && text !== undefined ? [[place, sentence(text)] as const] : [];
  });
  // Several faults of one field are told one after the other.
  const byPlace = new Map<string, string>();
  for (const [place, text] of found) {
    const before = byPlace.get(place);
    byPlace.set(place, before === undefined ? text : `${before} ${text}`);
  }
  return byPlace;
}

export type Faults = Readonly<Record<string, string>>;

/** By the field that a form has: a fault inside of a list or an object belongs to it. */
export function faultsOf(error: unknown): Faults {
  const names = [...fieldFaults(error)].map(
    ([place, text]) => [/^[A-Za-z]+/.exec(place)?.[0] ?? place, text] as const,
  );
  return Object.fromEntries(names);
}

/** A fault continues the sentence that its place begins: here it stands alone. */
function sentence(text: string): string {
  const whole = text.endsWith('.') ? text : `${text}.`;
  return whole.slice(0, 1).toLocaleUpperCase() + whole.slice(1);
}
