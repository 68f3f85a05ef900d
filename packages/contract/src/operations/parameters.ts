import type { TSchema } from 'typebox';
import type { JsonSchema } from '../json-schema.ts';
import {
  backOfficePageSizeAtMost,
  backOfficePageSizeByDefault,
} from '../schemas/back-office-terms.ts';
import { instant, limits, text, uuid, whole } from '../schemas/field.ts';
import { isOptional, Type } from '../schemas/type.ts';

/** The schemas of path or query parameters, or of the fields of an object, by their names. */
export type Fields = Readonly<Record<string, TSchema>>;

/** A path or query parameter as OpenAPI describes one. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example: string | number | boolean;
}

/** Gives the parameters that schemas describe; a schema has the example of its parameter too. */
export function parametersOf(fields: Fields): Parameter[] {
  return Object.entries(fields).map(([name, field]) => {
    const { description, example, ...keywords } = field as unknown as Omit<Parameter, 'schema'>;
    const published = Object.entries(keywords).filter(([keyword]) => !keyword.startsWith('~'));
    const schema = Object.fromEntries(published);
    return { name, description, required: !isOptional(field), schema, example };
  });
}

/** A path parameter that holds a GUID. */
export const guid = (description: string) =>
  uuid(description, { example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35' });

/** A path parameter that holds the id of an API account. */
export const clientIdOf = (description: string) =>
  text(description, {
    pattern: '^[A-Za-z0-9._~-]{1,128}$',
    example: '5f0c1a2e-7b34-4d8a-9c61-000000000070',
  });

/** The query parameter that limits a partner's list to what changed after an instant (API-8). */
export const lastModifiedAfter = (description: string) =>
  Type.Optional(text(description, { ...limits.instant, example: '2026-01-31T18:30:00.000+0000' }));

/** A query parameter that holds an instant. */
export const instantParameter = (description: string) =>
  Type.Optional(
    instant(`${description} An ISO 8601 instant with Z or an offset, URL-encoded.`, {
      example: '2026-01-31T18:30:00.000Z',
    }),
  );

/** The query parameter that asks for a further page. */
export const pageTokenParameter = (description: string) =>
  // Far more than any of ours needs.
  Type.Optional(
    text(description, { maxLength: 2_048, example: 'AbCdEf012345', '~emptyIsAbsent': true }),
  );

const pageSizeKeywords = { minimum: 1, maximum: backOfficePageSizeAtMost, example: 100 };

/** The query parameter that says how much a page holds. */
export const pageSize = (description: string) => whole(description, pageSizeKeywords);

/**
 * The query parameters of a list that is answered by pages. The page size is not filled in: a page
 * token has the one of its list.
 */
export const pageParameters = (what: string) => ({
  pageSize: Type.Optional(
    whole(`${what} per page.`, { ...pageSizeKeywords, default: backOfficePageSizeByDefault }),
  ),
  pageToken: pageTokenParameter(
    'nextPageToken of the previous page. Leave it out for the first page.',
  ),
});
