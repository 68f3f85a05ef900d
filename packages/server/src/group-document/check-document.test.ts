import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGroupDocument } from './check-document.ts';
import { InvalidGroupDocument } from './faults.ts';
import { readGroupDocument } from './read-document.ts';

/** A restaurant whose first item has modifiers whose items have modifiers, so many levels deep. */
function nested(levels: number): string {
  const numbers = Array.from({ length: levels }, (_, at) => at);
  const configuration = {
    menus: [{ name: 'Menu', groups: ['Mains'] }],
    menuGroups: [{ name: 'Mains', items: ['Item 0'] }],
    menuItems: [
      ...numbers.map((at) => ({ name: `Item ${at}`, optionGroups: [`Group ${at}`] })),
      { name: `Item ${levels}` },
    ],
    menuOptionGroups: numbers.map((at) => ({ name: `Group ${at}`, options: [`Item ${at + 1}`] })),
  };
  const general = { name: 'Deep', timeZone: 'UTC', currencyCode: 'USD' };
  const restaurants = [{ info: { general }, configuration }];
  const group = { format: 'servery.group/1', managementGroup: { name: 'Nested' }, restaurants };
  return JSON.stringify(group, null, 2);
}

test('group document MENU-25: a check finds menus that an import would refuse', () => {
  assert.equal(checkGroupDocument(nested(10)).restaurants.length, 1);
  const text = nested(11);
  readGroupDocument(text);
  assert.throws(
    () => checkGroupDocument(text),
    (error) => {
      assert.ok(error instanceof InvalidGroupDocument);
      const [fault] = error.faults;
      assert.equal(error.faultCount, 1);
      assert.equal(fault?.path, 'restaurants[0].configuration.menuOptionGroups[10]');
      assert.equal(fault?.message, 'is more than 10 levels deep in the menus; nest fewer levels');
      assert.ok(text.split('\n')[fault.line]?.includes('"Group 10"'));
      return true;
    },
  );
});
