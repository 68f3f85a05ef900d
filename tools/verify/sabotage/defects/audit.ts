// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/audit';
const TESTS = 'packages/server/test/audit';

/** Defects of the record of changes: what would let somebody change it unseen. */
export const auditDefects: readonly Defect[] = [
  {
    name: 'audit-believes-stored-digests',
    file: `${SOURCE}/check-link.ts`,
    find: 'if (entryDigest(entry) !== link.entryDigest) {',
    replace: 'if (entryDigest(entry).length !== link.entryDigest.length) {',
    why: 'An entry that was changed would be found intact in an export.',
    caughtBy: { file: `${TESTS}/tamper.test.ts`, name: /whatever is done to a file is told/ },
  },
  {
    name: 'audit-without-proof-of-entries',
    file: `${SOURCE}/verify.ts`,
    find: 'if (entry && !isProof(entry.mac, proofs.ofEntry(entry))) {',
    replace: 'if (entry && entry.mac.length === 0) {',
    why: 'Whoever computes all hashes anew could write another history.',
    caughtBy: { file: `${TESTS}/tamper.test.ts`, name: /computes all hashes anew lacks/ },
  },
  {
    name: 'audit-without-proof-of-places',
    file: `${SOURCE}/verify.ts`,
    find: 'if (isProof(link.mac, proofs.ofLink(link.hash))) return null;',
    replace: 'if (link.mac.length > 0) return null;',
    why: 'Entries could change places, and the change that came last would look like the first.',
    caughtBy: { file: `${TESTS}/tamper.test.ts`, name: /entries that changed places are told/ },
  },
  {
    name: 'audit-end-not-compared',
    file: `${SOURCE}/verify.ts`,
    find: 'return { isMore: false, firstBreak: isOurs ? null :',
    replace: 'return { isMore: false, firstBreak: isOurs || head ? null :',
    why: 'The newest changes could be cut off, and nobody would see.',
    caughtBy: { file: `${TESTS}/tamper.test.ts`, name: /a chain that was cut off is told/ },
  },
  {
    name: 'audit-forgotten-entries',
    file: `${SOURCE}/verify.ts`,
    find: 'const firstBreak = walk.firstBreak ?? (await checkOutside(deps, proofs));',
    replace: 'const { firstBreak } = walk;',
    why: 'An entry that was kept out of the chain could be removed unseen.',
    caughtBy: { file: `${TESTS}/tamper.test.ts`, name: /taken from those that wait is told/ },
  },
  {
    name: 'audit-seals-forged-entries',
    file: `${SOURCE}/seal.ts`,
    find: 'const links = linksFor(unlinked.filter(isOurs), head,',
    replace: 'const links = linksFor(unlinked, head,',
    why: 'An entry that somebody put in by hand would stand in the chain like any other.',
    caughtBy: { file: `${TESTS}/tamper.test.ts`, name: /put in is told, and never sealed/ },
  },
  {
    name: 'audit-sealer-trusts-the-end',
    file: `${SOURCE}/seal.ts`,
    find: 'if (head && isOurs && head.position >= highest) return head;',
    replace: 'if (head) return head;',
    why: 'The platform itself would go on from a chain that was cut off, and hide the cut.',
    caughtBy: { file: `${TESTS}/tamper.test.ts`, name: /does not go on from a chain/ },
  },
  {
    name: 'audit-sealer-held-up-by-forged',
    file: `${SOURCE}/seal.ts`,
    find: 'isMore: waiting.length === BATCH };',
    replace: 'isMore: links.length === BATCH };',
    why: 'Rows that somebody put in front would keep later changes out of the chain for long.',
    caughtBy: { file: `${TESTS}/tamper.test.ts`, name: /however many are put in, they hold up/ },
  },
  {
    name: 'audit-sealer-links-twice',
    file: `${SOURCE}/seal.ts`,
    find: 'waiting.filter(({ isLinked }) => !isLinked);',
    replace: 'waiting;',
    why: 'One row of an entry that is sealed already would stop the sealer for ever.',
    caughtBy: { file: `${TESTS}/tamper.test.ts`, name: /however many are put in, they hold up/ },
  },
  {
    name: 'audit-sealer-without-lock',
    file: `${SOURCE}/chain-store.ts`,
    find: ' from audit_head for update`;',
    replace: ' from audit_head`;',
    why: 'Of two processes that seal at once one would fail again and again.',
    caughtBy: { file: `${TESTS}/seal.test.ts`, name: /sealers of many processes at once/ },
  },
  {
    name: 'audit-of-other-groups',
    file: `${SOURCE}/entry-store.ts`,
    find: 'where ${isReached(sql, filter.reach)}',
    replace: 'where true',
    why: 'A restaurant group would read what another one changed.',
    caughtBy: { file: `${TESTS}/doors.test.ts`, name: /a group sees its own/ },
  },
  {
    name: 'audit-repeats-written-down',
    file: 'packages/server/src/payments/alarms.ts',
    find: 'if (isOurs && origin)',
    replace: 'if (origin)',
    why: 'The record would name somebody whose note was not taken.',
    caughtBy: { file: `${TESTS}/doors.test.ts`, name: /while another one does leaves no entry/ },
  },
];
