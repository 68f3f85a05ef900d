import type { GroupContents } from '../group-document/contents.ts';
import { readGroupDocument } from '../group-document/read-document.ts';
import { demoGroupDocument, demoGroupName } from './demo/demo-group.ts';
import { EMPTY_GROUP_NAME, emptyGroupDocument } from './profiles/empty.ts';
import { HUGE_GROUP_NAME, hugeGroupDocument } from './profiles/huge.ts';

const profiles = {
  demo: { nameOf: demoGroupName, documentOf: demoGroupDocument },
  empty: { nameOf: () => EMPTY_GROUP_NAME, documentOf: emptyGroupDocument },
  huge: { nameOf: () => HUGE_GROUP_NAME, documentOf: hugeGroupDocument },
};

export type Profile = keyof typeof profiles;

export function profileGroupName(profile: Profile): string {
  return profiles[profile].nameOf();
}

export function profileContents(profile: Profile): GroupContents {
  return readGroupDocument(JSON.stringify(profiles[profile].documentOf()));
}
