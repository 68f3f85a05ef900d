import type { GroupDocument } from '../backoffice/group-document/document.ts';
import type { Config } from '../config.ts';
import { demoGroupDocument } from './demo/demo-group.ts';
import { emptyGroupDocument } from './profiles/empty.ts';
import { hugeGroupDocument } from './profiles/huge.ts';

/** The group document that a new sandbox of the profile is filled with. */
export function profileDocument(profile: Exclude<Config['profile'], 'none'>): GroupDocument {
  if (profile === 'empty') return emptyGroupDocument();
  return profile === 'huge' ? hugeGroupDocument() : demoGroupDocument();
}
