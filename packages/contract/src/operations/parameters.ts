import type { TSchema } from 'typebox';
import type { JsonSchema } from '../json-schema.ts';
import {
  backOfficePageSizeAtMost,
  backOfficePageSizeByDefault,
} from '../schemas/back-office-terms.ts';
import { instant, limits, text, uuid, whole } from '../schemas/field.ts';
import { isOptional, Type } from '../schemas/type.ts';

export type Fields = Readonly<Record<string, TSchema>>;

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example: string | number | boolean;
}

export function parametersOf(fields: Fields): Parameter[] {
  return Object.entries(fields).map(([name, field]) => {
    const { description, example, ...keywords } = field as unknown as Omit<Parameter, 'schema'>;
    const published = Object.entries(keywords).filter(([keyword]) => !keyword.startsWith('~'));
    const schema = Object.fromEntries(published);
    return { name, description, required: !isOptional(field), schema, example };
  });
}

export const guid = (description: string) =>
  uuid(description, { example: '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35' });

export const clientIdOf = (description: string) =>
  text(description, {
    pattern: '^[A-Za-z0-9._~-]{1,128}$',
    example: '5f0c1a2e-7b34-4d8a-9c61-000000000070',
  });

export const lastModifiedAfter = (description: string) =>
  Type.Optional(text(description, { ...limits.instant, example: '2026-01-31T18:30:00.000+0000' }));

export const instantParameter = (description: string) =>
  Type.Optional(
    instant(`${description} An ISO 8601 instant with Z or an offset, URL-encoded.`, {
      example: '2026-01-31T18:30:00.000Z',
    }),
  );

export const pageTokenParameter = (description: string) =>
  // Far more than any of ours needs.
  Type.Optional(
    text(description, { maxLength: 2_048, example: 'AbCdEf012345', '~emptyIsAbsent': true }),
  );

const pageSizeKeywords = { minimum: 1, maximum: backOfficePageSizeAtMost, example: 100 };

export const pageSize = (description: string) => whole(description, pageSizeKeywords);

/** No default page size: a page token has the size of its list. */
export const pageParameters = (what: string) => ({
  pageSize: Type.Optional(
    whole(`${what} per page.`, { ...pageSizeKeywords, default: backOfficePageSizeByDefault }),
  ),
  pageToken: pageTokenParameter(
    'nextPageToken of the previous page. Leave it out for the first page.',
  ),
});
