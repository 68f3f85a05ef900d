import { test } from 'node:test';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import { documentText, testFault } from './fault-case.ts';

/** Fields with a mark, the path below the object, and the message. */
type Case = readonly [string, string, RegExp];

function testObjects(collection: string, needed: string, cases: readonly Case[]): void {
  for (const [fields, path, message] of cases) {
    const at = fields.indexOf('«');
    // A fault of what is missing stands at its object.
    const isMissing = at === -1;
    const object = `${isMissing ? '«' : ''}{ ${needed}, ${fields} }`;
    testFault(
      `a faulty ${path} of ${collection} is refused in { ${fields.replace('«', '')} }`,
      { configuration: `"${collection}": [${object}]` },
      `restaurants[0].configuration.${collection}[0].${path}`,
      message,
    );
  }
}

testObjects('discounts', '"name": "D"', [
  ['"type": «"HALF", "selectionType": "CHECK"', 'type', /must be one of PERCENT, FIXED, /],
  ['"type": "PERCENT", "selectionType": "CHECK"', 'percentage', /type PERCENT need it/],
  [
    '"type": "PERCENT", "selectionType": "CHECK", "percentage": «0',
    'percentage',
    /must be greater than 0/,
  ],
  [
    '"type": "PERCENT", "selectionType": "CHECK", "percentage": «101',
    'percentage',
    /must be at most 100/,
  ],
  ['"type": "FIXED", "selectionType": "CHECK"', 'amount', /type FIXED need it/],
  ['"type": "FIXED", "selectionType": "CHECK", "amount": «-1', 'amount', /must be greater than 0/],
  [
    '"type": "FIXED", "selectionType": "CHECK", "amount": 1, "percentage": «5',
    'percentage',
    /must be null or absent for discounts of type FIXED/,
  ],
  [
    '"type": "PERCENT", "selectionType": "CHECK", "percentage": 5, "amount": «1',
    'amount',
    /must be null or absent for discounts of type PERCENT/,
  ],
  ['"type": "FIXED_TOTAL", "selectionType": "ITEM"', 'fixedTotal', /type FIXED_TOTAL need it/],
  [
    '"type": "FIXED_TOTAL", "selectionType": "ITEM", "fixedTotal": «0',
    'fixedTotal',
    /must be more than 0/,
  ],
  [
    '"type": "OPEN_FIXED", "selectionType": "CHECK", "fixedTotal": «9',
    'fixedTotal',
    /must be null or absent/,
  ],
  ['"type": "BOGO", "selectionType": «"ITEM"', 'selectionType', /must be "BOGO" for discounts/],
  [
    '"type": "PERCENT", "percentage": 5, "selectionType": "ITEM", "nonExclusive": «true',
    'nonExclusive',
    /item discounts always exclude others/,
  ],
  [
    '"type": "FIXED_TOTAL", "fixedTotal": 5, "selectionType": "CHECK", "nonExclusive": «true',
    'nonExclusive',
    /combo discounts always exclude others/,
  ],
  [
    '"type": "BOGO", "selectionType": "BOGO", "promoCodes": [{ "code": «"", "name": "N" }]',
    'promoCodes[0].code',
    /is empty/,
  ],
]);

testFault(
  'CFG-6: a promotion code that another discount has is refused',
  {
    configuration: `"discounts": [
      { "name": "One", "type": "BOGO", "selectionType": "BOGO",
        "promoCodes": [{ "key": "x", "code": "A", "name": "N" }] },
      { "name": "Two", "type": "BOGO", "selectionType": "BOGO",
        "promoCodes": [{ "key": "y", "code": «"A", "name": "N" }] }]`,
  },
  'restaurants[0].configuration.discounts[1].promoCodes[0].code',
  /has the code "A" already; change one/,
);

testObjects('serviceCharges', '"name": "S", "criteria": {}', [
  ['"amountType": "FIXED"', 'amount', /FIXED need it/],
  ['"amountType": "FIXED", "amount": «-2', 'amount', /must not be negative/],
  ['"amountType": "FIXED", "amount": 2, "percent": «2', 'percent', /null or absent/],
  ['"amountType": "OPEN", "amount": «2', 'amount', /null or absent when amountType is OPEN/],
  [
    '"amountType": "PERCENT", "serviceChargeCalculation": "PRE_DISCOUNT"',
    'percent',
    /PERCENT need it/,
  ],
  ['"amountType": "PERCENT", "percent": 18', 'serviceChargeCalculation', /a percent needs it/],
  [
    '"amountType": "OPEN", "serviceChargeCalculation": «"PRE_DISCOUNT"',
    'serviceChargeCalculation',
    /unless amountType is PERCENT/,
  ],
]);
testFault(
  'CFG-4: a service charge for checks between an amount and a smaller one is refused',
  {
    configuration: `"serviceCharges": [{ "name": "S", "amountType": "OPEN",
      "criteria": { "minCheckAmount": 20, "maxCheckAmount": «10 } }]`,
  },
  'restaurants[0].configuration.serviceCharges[0].criteria.maxCheckAmount',
  /must not be less than minCheckAmount, which is 20/,
);

