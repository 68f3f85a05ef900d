import { bytesOf, latin1BytesOf } from './bytes.ts';

/** What a body may have been when it was signed. */
export interface Original {
  readonly bytes: Uint8Array;
  /** What must have happened to it since, as a sentence. */
  readonly change: string;
  /** Whether this is the body itself, written as the platform writes bodies. */
  readonly isCompact: boolean;
}

/** The fields of a body in the order in which they are sent. */
export const bodyFields = ['timestamp', 'eventCategory', 'eventType', 'guid', 'details'] as const;

/** The fields of `details` in the order in which they are sent. */
export const detailFields = [
  'restaurantGuid',
  'managementGroupGuid',
  'restaurantName',
  'locationName',
  'externalGroupRef',
  'externalRestaurantRef',
  'modifiedDate',
  'createdDate',
  'isoModifiedDate',
  'isoCreatedDate',
  'createdByFirstName',
  'createdByLastName',
  'createdByEmailAddress',
  'createdByPhoneNumber',
  'restaurantPhoneNumber',
  'restaurantAddressLine1',
  'restaurantAddressLine2',
  'restaurantCity',
  'restaurantState',
  'restaurantZipCode',
  'restaurantLatitude',
  'restaurantLongitude',
  'restaurantCountryCode',
  'restaurantTimezone',
] as const;

type Fields = { readonly [name: string]: unknown };

/** The bodies that a text may have been before a framework or language serialized it again. */
export function originalsOf(text: string): Original[] {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const originals: Original[] = [
    original(bytesOf(trimmed), 'Spaces, line breaks, or a byte order mark were added.'),
    original(latin1BytesOf(text), 'The body was read in another encoding instead of UTF-8.'),
  ];
  const value = objectOf(trimmed);
  if (!value) return originals;
  const compact = 'The body was parsed and serialized again.';
  originals.push({ ...original(bytesOf(JSON.stringify(value)), compact), isCompact: true });
  const ordered = inOrder(value, bodyFields);
  const { details } = value;
  const whole = isObject(details) ? { ...ordered, details: inOrder(details, detailFields) } : null;
  const moved = 'The body was parsed and serialized again with its fields in another order.';
  originals.push(original(bytesOf(JSON.stringify(ordered)), moved));
  if (whole) originals.push(original(bytesOf(JSON.stringify(whole)), moved));
  const filled = isObject(details) && withNulls(details);
  if (filled) {
    const dropped = 'The body was parsed and serialized again without its null fields.';
    originals.push(original(bytesOf(JSON.stringify({ ...whole, details: filled })), dropped));
  }
  return originals;
}

function original(bytes: Uint8Array, change: string): Original {
  return { bytes, change, isCompact: false };
}

function objectOf(text: string): Fields | null {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The known fields in their order, then the others as they stand. */
function inOrder(value: Fields, names: readonly string[]): Fields {
  const known = names.filter((name) => name in value).map((name) => [name, value[name]]);
  return { ...Object.fromEntries(known), ...value };
}

function withNulls(details: Fields): Fields {
  const nulls = Object.fromEntries(detailFields.map((name) => [name, null]));
  return inOrder({ ...nulls, ...details }, detailFields);
}
