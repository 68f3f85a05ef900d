import { type Claim, claim, Misfit } from './claim.ts';
import { contentOf, contentOfPercentage, FLICKER, guidOf, type MarkedKind } from './contents.ts';
import type { Place } from './fixture.ts';

type Fields = Readonly<Record<string, unknown>>;

type Menu = Fields & {
  readonly menuGroups: readonly (Fields & { readonly menuItems: readonly Fields[] })[];
};

/** What is found in objects: the contents that they name, and whether the flicker is there. */
interface Found {
  readonly contents: number[];
  /** Null where nothing tells. */
  isFlickerThere: boolean | null;
}

/** Says which content a page of a collection shows. With `isPartial` only what changed is there. */
export function claimsOfList(
  place: Place,
  kind: MarkedKind,
  body: unknown,
  isPartial: boolean,
): Claim[] {
  const objects = body as readonly Fields[];
  const found: Found = { contents: [], isFlickerThere: null };
  for (const object of objects) lookAt(place, kind, object, found);
  if (kind === 'menuItems' && !isPartial) found.isFlickerThere = isFlickerOn(place, objects);
  return claimsOf(place, found, kind);
}

/** Says which content a single object shows. */
export function claimsOfObject(place: Place, kind: MarkedKind, body: unknown): Claim[] {
  const found: Found = { contents: [], isFlickerThere: null };
  const object = body as Fields;
  lookAt(place, kind, object, found);
  if (kind === 'menuItems' && object.guid === guidOf(place, kind, FLICKER)) {
    found.isFlickerThere = true;
  }
  return claimsOf(place, found, kind);
}

/** Says that the item that comes and goes is gone. */
export function claimsOfNoFlicker(place: Place): Claim[] {
  return claimsOf(place, { contents: [], isFlickerThere: false }, 'flicker 404');
}

/** Says which content the tip withholding shows. */
export function claimsOfTips(place: Place, body: unknown): Claim[] {
  const content = contentOfPercentage((body as Fields).percentage);
  if (content === null) throw new Misfit('strange', JSON.stringify(body));
  return claimsOf(place, { contents: [content], isFlickerThere: null }, 'tips');
}

/** Says which content the menus show. A `lastUpdated` belongs to one content only. */
export function claimsOfMenus(place: Place, body: unknown): Claim[] {
  const { lastUpdated, menus } = body as { lastUpdated: string; menus: readonly Menu[] };
  const [menu] = menus;
  const [group] = menu?.menuGroups ?? [];
  if (!menu || !group) throw new Misfit('strange', JSON.stringify(body).slice(0, 200));
  const found: Found = { contents: [], isFlickerThere: null };
  lookAt(place, 'menus', menu, found);
  lookAt(place, 'menuGroups', { ...group, items: group.menuItems }, found);
  for (const item of group.menuItems) lookAt(place, 'menuItems', item, found);
  const claims = claimsOf(place, found, 'menus');
  const [content] = found.contents;
  const before = place.menusShown.get(lastUpdated);
  if (content === undefined || (before !== undefined && before !== content)) {
    const text = `${place.tag} menus of ${lastUpdated} show ${content} and showed ${before}`;
    throw new Misfit('mixed', text);
  }
  place.menusShown.set(lastUpdated, content);
  return claims;
}

/** Says that the menus of that time are published, if anybody has seen them. */
export function claimsOfMetadata({ configuration, menusShown }: Place, body: unknown): Claim[] {
  const { lastUpdated } = body as { lastUpdated: string };
  return [
    claim(configuration, `menus of ${lastUpdated}`, ({ content }) => {
      const shown = menusShown.get(lastUpdated);
      return shown === undefined || shown === content;
    }),
  ];
}

/** Says whether a list of stock knows the item that comes and goes. */
export function claimOfFlicker(place: Place, isThere: boolean): Claim {
  return claim(
    place.configuration,
    `flicker ${isThere ? 'there' : 'gone'} in stock`,
    ({ content }) => (content % 2 === 0) === isThere,
  );
}

function lookAt(place: Place, kind: MarkedKind, object: Fields, found: Found): void {
  const { guid, name } = object;
  const own = guidOf(place, kind, 0).slice(0, 8);
  if (typeof guid !== 'string' || typeof name !== 'string') {
    throw new Misfit('strange', JSON.stringify(object).slice(0, 200));
  }
  if (!guid.startsWith(own) || !name.startsWith(`${place.tag} `)) {
    throw new Misfit('foreign', `${place.tag} shows ${guid} ${name}`);
  }
  const content = contentOf(place, kind, name);
  if (content !== null) found.contents.push(content);
  if (kind === 'serviceCharges') {
    for (const tax of object.applicableTaxes as readonly Fields[]) {
      lookAt(place, 'taxRates', tax, found);
    }
  }
  if (kind === 'menuGroups') {
    const flicker = guidOf(place, 'menuItems', FLICKER);
    found.isFlickerThere = (object.items as readonly Fields[]).some(
      (item) => item.guid === flicker,
    );
  }
}

/** Whether it is on the page; null when its place in the order is not on the page. */
function isFlickerOn(place: Place, objects: readonly Fields[]): boolean | null {
  const flicker = guidOf(place, 'menuItems', FLICKER);
  const first = String(objects[0]?.guid ?? '');
  if (first > flicker || objects.length === 0) return null;
  return objects.some(({ guid }) => guid === flicker);
}

function claimsOf(place: Place, { contents, isFlickerThere }: Found, what: string): Claim[] {
  const [first] = contents;
  const isMixed = contents.some((content) => content !== first);
  if (isMixed) throw new Misfit('mixed', `${place.tag} ${what} shows ${contents.join(', ')}`);
  if (first === undefined) {
    if (isFlickerThere === null) return [claim(place.configuration, 'nothing new', isFirst)];
    return [claimOfFlicker(place, isFlickerThere)];
  }
  if (isFlickerThere !== null && isFlickerThere !== (first % 2 === 0)) {
    const text = `${place.tag} ${what} shows ${first} and the flicker ${isFlickerThere}`;
    throw new Misfit('mixed', text);
  }
  return [claim(place.configuration, `${what} ${first}`, ({ content }) => content === first)];
}

/** Nothing has changed only before the first change. */
function isFirst({ label }: { readonly label: number }): boolean {
  return label === 1;
}
