import { parentPort, workerData } from 'node:worker_threads';
import { type OpenApiSubject, openApiDocument } from '@servery/contract';

export interface OpenApiThreadData {
  readonly subject: OpenApiSubject;
  readonly brand: string;
  readonly baseUrl: string;
}

const { subject, ...options } = workerData as OpenApiThreadData;
parentPort?.postMessage(JSON.stringify(openApiDocument(subject, options)));
