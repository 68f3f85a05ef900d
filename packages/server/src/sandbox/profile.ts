import type { GroupContents } from '../backoffice/group-document/contents.ts';
import { readGroupDocument } from '../backoffice/group-document/read-document.ts';
import type { Config } from '../config.ts';
import { demoGroupDocument } from './demo/demo-group.ts';
import { emptyGroupDocument } from './profiles/empty.ts';
import { hugeGroupDocument } from './profiles/huge.ts';

/** The contents that a new sandbox of the profile is filled with, checked like any document. */
export function profileContents(profile: Exclude<Config['profile'], 'none'>): GroupContents {
  return readGroupDocument(JSON.stringify(documentOf(profile)));
}

function documentOf(profile: Exclude<Config['profile'], 'none'>): unknown {
  if (profile === 'empty') return emptyGroupDocument();
  return profile === 'huge' ? hugeGroupDocument() : demoGroupDocument();
}
