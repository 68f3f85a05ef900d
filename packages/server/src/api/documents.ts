export { writeCanonical } from '../group-document/canonical.ts';
export { checkGroupDocument } from '../group-document/check-document.ts';
export { exportGroup, UnclearGroup } from '../group-document/export.ts';
export { importGroup } from '../group-document/import.ts';
export { profileContents } from '../sandbox/profile.ts';
