import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import { documentText, testFault } from './fault-case.ts';

testFault(
  'another format is refused',
  { text: '{ "format": «"servery.group/2", "managementGroup": { "name": "G" } }' },
  'format',
  /must be servery\.group\/1/,
);
testFault('a document that is a list is refused', { text: '«[]' }, '', /must be an object/);
testFault('a document that is null is refused', { text: '«null' }, '', /must be an object/);
testFault(
  'a group without a name is refused where the name is missing',
  { managementGroup: '«{}' },
  'managementGroup.name',
  /is required and missing/,
);
testFault(
  'a guid that is no UUID is refused',
  { managementGroup: '{ "guid": «"123", "name": "G" }' },
  'managementGroup.guid',
  /must be a GUID/,
);
// What can't be made into text.
testFault(
  'a guid that is an object is refused',
  { managementGroup: '{ "guid": «{ "toString": 0 }, "name": "G" }' },
  'managementGroup.guid',
  /must be a GUID/,
);
testFault(
  'a name that is an object is refused',
  { managementGroup: '{ "name": «{ "toString": 0 } }' },
  'managementGroup.name',
  /must be a string/,
);
testFault(
  'an unknown field is refused at its name, with the one that was meant',
  { general: ',\n«"timezone": "Europe/Rome"' },
  'restaurants[0].info.general.timezone',
  /is no field here; perhaps "timeZone" is meant/,
);
testFault(
  'a field that resembles none is refused with those that there are',
  { info: ', "prepTimes": { «"lunchBreak": 5 }' },
  'restaurants[0].info.prepTimes.lunchBreak',
  /remove it\. Known are deliveryPrepTime, /,
);

const general: readonly [string, string, string, RegExp][] = [
  [
    'RST-5: a closeout hour after noon',
    ', "closeoutHour": «13',
    'closeoutHour',
    /must be from 0 to 12/,
  ],
  [
    'RST-5: half a closeout hour',
    ', "closeoutHour": «4.5',
    'closeoutHour',
    /must be a whole number/,
  ],
  [
    'a first day that is none',
    ', "firstBusinessDate": «20230229',
    'firstBusinessDate',
    /not a calendar date/,
  ],
  [
    'a first day as text',
    ', "firstBusinessDate": «"20230228"',
    'firstBusinessDate',
    /whole number/,
  ],
];
for (const [title, fragment, field, message] of general) {
  testFault(
    `${title} is refused`,
    { general: fragment },
    `restaurants[0].info.general.${field}`,
    message,
  );
}

const essential: readonly [string, string, RegExp][] = [
  ['"name": «"  ", "timeZone": "Europe/Rome", "currencyCode": "EUR"', 'name', /is empty/],
  ['"name": "C", "timeZone": «"Mars/Base", "currencyCode": "EUR"', 'timeZone', /not a time zone/],
  ['"name": "C", "timeZone": «"+02:00", "currencyCode": "EUR"', 'timeZone', /not a time zone/],
  ['"name": "C", "timeZone": «"europe/rome", "currencyCode": "EUR"', 'timeZone', /Europe\/Rome/],
  ['"name": "C", "timeZone": "Europe/Rome", "currencyCode": «"EURO"', 'currencyCode', /ISO 4217/],
  ['"name": "C", "timeZone": "Europe/Rome", "currencyCode": «"QQQ"', 'currencyCode', /ISO 4217/],
];
for (const [fragment, field, message] of essential) {
  testFault(
    `restaurants RST-5: ${field} with ${fragment.slice(fragment.indexOf('«') + 1, 60)} is refused`,
    {
      text: `{ "format": "servery.group/1", "managementGroup": { "name": "G" },
        "restaurants": [{ "info": { "general": { ${fragment} } } }] }`,
    },
    `restaurants[0].info.general.${field}`,
    message,
  );
}

const location: readonly [string, string, string, RegExp][] = [
  [
    'a latitude beyond the pole',
    '{ "latitude": «91, "longitude": 0 }',
    'latitude',
    /from -90 to 90/,
  ],
  ['a latitude alone', '«{ "latitude": 9 }', 'longitude', /both coordinates, or neither/],
  ['a prefix with a plus', '{ "phoneCountryCode": «"+1" }', 'phoneCountryCode', /digits only/],
  ['a phone number in words', '{ "phone": «"ask Ada" }', 'phone', /not a phone number/],
  ['a phone number of two digits', '{ "phone": «"11" }', 'phone', /not a phone number/],
  [
    'a prefix in the number',
    '{ "phone": «"+1 617 555 0100" }',
    'phone',
    /without the country code/,
  ],
  ['a very long city', `{ "city": «"${'x'.repeat(256)}" }`, 'city', /at most 255 are allowed/],
];
for (const [title, section, field, message] of location) {
  testFault(
    `${title} is refused`,
    { info: `, "location": ${section}` },
    `restaurants[0].info.location.${field}`,
    message,
  );
}

const urls: readonly [string, string, string, RegExp][] = [
  ['a host alone', '{ "website": «"harbor.example" }', 'website', /not a web address/],
  ['another scheme', '{ "orderOnline": «"ftp://a.example" }', 'orderOnline', /https:\/\/example/],
  ['a script', '{ "checkGiftCard": «"javascript:void 0" }', 'checkGiftCard', /not a web address/],
  ['an empty address', '{ "purchaseGiftCard": «"" }', 'purchaseGiftCard', /not a web address/],
];
for (const [title, section, field, message] of urls) {
  testFault(
    `${title} in place of an address on the web is refused`,
    { info: `, "urls": ${section}` },
    `restaurants[0].info.urls.${field}`,
    message,
  );
}

