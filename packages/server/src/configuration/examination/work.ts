import type { ConfigurationPlan, ConfigurationPreview } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import { isJsonObject } from '../../http/json-object.ts';
import { parseJson } from '../../http/pipeline/json.ts';
import { isOfMenus } from '../../menus/document/source.ts';
import { type MadeMenus, makeMenus } from '../../menus/make-menus.ts';
import { checkDrafted, type PricedRestaurant } from '../check-configuration.ts';
import { countActions, describeAction, SHOWN_CHANGES } from '../describe-changes.ts';
import type { ObjectChange, ObjectContents } from '../document/contents.ts';
import { stateWithAllFields, withAllFields } from '../document/stored-object.ts';
import type { DraftRow } from '../draft-store.ts';
import { draftedChanges, outdatedPlaces, publishedState, withDrafts } from '../effective.ts';
import { byPlaceKey, placeKey } from '../object-state.ts';
import type { RestaurantHead, StateAt } from '../publication-store.ts';
import { readFile } from '../read-file.ts';
import {
  brokenRules,
  nothingDiffers,
  nothingToPublish,
  outdatedDrafts,
  TAKEN_ELSEWHERE,
} from '../refusals.ts';
import { type ChangeSummary, changesText, summaryOf } from '../written-change.ts';
import { documentOfPublished, type ExportOptions } from './document.ts';
import { previewOf } from './preview.ts';
import { changesBackTo } from './way-back.ts';

export interface PublishedDrafts {
  readonly restaurant: PricedRestaurant;
  /** True when the publisher looked at a preview of exactly these drafts. */
  readonly isPreviewed: boolean;
  /** Names the restaurant when there are several; else empty. */
  readonly prefix: string;
}

export interface ExaminedPlan {
  readonly plan: ConfigurationPlan;
  readonly givenGuids: readonly string[];
}

const STRANGE_FIELDS = 20;
const FIELDS_BESIDE: readonly string[] = ['document', 'expectedState', 'note', 'conflicts'];

/**
 * The slow work on a whole configuration. It needs no database, so it can run on a thread. Call
 * `begin`, then `add` for each part, then one of the methods that look at the objects. Those that
 * find changes keep them for `summarize` and `write`.
 */
export class ExaminationWork {
  #document: unknown = null;
  #published = new Map<string, ObjectContents>();
  #changes: readonly ObjectChange[] = [];
  #places: ReadonlyMap<string, string> = new Map();

  /**
   * Keeps the document and gives the body with all objects and lists emptied. Throws what
   * `parseJson` throws.
   */
  open(body: string): unknown {
    const value = parseJson(body);
    if (!isJsonObject(value)) return emptied(value);
    this.#document = value.document;
    const names = Object.keys(value);
    const strange = names.filter((name) => !FIELDS_BESIDE.includes(name)).slice(0, STRANGE_FIELDS);
    const kept = [...FIELDS_BESIDE.filter((name) => Object.hasOwn(value, name)), ...strange];
    return Object.fromEntries(kept.map((name) => [name, emptied(value[name])]));
  }

  begin(): void {
    this.#published = new Map();
    this.#changes = [];
    this.#places = new Map();
  }

  add(texts: readonly string[]): void {
    for (const text of texts) {
      const object: ObjectContents = withAllFields(JSON.parse(text));
      this.#published.set(placeKey(object), object);
    }
  }

  /** Throws what `readFile` throws. */
  plan(restaurant: RestaurantHead): ExaminedPlan {
    const { changes, givenGuids } = readFile(restaurant, this.#published, this.#document);
    // By collection, and each collection as the document has it.
    this.#changes = changes.toSorted((one, other) =>
      one.after.collection.localeCompare(other.after.collection, 'en'),
    );
    this.#places = givenGuids;
    const actions = this.#changes.map(describeAction);
    const { guid: restaurantGuid, publishNumber } = restaurant;
    const plan = {
      restaurantGuid,
      publishNumber,
      state: publishedState(restaurantGuid, publishNumber),
      isUpToDate: actions.length === 0,
      counts: countActions(actions.map(({ action }) => action)),
      actions: actions.slice(0, SHOWN_CHANGES),
      actionCount: actions.length,
    };
    return { plan, givenGuids: [...givenGuids.keys()] };
  }

