import { backOfficePageSizeAtMost } from '../schemas/back-office-terms.ts';
import { limits } from '../schemas/field.ts';
import type { SchemaName } from '../schemas.ts';
import { type Parameter, pageTokenParameter, type RequestBody } from './operation.ts';

/** Where the back office interface begins. */
export const prefix = '/backoffice/v1';

/** A JSON body that an operation cannot do without. Most are forms that a person fills in. */
export const json = (schema: SchemaName, maxBytes = 65_536): RequestBody => ({
  schema,
  array: false,
  contentTypes: ['application/json'],
  required: true,
  maxBytes,
});

/** An answer of one resource. */
export const single = (schema: SchemaName) => ({ schema, array: false });

/** A query parameter that may be left out. */
export const parameter = (
  name: string,
  description: string,
  schema: Parameter['schema'],
  example: Parameter['example'],
): Parameter => ({ name, description, required: false, schema, example });

/** The schema of a parameter that holds a name or an identifier. */
export const lineSchema = { type: 'string', ...limits.line } as const;

/** A query parameter that holds an instant. */
export const instantParameter = (name: string, description: string): Parameter =>
  parameter(
    name,
    `${description} An ISO 8601 instant with Z or an offset, URL-encoded.`,
    { type: 'string', ...limits.instant },
    '2026-01-31T18:30:00.000Z',
  );

/** The query parameters of a list that is answered by pages. */
export const pageParameters = (what: string): Parameter[] => [
  parameter(
    'pageSize',
    `${what} per page.`,
    {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: backOfficePageSizeAtMost,
      default: 100,
    },
    100,
  ),
  pageTokenParameter('nextPageToken of the page before; the first page without it.'),
];
