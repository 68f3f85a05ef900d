import {
  type ConfigurationChange,
  defaultBrand,
  partnerCollections,
  partnerReferences,
  schemas,
} from '@servery/contract';
import { arranger } from '../http/pipeline/arrange.ts';
import { fieldChanges } from './describe-changes.ts';
import type { ObjectContents, ObjectKind } from './document/contents.ts';
import { tipWithholdingGuid } from './document/identity.ts';
import { renderer } from './render.ts';

type Rendered = Readonly<Record<string, unknown>>;

type PartnerView = ReadonlyMap<ObjectKind, ReadonlyMap<string, Rendered>>;

// The back office shows service charge destinations as its documents write them.
const renderers = partnerCollections.map(({ name }) => ({
  name,
  render: renderer(name, defaultBrand),
}));
const seenKinds = new Set<ObjectKind>([...renderers.map(({ name }) => name), 'tipWithholding']);
const arrangeTips = arranger(schemas.TipWithholding);

export function viewChanges(
  restaurantGuid: string,
  before: Iterable<ObjectContents>,
  after: Iterable<ObjectContents>,
): ConfigurationChange[] {
  const views = [viewOf(restaurantGuid, before), viewOf(restaurantGuid, after)] as const;
  return [...seenKinds].flatMap((kind) => {
    const [old, young] = [views[0].get(kind) ?? new Map(), views[1].get(kind) ?? new Map()];
    const guids = [...new Set([...old.keys(), ...young.keys()])].sort();
    return guids.flatMap((guid) =>
      changeOf(kind, guid, old.get(guid) ?? null, young.get(guid) ?? null),
    );
  });
}

export const isSeenByPartners = (kind: ObjectKind): boolean => seenKinds.has(kind);

function viewOf(restaurantGuid: string, objects: Iterable<ObjectContents>): PartnerView {
  const live = Map.groupBy(
    [...objects].filter(({ archived }) => !archived),
    ({ collection }) => collection,
  );
  const view = new Map<ObjectKind, ReadonlyMap<string, Rendered>>();
  for (const { name, render } of renderers) {
    const targetKinds = new Set(partnerReferences(name).map(({ target }) => target));
    const targets = [...targetKinds].flatMap((collection) =>
      (live.get(collection) ?? []).map((object) => ({ ...object, collection })),
    );
    const rendered = render({ objects: live.get(name) ?? [], targets }) as Rendered[];
    view.set(name, new Map(rendered.map((object) => [String(object.guid), object])));
  }
  return view.set('tipWithholding', tipsView(restaurantGuid, live.get('tipWithholding')?.[0]));
}

/** There always is one tip withholding (CFG-11). */
function tipsView(restaurantGuid: string, tips: ObjectContents | undefined) {
  const guid = tips?.guid ?? tipWithholdingGuid(restaurantGuid);
  const rendered = arrangeTips({ ...tips?.fields, guid }) as Rendered;
  return new Map([['tipWithholding', rendered]]);
}

function changeOf(
  kind: ObjectKind,
  key: string,
  before: Rendered | null,
  after: Rendered | null,
): ConfigurationChange[] {
  const shown = after ?? before;
  const place = {
    collection: kind,
    guid: String(shown?.guid ?? key),
    name: typeof shown?.name === 'string' ? shown.name : null,
  };
  if (after === null) return [{ ...place, kind: 'REMOVED', fields: [] }];
  const fields = fieldChanges(before ?? {}, after);
  if (before === null) return [{ ...place, kind: 'ADDED', fields }];
  return fields.length === 0 ? [] : [{ ...place, kind: 'CHANGED', fields }];
}
