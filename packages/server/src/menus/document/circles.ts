import type { PublishedObjects } from './source.ts';

/** GUIDs of items and modifier groups, and what each leads to. */
type Graph = ReadonlyMap<string, readonly string[]>;

export interface Circles {
  /** Items and groups from which a circle can be reached. */
  readonly leading: ReadonlySet<string>;
  /** Those that may be on a circle themselves. All that really are, are here. */
  readonly inside: ReadonlySet<string>;
}

/**
 * Only on a circle does it matter for a modifier group which items stand on the way to it
 * (MENU-25). Everywhere else, its instances can be shared.
 */
export function findCircles(objects: PublishedObjects): Circles {
  const graph = graphOf(objects);
  const leading = withoutEnds(graph);
  const inside = withoutEnds(reversed(graph));
  return { leading, inside: leading.intersection(inside) };
}

function graphOf({ menuItems, menuGroups, menuOptionGroups, priceGroups }: PublishedObjects) {
  const sizesOf = (pricing: { sizeGroup: string | null; priceGroup: string | null } | null) => {
    const level = priceGroups.get(pricing?.priceGroup ?? '')?.fields.pricing;
    return [pricing?.sizeGroup ?? [], level?.sizeGroup ?? []].flat();
  };
  const graph = new Map<string, string[]>();
  for (const { guid, fields } of menuItems.values()) {
    graph.set(guid, [...fields.optionGroups, ...sizesOf(fields.pricing)]);
  }
  for (const { guid, fields } of menuOptionGroups.values()) graph.set(guid, [...fields.options]);
  for (const { guid, fields } of menuGroups.values()) {
    const above = fields.parent === null ? [] : [fields.parent];
    graph.set(guid, [...fields.optionGroups, ...sizesOf(fields.pricing), ...above]);
    for (const item of fields.items) {
      const isPassedOn = fields.pricing !== null || menuItems.get(item)?.fields.inheritOptionGroups;
      if (isPassedOn) graph.get(item)?.push(guid);
    }
  }
  return graph;
}

/** Takes away what leads nowhere, again and again: what is left leads to a circle. */
function withoutEnds(graph: Graph): Set<string> {
  const leadingTo = reversed(graph);
  const counts = new Map([...graph].map(([node, next]) => [node, countIn(graph, next)]));
  const ends = [...counts].filter(([, count]) => count === 0).map(([node]) => node);
  for (let node = ends.pop(); node !== undefined; node = ends.pop()) {
    counts.delete(node);
    for (const before of leadingTo.get(node) ?? []) {
      const count = (counts.get(before) ?? 0) - 1;
      counts.set(before, count);
      if (count === 0) ends.push(before);
    }
  }
  return new Set(counts.keys());
}

function countIn(graph: Graph, nodes: readonly string[]): number {
  return nodes.filter((node) => graph.has(node)).length;
}

function reversed(graph: Graph): Graph {
  const result = new Map<string, string[]>([...graph.keys()].map((node) => [node, []]));
  for (const [node, next] of graph) {
    for (const one of next) result.get(one)?.push(node);
  }
  return result;
}
