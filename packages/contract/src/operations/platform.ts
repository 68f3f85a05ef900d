import { errorClasses } from '../errors.ts';
import { text, uuid, whole } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { operation } from './operation.ts';

const common = { interface: 'platform', method: 'GET' } as const;

const health = {
  ...common,
  tag: 'Health',
  security: 'none',
  rateLimited: false,
  response: { schema: 'HealthReport', array: false },
} as const;

export const platformOperations = [
  operation({
    ...common,
    id: 'platform.cardEncryptionKeys.list',
    path: '/platform/v1/cardEncryptionKeys',
    tag: 'Card encryption keys',
    summary: 'List card encryption keys',
    description:
      'Returns the active public keys of the client. Encrypt card data with any of them, and ' +
      'send its keyId with the authorization.',
    scope: 'credit_cards.authorization:write',
    response: { schema: 'CardEncryptionKey', array: true },
  }),
  operation({
    ...health,
    id: 'health.live',
    path: '/healthz',
    summary: 'Check that the process is running',
    description: 'Returns 200 as long as the process can respond at all.',
  }),
  operation({
    ...health,
    id: 'health.ready',
    path: '/readyz',
    summary: 'Check that the service is ready',
    description:
      'Returns 200 if the database responds and accepts writes. Otherwise, it returns 503 with ' +
      'the reason. It responds within two seconds.',
    also: [503],
  }),
  operation({
    ...common,
    id: 'docs.index',
    path: '/',
    tag: 'Documentation',
    summary: 'Show the start page',
    description:
      'An HTML page at the base address. It says what this is, and links to the reference, the ' +
      'console, and the OpenAPI documents.',
    security: 'none',
    response: null,
    mediaType: 'text/html',
  }),
  operation({
    ...common,
    id: 'docs.openapi',
    path: '/openapi/{file}',
    tag: 'Documentation',
    summary: 'Get an OpenAPI document',
    description:
      'The OpenAPI 3.1 document of one interface, or of all interfaces (servery.json), as ' +
      'this platform serves it: with its base address and token address, and with its ' +
      'brand in header names and constants. You can generate clients from it. The start ' +
      'page lists the documents.',
    security: 'none',
    params: {
      file: text('The name of the document.', { maxLength: 100, example: 'stock.json' }),
    },
    response: null,
    also: [404],
  }),
  operation({
    ...common,
    id: 'docs.reference',
    path: '/reference',
    tag: 'Documentation',
    summary: 'Show the reference',
    description: 'An HTML page that lists every operation of this platform.',
    security: 'none',
    response: null,
    mediaType: 'text/html',
  }),
  operation({
    ...common,
    id: 'docs.referencePage',
    path: '/reference/{page}',
    tag: 'Documentation',
    summary: 'Show a page of the reference',
    description:
      'An HTML page about the operations of one interface, or of one part of the back office, ' +
      'with their schemas, errors, scopes, limits, and examples. In a sandbox, you can call ' +
      'the operations from the page. The reference links to its pages.',
    security: 'none',
    params: {
      page: text('The name of the page.', { maxLength: 100, example: 'stock' }),
    },
    response: null,
    mediaType: 'text/html',
    also: [404],
  }),
  operation({
    ...common,
    id: 'docs.llms',
    path: '/llms.txt',
    tag: 'Documentation',
    summary: 'Describe the platform to language models',
    description:
      'A short text in the format of llms.txt, with links to the reference and to the OpenAPI ' +
      'documents.',
    security: 'none',
    response: null,
    mediaType: 'text/plain',
  }),
  operation({
    ...common,
    id: 'docs.error',
    path: '/errors/{code}',
    tag: 'Documentation',
    summary: 'Explain an error code',
    description:
      'The HTML page that the link of an ErrorMessage points to. In a sandbox, it also ' +
      'explains the request that got the error.',
    security: 'none',
    params: {
      code: whole('The code of an ErrorMessage.', {
        minimum: 10_000,
        maximum: 99_999,
        example: errorClasses.badRequest.code,
      }),
    },
    query: {
      request: Type.Optional(
        uuid('The request to explain. Ignored in production.', {
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000090',
        }),
      ),
    },
    response: null,
    mediaType: 'text/html',
    also: [404],
  }),
] as const;
