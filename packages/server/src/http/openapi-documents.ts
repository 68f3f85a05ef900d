import { openApiDocument, openApiFiles } from '@servery/contract';
import { ApiError } from './errors.ts';
import type { OperationHandlers } from './operation.ts';
import { ReadyBody } from './ready-body.ts';

/** What the documents depend on is the same as long as the process lives. */
const ALWAYS = { moment: 0, buckets: [] };

/**
 * `GET /openapi/{file}`: the OpenAPI document of an interface as this platform serves it. Each is
 * made when it is asked for first, and kept with its compressed forms.
 */
export function openApiHandlers(brand: string): Pick<OperationHandlers, 'docs.openapi'> {
  const bodies = new Map<string, ReadyBody>();
  return {
    'docs.openapi': async ({ params: { file = '' }, baseUrl }) => {
      const subject = Object.hasOwn(openApiFiles, file) ? openApiFiles[file] : undefined;
      if (!subject) {
        const files = Object.keys(openApiFiles).join(', ');
        throw new ApiError('notFound', `There is no document "${file}": there are ${files}.`);
      }
      const body = bodies.get(file) ?? new ReadyBody(bytesOf(subject, brand, baseUrl), HEADERS);
      bodies.set(file, body);
      return { ready: { key: file, value: body, stamp: ALWAYS, renew: null } };
    },
  };
}

const HEADERS = { 'cache-control': 'public, max-age=300' };

function bytesOf(
  subject: Parameters<typeof openApiDocument>[0],
  brand: string,
  baseUrl: string,
): Buffer {
  return Buffer.from(JSON.stringify(openApiDocument(subject, { brand, baseUrl })));
}
