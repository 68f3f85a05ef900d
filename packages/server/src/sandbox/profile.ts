import type { Config } from '../config/config.ts';
import type { GroupContents } from '../group-document/contents.ts';
import { readGroupDocument } from '../group-document/read-document.ts';
import { demoGroupDocument, demoGroupName } from './demo/demo-group.ts';
import { EMPTY_GROUP_NAME, emptyGroupDocument } from './profiles/empty.ts';
import { HUGE_GROUP_NAME, hugeGroupDocument } from './profiles/huge.ts';

export function profileGroupName(profile: Exclude<Config['profile'], 'none'>): string {
  if (profile === 'empty') return EMPTY_GROUP_NAME;
  return profile === 'huge' ? HUGE_GROUP_NAME : demoGroupName();
}

export function profileContents(profile: Exclude<Config['profile'], 'none'>): GroupContents {
  return readGroupDocument(JSON.stringify(documentOf(profile)));
}

export function contentsOf({ profile }: Pick<Config, 'profile'>): GroupContents | null {
  return profile === 'none' ? null : profileContents(profile);
}

function documentOf(profile: Exclude<Config['profile'], 'none'>): unknown {
  if (profile === 'empty') return emptyGroupDocument();
  return profile === 'huge' ? hugeGroupDocument() : demoGroupDocument();
}
