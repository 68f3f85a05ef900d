import { subjectKinds } from '../schemas/back-office-terms.ts';
import { choice, epoch, line, uuid } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { instantParameter, pageParameters } from './parameters.ts';

const audit = {
  interface: 'backOffice',
  tag: 'Audit',
  method: 'GET',
  scope: 'audit:read',
} as const;

export const auditOperations = [
  operation({
    ...audit,
    id: 'backOffice.audit.list',
    path: `${prefix}/audit`,
    summary: 'List the audit log',
    description:
      'Returns pages of the changes that you have access to, newest first. Each entry shows who ' +
      'changed what, the values before and after, and the request.',
    query: {
      actor: Type.Optional(
        line('Only changes by this client, person, or part of the platform.', {
          example: 'person:5f0c1a2e-7b34-4d8a-9c61-000000000060',
        }),
      ),
      operation: Type.Optional(
        line('Only changes by this operation.', { example: 'backOffice.alarms.acknowledge' }),
      ),
      subjectKind: Type.Optional(
        choice('Only changes to this kind of object.', subjectKinds, { example: 'alarm' }),
      ),
      subjectId: Type.Optional(
        line('Only changes to the object with this identifier.', {
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000052',
        }),
      ),
      restaurantGuid: Type.Optional(
        uuid('Only changes at this restaurant.', {
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000001',
        }),
      ),
      requestId: Type.Optional(
        uuid('Only changes that this request made.', {
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000090',
        }),
      ),
      from: instantParameter("Only changes at this time of the environment's clock or later."),
      to: instantParameter("Only changes before this time of the environment's clock."),
      ...pageParameters('Changes'),
    },
    response: single('AuditEntryPage'),
  }),
  operation({
    ...audit,
    id: 'backOffice.audit.export',
    heldFor: 'platform',
    path: `${prefix}/audit/export`,
    summary: 'Export the audit log',
    description:
      'Returns the whole chain as NDJSON: one line for each sealed entry in the order of the ' +
      'chain, with its position and hashes, and a last line that says where the chain ends. ' +
      '`servery audit verify` checks such a file without the platform. Requires the scope for ' +
      'the whole platform.',
    query: {
      after: Type.Optional(
        epoch('Only entries sealed after this position, to continue an earlier export.', {
          example: 0,
        }),
      ),
    },
    response: null,
    mediaType: 'application/x-ndjson',
    revalidated: false,
  }),
  operation({
    ...audit,
    id: 'backOffice.audit.verify',
    heldFor: 'platform',
    path: `${prefix}/audit/verify`,
    summary: 'Verify the audit log',
    description:
      'Recomputes every hash of the chain and reports whether the chain is intact. If it is ' +
      'not, the response says where it breaks first and how. Requires the scope for the whole ' +
      'platform.',
    response: single('AuditVerdict'),
    revalidated: false,
  }),
] as const;
