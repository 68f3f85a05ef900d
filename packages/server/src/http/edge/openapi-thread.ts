import { parentPort } from 'node:worker_threads';
import { type OpenApiSubject, openApiDocument } from '@servery/contract';
import { type PageOptions, referenceHtml } from '../reference/page.ts';

export type OpenApiThreadData =
  | {
      readonly kind: 'document';
      readonly subject: OpenApiSubject;
      readonly brand: string;
      readonly baseUrl: string;
    }
  | ({ readonly kind: 'reference' } & PageOptions);

parentPort?.on('message', (asked: OpenApiThreadData) => {
  parentPort?.postMessage(
    asked.kind === 'reference'
      ? referenceHtml(asked)
      : JSON.stringify(openApiDocument(asked.subject, asked)),
  );
});
