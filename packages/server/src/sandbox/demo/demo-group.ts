import { readFileSync } from 'node:fs';
import type {
  DocumentConfiguration,
  DocumentObject,
} from '../../configuration/document/document.ts';
import type { DocumentRestaurant, GroupDocument } from '../../group-document/document.ts';

// The order in which they opened; the last one has closed.
const RESTAURANTS = [
  'early-wren',
  'pizzeria-tsubame',
  'nachtschwalbe',
  'hudhud-kitchens',
  'cafe-mesange',
] as const;

// A GUID follows from names alone, but a date that is absent becomes the time of the import. With
// this one a sandbox has the same times, and so the same pages, wherever and whenever it starts.
const PUBLISHED = '2026-01-12T09:00:00.000Z';

/**
 * The demo group of the sandbox as a group document in its short form, read from the JSON files
 * beside this module: the same content on every call, and a copy of its own for each caller.
 * Objects that name no date of change carry one fixed date.
 */
export function demoGroupDocument(): GroupDocument {
  const group = readJson<GroupDocument>('group');
  return { ...group, restaurants: RESTAURANTS.map(readRestaurant) };
}

/** The name of the demo group. */
export function demoGroupName(): string {
  return readJson<GroupDocument>('group').managementGroup.name;
}

function readRestaurant(name: (typeof RESTAURANTS)[number]): DocumentRestaurant {
  const restaurant = readJson<DocumentRestaurant>(name);
  return { ...restaurant, configuration: dated(restaurant.configuration ?? {}) };
}

function dated(configuration: DocumentConfiguration): DocumentConfiguration {
  const withDate = (object: DocumentObject) => ({ modifiedDate: PUBLISHED, ...object });
  const entries = Object.entries(configuration).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(withDate) : withDate(value as DocumentObject),
  ]);
  return Object.fromEntries(entries);
}

function readJson<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
}
