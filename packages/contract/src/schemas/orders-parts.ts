import type { Static, TOptional, TSchema } from 'typebox';
import { answer, line, optional, orNull, text, uuid, whole } from './field.ts';
import { Type } from './type.ts';

/** ORD-10. */
export const orderLimits = {
  checks: 50,
  selections: 1_000,
  modifiers: 200,
  modifierLevels: 10,
  payments: 50,
} as const;

export const entityType = <const Name extends string>(name: Name) =>
  Type.Literal(name, { description: `Always ${name}.` });

export const guestOrderStatuses = [
  'RECEIVED',
  'IN_PREPARATION',
  'READY_FOR_PICKUP',
  'CLOSED',
  'VOIDED',
] as const;

/** Written because clients know the field; the platform has nothing to say in it. */
export const nothing = Type.Unsafe<null>({ type: 'null', description: 'Always null.' });

const timeText = (description: string) =>
  text(description, {
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}\\+0000$',
  });

export const time = (description: string) =>
  timeText(`${description} UTC, for example 2026-01-31T18:30:00.000+0000.`);

export const noTime = timeText('Always 1970-01-01T00:00:00.000+0000.');

export const businessDate = (description: string) =>
  whole(`${description} An integer, yyyyMMdd.`, { minimum: 10_000_101, maximum: 99_991_231 });

export const device = Type.Object(
  { id: nothing },
  { description: 'Always {"id": null}.', additionalProperties: false },
);

const guid = orNull(uuid('Identifier that the platform assigns.'));
const kind = text('Kind of the object.');
const externalId = orNull(text('Identifier that an external system assigned, if any.'));

export const OrderReference = answer('A reference to an object.', {
  guid,
  entityType: kind,
  externalId,
});
export type OrderReference = Static<typeof OrderReference>;

export const OrderConfigReference = answer('A reference to an object of the menus.', {
  guid,
  entityType: kind,
  externalId,
  multiLocationId: orNull(text('Shared by all versions of the object at several locations.')),
});
export type OrderConfigReference = Static<typeof OrderConfigReference>;

/** For texts whose card numbers the orders' rules refuse in their own words (ORD-23). */
export const personText = (description: string, maxLength = 255) =>
  line(description, { maxLength, '~reads': 'asSent' });

/** Null counts as absent, and may be sent, because answers have it. */
export const orAbsent = <Schema extends TSchema>(schema: Schema, description?: string) =>
  optional(orNull(schema, description)) as unknown as TOptional<Schema>;
