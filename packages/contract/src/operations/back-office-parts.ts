import type { SchemaName } from '../schemas.ts';

export const prefix = '/backoffice/v1';

export const json = <const Name extends SchemaName>(schema: Name, maxBytes = 65_536) =>
  ({ schema, array: false, contentTypes: ['application/json'], required: true, maxBytes }) as const;

export const single = <const Name extends SchemaName>(schema: Name) =>
  ({ schema, array: false }) as const;
