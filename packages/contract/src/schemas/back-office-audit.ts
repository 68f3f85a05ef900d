import type { Static } from 'typebox';
import { auditBreakKinds, subjectKinds } from './back-office-terms.ts';
import { answer, choice, dateTime, epoch, flag, orNull, text, uuid } from './field.ts';
import { pageOf } from './page.ts';
import { Type } from './type.ts';

const state = (description: string) =>
  orNull(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), description);
const hash = (description: string) => text(description, { pattern: '^[0-9a-f]{64}$' });

export const AuditEntry = answer('One change to one object.', {
  guid: uuid('Identifier of the entry.'),
  at: dateTime('When the change happened, by the clock of the environment.'),
  realAt: dateTime('When the change happened, in real time.'),
  actor: text('Who made the change: a client, `person:` and a GUID, or `system:` and a name.'),
  requestId: orNull(uuid('The request that made the change; null if there was none.')),
  operation: text('The operation or the command that made the change.'),
  subjectKind: choice('The kind of the changed object.', subjectKinds),
  subjectId: text('The identifier of the changed object.'),
  managementGroupGuid: orNull(uuid('The management group that the object belongs to.')),
  restaurantGuid: orNull(uuid('The restaurant that the object belongs to.')),
  partnerGuid: orNull(uuid('The partner that the object belongs to.')),
  before: state('The object before the change; null if it did not exist.'),
  after: state('The object after the change; null if it no longer exists.'),
  position: orNull(
    epoch(
      'The position of the entry in the chain; null until it is sealed, which takes ' + 'seconds.',
    ),
  ),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditEntryPage = answer(
  'One page of changes.',
  pageOf(AuditEntry, 'The changes, newest first.'),
);
export type AuditEntryPage = Static<typeof AuditEntryPage>;

export const AuditBreak = answer('Where the chain breaks first, and how.', {
  kind: choice(
    'CHANGED: an entry is not as it was sealed. REMOVED: an entry or link is missing. ' +
      'INSERTED: an entry was added that the platform did not write. REORDERED: an entry ' +
      'is sealed at another position. FORKED: a link does not follow the link before it. ' +
      'UNSEALED: an entry is not in the chain, though it is old enough.',
    auditBreakKinds,
  ),
  position: epoch('The position in the chain; 0 for an entry that is not in it.'),
  entryGuid: orNull(uuid('The entry; null if it is missing.')),
  explanation: text('What is wrong there, and what to check.'),
});
export type AuditBreak = Static<typeof AuditBreak>;

export const AuditVerdict = answer('Whether the audit log is intact.', {
  isIntact: flag('Whether no break was found.'),
  position: epoch('Number of verified links, which is the position of the last one.'),
  hash: orNull(hash('The hash of the last link, in hexadecimal. Keep a copy of it elsewhere.')),
  firstBreak: orNull(AuditBreak, 'Null if the audit log is intact.'),
  verifiedAt: dateTime('When the audit log was verified, in real time.'),
});
export type AuditVerdict = Static<typeof AuditVerdict>;
