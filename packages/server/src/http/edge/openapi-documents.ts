import { openApiFiles } from '@servery/contract';
import { ApiError } from '../errors.ts';
import { ReadyBody } from '../fast/ready-body.ts';
import type { HandlersOf } from '../operation.ts';
import { makeInThread } from './openapi-rendering.ts';
import type { OpenApiThreadData } from './openapi-thread.ts';

const ALWAYS = { moment: 0, buckets: [] };
const HEADERS = { 'cache-control': 'public, max-age=300' };

export function openApiHandlers(brand: string): HandlersOf<'docs.openapi'> {
  const bodies = new Map<string, Promise<ReadyBody>>();
  return {
    'docs.openapi': async ({ params: { file }, baseUrl }) => {
      const subject = Object.hasOwn(openApiFiles, file) ? openApiFiles[file] : undefined;
      if (!subject) {
        const files = Object.keys(openApiFiles).join(', ');
        throw new ApiError(
          'notFound',
          `There is no document "${file}". The documents are ${files}.`,
        );
      }
      const making = bodies.get(file) ?? make({ kind: 'document', subject, brand, baseUrl });
      bodies.set(file, making);
      try {
        return { ready: { key: file, value: await making, stamp: ALWAYS, renew: null } };
      } catch (error) {
        bodies.delete(file);
        throw error;
      }
    },
  };
}

async function make(document: OpenApiThreadData): Promise<ReadyBody> {
  return new ReadyBody(await makeInThread(document), HEADERS);
}
