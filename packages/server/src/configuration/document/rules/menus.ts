import type { LiveObjects } from './live-objects.ts';
import { checkLiveReferences } from './live-references.ts';
import { checkItemsInMenus } from './menu-context.ts';
import { checkItemParts } from './menu-items.ts';

/** Rules that look at several objects together. */
export function checkMenus(live: LiveObjects): void {
  checkLiveReferences(live);
  checkItemParts(live);
  checkItemsInMenus(live);
}
