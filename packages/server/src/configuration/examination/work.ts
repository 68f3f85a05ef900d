import type { ConfigurationPlan, ConfigurationPreview } from '@servery/contract';
import { ApiError } from '../../http/errors.ts';
import { isJsonObject } from '../../http/json-object.ts';
import { parseJson } from '../../http/pipeline/json.ts';
import { changedReferences } from '../changed-references.ts';
import { changeKind, countChanges } from '../describe-changes.ts';
import type { ObjectContents } from '../document/contents.ts';
import type { DraftRow } from '../draft-store.ts';
import { byPlaceKey } from '../effective.ts';
import {
  byPlace,
  digestOf,
  type ObjectChange,
  placeOf,
  readObjectText,
  readStateText,
  stateText,
} from '../object-state.ts';
import type { RestaurantHead } from '../publication-store.ts';
import { readFile } from '../read-file.ts';
import { TAKEN_ELSEWHERE } from '../refusals.ts';
import { type ChangeSummary, changesText, isMovedItem } from '../written-change.ts';
import { documentOfPublished, type ExportOptions } from './document.ts';
import { planOf } from './plan.ts';
import { previewOf } from './preview.ts';
import { type PublishedDrafts, publicationOf } from './publication.ts';
import { changesBackTo } from './way-back.ts';

export interface ExaminedPlan {
  readonly plan: ConfigurationPlan;
  readonly givenGuids: readonly string[];
}

const STRANGE_FIELDS = 20;
const FIELDS_BESIDE: readonly string[] = ['document', 'expectedState', 'note'];

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
    for (const [key, object] of byPlaceKey(texts.map(readObjectText))) {
      this.#published.set(key, object);
    }
  }

  /** Throws what `readFile` throws. */
  plan(restaurant: RestaurantHead): ExaminedPlan {
    const { changes, givenGuids } = readFile(restaurant, this.#published, this.#document);
    this.#changes = [...changes].sort((one, other) =>
      byPlace(placeOf(one.after), placeOf(other.after)),
    );
    this.#places = givenGuids;
    return { plan: planOf(restaurant, this.#changes), givenGuids: [...givenGuids.keys()] };
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

  /** Throws what `publicationOf` throws. */
  publish(publishing: PublishedDrafts, drafts: readonly DraftRow[]): void {
    const drafted = { published: this.#published, drafts };
    this.#changes = publicationOf(publishing, drafted);
  }

  rollBack(states: readonly string[]): void {
    this.#changes = changesBackTo(this.#published, states.map(readStateText));
  }

  export(restaurant: RestaurantHead, options: ExportOptions): string {
    return JSON.stringify(documentOfPublished(restaurant, this.#published, options));
  }

  summarize(): ChangeSummary {
    const states = this.#changes.map(({ before, after }) => [
      placeOf(after),
      before && stateText(before),
      stateText(after),
    ]);
    return {
      count: this.#changes.length,
      counts: countChanges(this.#changes.map(({ before, after }) => changeKind(before, after))),
      digest: digestOf(JSON.stringify(states)),
      hasMovedItems: this.#changes.some(isMovedItem),
      references: changedReferences(this.#published.values(), this.#changes),
    };
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
