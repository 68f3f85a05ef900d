import type { SchemaName } from '../schemas.ts';

/** Where the back office interface begins. */
export const prefix = '/backoffice/v1';

/** A JSON body that an operation cannot do without. Most are forms that a person fills in. */
export const json = <const Name extends SchemaName>(schema: Name, maxBytes = 65_536) =>
  ({ schema, array: false, contentTypes: ['application/json'], required: true, maxBytes }) as const;

/** An answer of one resource. */
export const single = <const Name extends SchemaName>(schema: Name) =>
  ({ schema, array: false }) as const;
