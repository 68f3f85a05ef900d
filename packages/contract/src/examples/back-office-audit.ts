import { type Examples, exampleGuid, serials } from './example.ts';

export const auditExamples: Examples<'AuditEntryPage' | 'AuditVerdict'> = {
  AuditEntryPage: {
    results: [
      {
        guid: exampleGuid(95),
        at: '2026-02-01T09:05:00.000Z',
        realAt: '2026-02-01T09:05:00.000Z',
        actor: `person:${exampleGuid(60)}`,
        requestId: exampleGuid(90),
        operation: 'backOffice.alarms.acknowledge',
        subjectKind: 'alarm',
        subjectId: exampleGuid(52),
        managementGroupGuid: exampleGuid(serials.managementGroup),
        restaurantGuid: exampleGuid(serials.restaurant),
        partnerGuid: null,
        before: { acknowledgedAt: null, note: null },
        after: { acknowledgedAt: '2026-02-01T09:05:00.000Z', note: 'The processor confirmed it.' },
        position: 4711,
      },
    ],
    nextPageToken: null,
  },
  AuditVerdict: {
    isIntact: true,
    position: 4711,
    hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    firstBreak: null,
    verifiedAt: '2026-02-01T09:06:00.000Z',
  },
};
