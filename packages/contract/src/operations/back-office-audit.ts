import { subjectKinds } from '../schemas/back-office-terms.ts';
import {
  instantParameter,
  lineSchema,
  pageParameters,
  parameter,
  prefix,
  single,
} from './back-office-parts.ts';
import { type Operation, operation } from './operation.ts';

const audit = {
  interface: 'backOffice',
  tag: 'Audit',
  method: 'GET',
  scope: 'audit:read',
} as const;

const uuid = { type: 'string', format: 'uuid' };
const text = lineSchema;

/** The record of every change, which is only ever added to. */
export const auditOperations: readonly Operation[] = [
  operation({
    ...audit,
    id: 'backOffice.audit.list',
    path: `${prefix}/audit`,
    summary: 'List changes',
    description:
      'Answers what was changed at places that you reach, by pages, the newest first: who, what, ' +
      'before and after, by which request.',
    queryParameters: [
      parameter(
        'actor',
        'Only changes by this client, person or part of the platform.',
        text,
        'person:5f0c1a2e-7b34-4d8a-9c61-000000000060',
      ),
      parameter(
        'operation',
        'Only changes by this operation.',
        text,
        'backOffice.alarms.acknowledge',
      ),
      parameter(
        'subjectKind',
        'Only changes of this kind of thing.',
        { type: 'string', enum: subjectKinds },
        'alarm',
      ),
      parameter(
        'subjectId',
        'Only changes of the thing with this identifier.',
        text,
        '5f0c1a2e-7b34-4d8a-9c61-000000000052',
      ),
      parameter(
        'restaurantGuid',
        'Only changes at this restaurant.',
        uuid,
        '5f0c1a2e-7b34-4d8a-9c61-000000000001',
      ),
      parameter(
        'requestId',
        'Only changes that this request made.',
        uuid,
        '5f0c1a2e-7b34-4d8a-9c61-000000000090',
      ),
      instantParameter('from', "Only changes at this time of the environment's clock or later."),
      instantParameter('to', "Only changes before this time of the environment's clock."),
      ...pageParameters('Changes'),
    ],
    response: single('AuditEntryPage'),
  }),
  operation({
    ...audit,
    id: 'backOffice.audit.export',
    heldFor: 'platform',
    path: `${prefix}/audit/export`,
    summary: 'Export the record of changes',
    description:
      'Answers the whole chain as NDJSON: a line for each sealed entry in the order of the ' +
      'chain, with its position and hashes, and a last line that tells where the chain ends. ' +
      '`servery audit verify` checks such a file without the platform. For accounts of the ' +
      'platform.',
    queryParameters: [
      parameter(
        'after',
        'Only what was sealed behind this position, to go on from an earlier export.',
        { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        0,
      ),
    ],
    response: null,
    mediaType: 'application/x-ndjson',
    revalidated: false,
  }),
  operation({
    ...audit,
    id: 'backOffice.audit.verify',
    heldFor: 'platform',
    path: `${prefix}/audit/verify`,
    summary: 'Verify the record of changes',
    description:
      'Walks the whole chain, computes every hash anew and answers whether it is intact, and if ' +
      'not, where it breaks first and how. For accounts of the platform.',
    response: single('AuditVerdict'),
    revalidated: false,
  }),
];
