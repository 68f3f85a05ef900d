import type { Static } from 'typebox';
import { auditBreakKinds, subjectKinds } from './back-office-terms.ts';
import { answer, choice, dateTime, epoch, flag, orNull, text, uuid } from './field.ts';
import { pageOf } from './page.ts';
import { Type } from './type.ts';

const state = (description: string) =>
  orNull(Type.Unsafe<Record<string, unknown>>({ type: 'object' }), description);
const hash = (description: string) => text(description, { pattern: '^[0-9a-f]{64}$' });

export const AuditEntry = answer('One change of one thing.', {
  guid: uuid('Identifier of the entry.'),
  at: dateTime('When it was changed, by the clock of the environment.'),
  realAt: dateTime('When it really was.'),
  actor: text('Who changed it: a client, `person:` and a GUID, or `system:` and a name.'),
  requestId: orNull(uuid('The request that changed it; null where none did.')),
  operation: text('The operation, or the command, that changed it.'),
  subjectKind: choice('What kind of thing was changed.', subjectKinds),
  subjectId: text('Which one.'),
  managementGroupGuid: orNull(uuid('The management group that it belongs to.')),
  restaurantGuid: orNull(uuid('The restaurant that it belongs to.')),
  partnerGuid: orNull(uuid('The partner that it belongs to.')),
  before: state('How it was; null for what was not there.'),
  after: state('How it is since; null for what is gone.'),
  position: orNull(epoch('Where the chain holds it; null until it is sealed, within seconds.')),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditEntryPage = answer(
  'One page of changes.',
  pageOf(AuditEntry, 'The changes, the newest first.'),
);
export type AuditEntryPage = Static<typeof AuditEntryPage>;

export const AuditBreak = answer('Where the chain breaks first, and how.', {
  kind: choice(
    'CHANGED: an entry is not as it was sealed. REMOVED: an entry or link is gone. INSERTED: one ' +
      'was put in that the platform did not write. REORDERED: one is sealed at another place. ' +
      'FORKED: a link goes on from another one than that before it. UNSEALED: an entry is not in ' +
      'the chain, though it is old enough.',
    auditBreakKinds,
  ),
  position: epoch('The position in the chain; 0 for an entry that is not in it.'),
  entryGuid: orNull(uuid('The entry; null where it is gone.')),
  explanation: text('What is wrong there, and what to look at.'),
});
export type AuditBreak = Static<typeof AuditBreak>;

export const AuditVerdict = answer('Whether the record of changes is as it was written.', {
  isIntact: flag('Whether nothing was found.'),
  position: epoch('How many links were verified; the position of the last one.'),
  hash: orNull(hash('The hash of the last link, in hexadecimal; write it down elsewhere.')),
  firstBreak: orNull(AuditBreak, 'Null when the record is intact.'),
  verifiedAt: dateTime('When it was verified, in real time.'),
});
export type AuditVerdict = Static<typeof AuditVerdict>;
