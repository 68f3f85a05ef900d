import type { GroupContents } from '../group-document/contents.ts';
import { readGroupDocument } from '../group-document/read-document.ts';
import { demoGroupDocument, demoGroupName } from './demo/demo-group.ts';
import { HUGE_GROUP_NAME, hugeGroupDocument } from './profiles/huge.ts';
import { oneRestaurant } from './profiles/one-restaurant.ts';

const EMPTY_GROUP_NAME = 'Empty Plate Restaurants';

const profiles = {
  demo: { groupName: demoGroupName, document: demoGroupDocument },
  empty: {
    groupName: () => EMPTY_GROUP_NAME,
    document: () => oneRestaurant(EMPTY_GROUP_NAME, 'The Empty Plate'),
  },
  huge: { groupName: () => HUGE_GROUP_NAME, document: hugeGroupDocument },
};

export type Profile = keyof typeof profiles;

export const profileNames = Object.keys(profiles) as readonly Profile[];

export function profileGroupName(profile: Profile): string {
  return profiles[profile].groupName();
}

export function profileContents(profile: Profile): GroupContents {
  return readGroupDocument(JSON.stringify(profiles[profile].document()));
}