const area: readonly [string, string, RegExp][] = [
  ['text that is no polyline', '«"not a polyline~~~"', /not an encoded polyline/],
  ['two points', '«"_p~iF~ps|U_ulLnnqC"', /has 2 points; an area needs at least three/],
  ['a point off the planet', '«"_p~iF~ps|U_ulLnnqC~~~~~B~~~~~B"', /which is not on Earth/],
];
for (const [title, text, message] of area) {
  testFault(
    `a delivery area of ${title} is refused`,
    { info: `, "delivery": { "enabled": true, "area": ${text} }` },
    'restaurants[0].info.delivery.area',
    message,
  );
}
testFault(
  'a negative minimum of a delivery is refused',
  { info: ', "delivery": { "minimum": «-1 }' },
  'restaurants[0].info.delivery.minimum',
  /must be (at least|from) 0/,
);
testFault(
  'a preparation time of half a minute is refused',
  { info: ', "prepTimes": { "takeoutPrepTime": «7.5 }' },
  'restaurants[0].info.prepTimes.takeoutPrepTime',
  /whole number/,
);

const schedules = (days: string, week = '{}') =>
  `, "schedules": { "daySchedules": ${days}, "weekSchedule": ${week} }`;
const day = (services: string, rest = '') =>
  `{ "1": { "scheduleName": "Day", "services": [${services}]${rest} } }`;
const service = (start: string, end: string, overnight: string) =>
  `{ "name": "S", "hours": { "startTime": ${start}, "endTime": ${end} },
     "overnight": ${overnight} }`;
const lunch = service('"11:00:00.000"', '"14:00:00.000"', 'false');
const nightOpen = '"22:00:00.000"';

const schedule: readonly [string, string, string, RegExp][] = [
  [
    'a weekday whose type of day does not exist',
    schedules(day(lunch), '{ "monday": «"2" }'),
    'weekSchedule.monday',
    /no "2" in daySchedules/,
  ],
  [
    'a key of a type of day that is no number',
    schedules('{ «"workday": { "scheduleName": "Day", "services": [] } }'),
    'daySchedules.workday',
    /must be a key of digits/,
  ],
  [
    'a key of a type of day that is very long',
    schedules('{ "1234567890": «{ "scheduleName": "Day", "services": [] } }'),
    'daySchedules["1234567890"]',
    /at most 9 digits/,
  ],
  [
    'a time without milliseconds',
    schedules(day(service('«"11:00:00"', '"14:00:00.000"', 'false'))),
    'daySchedules["1"].services[0].hours.startTime',
    /HH:mm:ss\.SSS/,
  ],
  [
    'a time of day that there is not',
    schedules(day(service('"11:00:00.000"', '«"24:00:00.000"', 'false'))),
    'daySchedules["1"].services[0].hours.endTime',
    /HH:mm:ss\.SSS/,
  ],
  [
    'an opening that is not the first service',
    schedules(day(lunch, ', "openTime": «"10:00:00.000"')),
    'daySchedules["1"].openTime',
    /must be the start of the first service, 11:00:00.000/,
  ],
  [
    'a closing that is not the last service',
    schedules(day(lunch, ', "closeTime": «"15:00:00.000"')),
    'daySchedules["1"].closeTime',
    /must be the end of the last service, 14:00:00.000/,
  ],
  [
    'a service beyond midnight that does not say so',
    schedules(day(service(nightOpen, '"02:00:00.000"', '«false'))),
    'daySchedules["1"].services[0].overnight',
    /must be true/,
  ],
  [
    'a service that says overnight and is not',
    schedules(day(service('"11:00:00.000"', '"14:00:00.000"', '«true'))),
    'daySchedules["1"].services[0].overnight',
    /must be false/,
  ],
  [
    'an overnight service beyond the closeout hour',
    schedules(day(service(nightOpen, '«"05:00:00.000"', 'true'))),
    'daySchedules["1"].services[0].hours.endTime',
    /at most 04:00:00.000, when the business day ends/,
  ],
  [
    'services out of order',
    schedules(day(`${lunch}, «${service('"06:00:00.000"', '"10:00:00.000"', 'false')}`)),
    'daySchedules["1"].services[1]',
    /starts before the service above it/,
  ],
];
for (const [title, info, path, message] of schedule) {
  testFault(
    `restaurants RST-5: ${title} is refused`,
    { info },
    `restaurants[0].info.schedules.${path}`,
    message,
  );
}

test('group document RST-5: what is left out of a restaurant is the default, null, or empty', () => {
  const [restaurant] = readGroupDocument(documentText({})).restaurants;
  assert.equal(restaurant?.info.general.closeoutHour, 4);
  assert.equal(restaurant?.info.general.archived, false);
  assert.equal(restaurant?.info.location.city, null);
  assert.deepEqual(restaurant?.info.schedules.daySchedules, {});
  assert.equal(restaurant?.info.delivery.enabled, false);
  assert.deepEqual(restaurant?.objects, []);
});

test('group document RST-5: a bar may be open over midnight, up to its closeout hour', () => {
  const night = service(nightOpen, '"04:00:00.000"', 'true');
  const late = service('"00:30:00.000"', '"03:00:00.000"', 'true');
  for (const services of [night, `${lunch}, ${night}`, `${lunch}, ${late}`]) {
    readGroupDocument(documentText({ info: schedules(day(services)) }));
  }
  const toMidnight = service('"18:00:00.000"', '"00:00:00.000"', 'false');
  readGroupDocument(documentText({ info: schedules(day(toMidnight)) }));
});
