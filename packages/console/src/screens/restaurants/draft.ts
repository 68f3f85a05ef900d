import { signal } from '@preact/signals';
import type { BackOfficeRestaurant, EditRestaurant, Schedules } from '@servery/contract';
import { type FieldFaults, noFaults } from '../../platform/faults.ts';
import { isSame } from '../../platform/same.ts';
import { parsed, SCHEDULES } from './fields.ts';

/** What somebody has typed about a restaurant and not saved. */
export interface Draft {
  /** The restaurant as it was read when the typing began. */
  readonly base: BackOfficeRestaurant;
  /** What was typed, by the path of the field. */
  readonly edits: ReadonlyMap<string, unknown>;
  readonly faults: FieldFaults;
  /** Faults that an editor finds itself, which must be gone before anything is sent. */
  readonly blocks: FieldFaults;
}

/** Kept while the page is open, so that a look at another page loses nothing. */
const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

export function draftOf(guid: string): Draft | null {
  return drafts.value.get(guid) ?? null;
}

export function setDraft(guid: string, draft: Draft | null): void {
  const others = new Map(drafts.peek());
  if (draft && (draft.edits.size > 0 || draft.blocks.size > 0)) others.set(guid, draft);
  else others.delete(guid);
  drafts.value = others;
}

export function hasDrafts(): boolean {
  return drafts.peek().size > 0;
}

/** `current` is the restaurant as it is shown, if nothing is typed yet. */
export function withEdit(
  draft: Draft | null,
  current: BackOfficeRestaurant,
  path: string,
  typed: unknown,
): Draft {
  const { base, edits, faults, blocks } = draft ?? emptyDraft(current);
  const next = new Map(edits);
  if (isSame(parsed(path, typed), valueAt(base, path))) next.delete(path);
  else next.set(path, typed);
  return { base, edits: next, faults: without(faults, path), blocks };
}

export function withBlock(
  draft: Draft | null,
  current: BackOfficeRestaurant,
  path: string,
  block: string | null,
): Draft {
  const { blocks, ...rest } = draft ?? emptyDraft(current);
  const next = new Map(blocks);
  if (block === null) next.delete(path);
  else next.set(path, block);
  return { ...rest, blocks: next };
}

function emptyDraft(base: BackOfficeRestaurant): Draft {
  return { base, edits: new Map(), faults: noFaults, blocks: noFaults };
}

function without(faults: FieldFaults, path: string): FieldFaults {
  return new Map([...faults].filter(([place]) => !place.startsWith(path)));
}

/** The values of two people about one field. */
export interface Clash {
  readonly path: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** Where somebody else has changed what was typed here, to something else. */
export function clashesOf({ base, edits }: Draft, newest: BackOfficeRestaurant): readonly Clash[] {
  return [...edits].flatMap(([path, typed]) => {
    const [before, theirs] = [valueAt(base, path), valueAt(newest, path)];
    const mine = parsed(path, typed);
    return isSame(before, theirs) || isSame(mine, theirs) ? [] : [{ path, mine, theirs }];
  });
}

/** The draft on what the restaurant is now; the given fields are left as others set them. */
export function rebased(
  draft: Draft,
  newest: BackOfficeRestaurant,
  theirs: ReadonlySet<string>,
): Draft {
  const edits = [...draft.edits].filter(
    ([path, typed]) => !theirs.has(path) && !isSame(parsed(path, typed), valueAt(newest, path)),
  );
  return { ...draft, base: newest, edits: new Map(edits) };
}

/** Only what was changed, with the version that it was read at. */
export function patchOf({ base, edits }: Draft): EditRestaurant {
  const patch: Record<string, unknown> = { version: base.version };
  for (const [path, typed] of edits) {
    const value = parsed(path, typed);
    put(
      patch,
      path,
      path === SCHEDULES ? schedulePatch(base.schedules, value as Schedules) : value,
    );
  }
  return patch as EditRestaurant;
}

/** Null removes a type of day (RFC 7396). */
function schedulePatch(before: Schedules, after: Schedules) {
  const removed = Object.keys(before.daySchedules).filter(
    (key) => !Object.hasOwn(after.daySchedules, key),
  );
  const none = Object.fromEntries(removed.map((key) => [key, null]));
  return { weekSchedule: after.weekSchedule, daySchedules: { ...after.daySchedules, ...none } };
}

function put(into: Record<string, unknown>, path: string, value: unknown): void {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let at = into;
  for (const step of steps) {
    at[step] ??= {};
    at = at[step] as Record<string, unknown>;
  }
  at[last] = value;
}

export function valueAt(restaurant: BackOfficeRestaurant, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], restaurant);
}