  refuseGuids(taken: readonly string[]): never {
    const faults = taken.slice(0, 50).map((guid) => ({
      where: this.#places.get(guid) ?? guid,
      message: TAKEN_ELSEWHERE,
    }));
    const [first] = faults;
    const told = `The document cannot be applied: ${first?.where}: ${first?.message}.`;
    throw new ApiError('unprocessable', told, { faults });
  }

  preview(restaurant: RestaurantHead, drafts: readonly DraftRow[]): ConfigurationPreview {
    return previewOf(restaurant, { published: this.#published, drafts });
  }

  /** JSON without `lastUpdated`; null without a menu. Throws ApiError `unprocessable`. */
  draftedMenus(restaurant: RestaurantHead, drafts: readonly DraftRow[]): string | null {
    const drafted = { published: this.#published, drafts };
    const checked = checkDrafted(restaurant, drafted);
    if (checked.faultCount > 0) throw brokenRules(checked);
    return makeMenus(restaurant, withDrafts(drafted, checked.objects).values()).content;
  }

  /**
   * Throws ApiError `conflict` when nothing would change, or when drafts are outdated and were not
   * previewed; `unprocessable` with every fault when they break rules.
   */
  publish({ restaurant, isPreviewed, prefix }: PublishedDrafts, drafts: readonly DraftRow[]): void {
    const drafted = { published: this.#published, drafts };
    const outdated = outdatedPlaces(drafted);
    if (outdated.length > 0 && !isPreviewed) throw outdatedDrafts(outdated);
    const checked = checkDrafted(restaurant, drafted);
    if (checked.faultCount > 0) throw brokenRules(checked, prefix);
    this.#changes = draftedChanges(drafted, checked.objects);
    if (this.#changes.length === 0) throw nothingToPublish(true);
  }

  /** Throws ApiError `conflict` when nothing would change. */
  rollBack(number: number, states: readonly string[]): void {
    this.#changes = changesBackTo(
      this.#published,
      states.map((text) => {
        const { before, ...place }: StateAt = JSON.parse(text);
        return { ...place, before: stateWithAllFields(place.collection, before) };
      }),
    );
    if (this.#changes.length === 0) throw nothingDiffers(number);
  }

  export(restaurant: RestaurantHead, options: ExportOptions): string {
    return JSON.stringify(documentOfPublished(restaurant, this.#published, options));
  }

  summarize(): ChangeSummary {
    return summaryOf(this.#published, this.#changes);
  }

  /**
   * The menus after the changes; null if none of these can be seen there. Throws what `makeMenus`
   * throws.
   */
  menus(restaurant: Pick<RestaurantHead, 'guid' | 'timeZone'>): MadeMenus | null {
    const after = this.#changes.map((change) => change.after);
    if (!after.some(({ collection }) => isOfMenus(collection))) return null;
    return makeMenus(restaurant, new Map([...this.#published, ...byPlaceKey(after)]).values());
  }

  /** Throws what `menus` throws. Their text, which can be large, stays here. */
  checkMenus(restaurant: Pick<RestaurantHead, 'guid' | 'timeZone'>): void {
    this.menus(restaurant);
  }

  write(from: number, to: number): string {
    return changesText(this.#changes.slice(from, to));
  }

  end(): void {
    this.begin();
    this.#document = null;
  }
}

export type ExaminationName = keyof ExaminationWork;

export function call(
  work: ExaminationWork,
  name: ExaminationName,
  values: readonly unknown[],
): unknown {
  return (work[name] as (...given: unknown[]) => unknown).apply(work, [...values]);
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return isJsonObject(value) ? {} : value;
}
