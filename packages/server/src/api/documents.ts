export { writeCanonical } from '../group-document/canonical.ts';
export { exportGroup, UnclearGroup } from '../group-document/export.ts';
export { importGroup } from '../group-document/import.ts';
export { readGroupDocument } from '../group-document/read-document.ts';
export { profileContents } from '../sandbox/profile.ts';