testObjects('taxRates', '"name": "T"', [
  ['"type": "PERCENT", "roundingType": "HALF_UP"', 'rate', /type PERCENT need it/],
  ['"type": "PERCENT", "rate": 0.07', 'roundingType', /type PERCENT need it/],
  [
    '"type": "PERCENT", "roundingType": "HALF_UP", "rate": «7',
    'rate',
    /write 0.07 for seven percent/,
  ],
  ['"type": "FIXED", "rate": «-1', 'rate', /must not be negative/],
  ['"type": "NONE", "rate": «0.1', 'rate', /null or absent for taxes of type NONE/],
  ['"type": "NONE", "roundingType": «"HALF_UP"', 'roundingType', /null or absent/],
  ['"type": "TABLE"', 'taxTable', /needs rows/],
  [
    '"type": "NONE", "taxTable": «[{ "start": 0, "end": 1, "tax": 0, "pattern": false }]',
    'taxTable',
    /must be empty unless type is TABLE/,
  ],
  [
    '"type": "TABLE", "taxTable": [{ "start": 2, "end": «1, "tax": 0, "pattern": false }]',
    'taxTable[0].end',
    /must not be less than start, which is 2/,
  ],
  [
    `"type": "TABLE", "taxTable": [{ "start": 0, "end": 1, "tax": 0, "pattern": false },
      { "start": «1, "end": 2, "tax": 0.1, "pattern": true }]`,
    'taxTable[1].start',
    /must be more than 1, the end of the row before/,
  ],
  [
    '"type": "TABLE", "taxTable": [{ "start": 0, "end": 1, "tax": «-1, "pattern": false }]',
    'taxTable[0].tax',
    /must not be negative/,
  ],
  [
    '"type": "EXTERNAL", "conditionalTaxRates": [{ "condition": "Takeout", "rate": «5 }]',
    'conditionalTaxRates[0].rate',
    /write 0.05 for five percent/,
  ],
]);

testObjects('menuOptionGroups', '"name": "M"', [
  ['"minSelections": 2, "maxSelections": «1', 'maxSelections', /minSelections, which is 2/],
  ['"minSelections": «-1', 'minSelections', /must be (at least|from) 0/],
  ['"minSelections": «0.5', 'minSelections', /must be a whole number/],
]);
testObjects('preModifiers', '"name": "P"', [
  ['"scalePrice": true', 'scaleFactor', /needed when scalePrice is true/],
  ['"scalePrice": false', 'basePrice', /needed when scalePrice is false/],
  ['"scalePrice": true, "scaleFactor": «-2', 'scaleFactor', /must not be negative/],
  ['"basePrice": 1, "parent": «"Words"', 'parent', /none among the preModifierGroups/],
]);
testObjects('menuItems', '"name": "I"', [
  ['"calories": «12.5', 'calories', /must be a whole number/],
  ['"unitOfMeasure": «"POUND"', 'unitOfMeasure', /must be one of NONE, LB, /],
  ['"images": [{ "url": «"picture.jpg" }]', 'images[0].url', /must be a URL/],
  ['"optionGroups": «"Sides"', 'optionGroups', /must be a list/],
  ['"externalId": «7', 'externalId', /must be a string/],
]);
testObjects('breakTypes', '"name": "B", "duration": 10', [
  ['"trackMissedBreaks": true, "breakIntervalMins": 0', 'breakIntervalHrs', /is missing/],
  ['"trackMissedBreaks": true, "breakIntervalHrs": 4', 'breakIntervalMins', /is missing/],
  ['"breakIntervalMins": «60', 'breakIntervalMins', /must be at most 59/],
]);

const oneFault: readonly [string, string, string, RegExp][] = [
  [
    'a second default pre-modifier group is refused',
    `"preModifierGroups": [{ "name": "A", "isDefault": true },
      { "name": "B", "isDefault": «true }]`,
    'preModifierGroups[1].isDefault',
    /only one group can be the default, and "A" is it/,
  ],
  [
    'CFG-11: a tip withholding in percent instead of a fraction is refused',
    '"tipWithholding": { "enabled": true, "percentage": «3 }',
    'tipWithholding.percentage',
    /must be from 0 to 1/,
  ],
];
for (const [title, configuration, path, message] of oneFault) {
  testFault(title, { configuration }, `restaurants[0].configuration.${path}`, message);
}

test('group document: what is archived need not fit together, because nobody is served it', () => {
  readGroupDocument(
    documentText({
      configuration: `"discounts": [{ "name": "Old", "archived": true, "type": "PERCENT",
          "selectionType": "CHECK" }],
        "preModifierGroups": [{ "name": "A", "isDefault": true },
          { "name": "B", "isDefault": true, "archived": true }]`,
    }),
  );
});
