import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { collections } from '@servery/contract';
import { shapeChecker } from '../../document/check-shape.ts';
import { FaultList, KEPT_FAULTS, Place } from '../../document/faults.ts';
import { Directory, nameOf } from './directory.ts';
import { configurationDocumentSchema } from './file-schema.ts';
import { deriveObjectGuid } from './identity.ts';
import { MenuTree } from './menu-tree.ts';

const RESTAURANT = '01a1fecd-5347-73d2-8ab8-0b7abcf4b49c';

/** The tree of menu groups each of which is inside the one before. */
function chainOf(length: number, place: Place): MenuTree {
  const directoryOf = (kind: (typeof collections)[number]['name'], objects: readonly object[]) =>
    new Directory(
      objects,
      {
        kind,
        nameOf,
        deriveGuid: (key) => deriveObjectGuid(RESTAURANT, kind, key),
        taken: new Set(),
      },
      place,
    );
  const groups = Array.from({ length }, (_, index) => ({
    name: `group ${index}`,
    ...(index > 0 && { parent: `group ${index - 1}` }),
  }));
  return new MenuTree(
    { objects: [], directory: directoryOf('menus', []) },
    { objects: groups, directory: directoryOf('menuGroups', groups) },
  );
}

test('backOffice.configuration.plan: groups in groups cost like groups side by side', () => {
  const faults = new FaultList();
  const place = new Place(faults, []);
  const costOf = (length: number) => {
    const tree = chainOf(length, place);
    const guids = Array.from({ length }, (_, index) =>
      deriveObjectGuid(RESTAURANT, 'menuGroups', `group ${index}`),
    );
    const began = process.cpuUsage();
    tree.check(place, place);
    for (const guid of guids) assert.equal(tree.linksOf(guid).menu, null);
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  costOf(500);
  const few = costOf(500);
  // Ten times as many; a hundred times the work where each walks all the way up.
  const limit = few * 40 + 20_000;
  // What else the process does, or its host takes away, counts too, but not every time.
  let many = costOf(5_000);
  for (let turn = 2; turn <= 3 && many >= limit; turn += 1) many = costOf(5_000);
  assert.equal(faults.count, 0);
  assert.ok(many < limit, `${few} µs for 500 groups, ${many} µs for 5,000`);
});

test('backOffice.configuration.plan: where every value is wrong, looking comes to an end', () => {
  const check = shapeChecker(configurationDocumentSchema);
  const names = Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`x${index}`, 1]));
  const wrong = [
    { configuration: { menuItems: Array(12_000).fill(1) } },
    { configuration: { menuItems: Array(12_000).fill({}) } },
    { configuration: { menuItems: [names] } },
    names,
  ];
  for (const document of wrong) {
    const faults = new FaultList();
    check(document, faults);
    assert.ok(faults.kept.length > 1_000, 'what was found is told');
    assert.ok(faults.count <= KEPT_FAULTS + 1, `${faults.count} faults`);
  }
});
