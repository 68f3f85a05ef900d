import { sheetFields } from './sheet.ts';

/** The files of a restaurant are few: the last ones are enough. */
const KEPT_AT_MOST = 20;

type Kept = Readonly<Record<string, readonly string[]>>;

/** What a person chose for a file with these columns, in this browser; null if never. */
export function keptMapping(
  restaurantGuid: string,
  headings: readonly string[],
): readonly string[] | null {
  const mapping = readKept(restaurantGuid)[keyOf(headings)];
  const known: readonly string[] = sheetFields;
  return mapping?.map((field) => (known.includes(field) ? field : '')) ?? null;
}

export function keepMapping(
  restaurantGuid: string,
  headings: readonly string[],
  mapping: readonly string[],
): void {
  const key = keyOf(headings);
  const { [key]: _before, ...others } = readKept(restaurantGuid);
  const kept = [...Object.entries(others), [key, mapping]].slice(-KEPT_AT_MOST);
  localStorage.setItem(placeOf(restaurantGuid), JSON.stringify(Object.fromEntries(kept)));
}

const keyOf = (headings: readonly string[]) => headings.join('\n');

const placeOf = (restaurantGuid: string) => `console-columns-${restaurantGuid}`;

function readKept(restaurantGuid: string): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(placeOf(restaurantGuid)) ?? '');
    return Object.fromEntries(
      Object.entries(kept ?? {}).filter(
        ([, fields]) => Array.isArray(fields) && fields.every((field) => typeof field === 'string'),
      ),
    );
  } catch {
    // None is kept yet, or what is kept is damaged.
    return {};
  }
}
