import { readFileSync } from 'node:fs';
import type {
  DocumentConfiguration,
  DocumentObject,
} from '../../configuration/document/document.ts';
import type { DocumentRestaurant, GroupDocument } from '../../group-document/document.ts';
import { PUBLISHED } from '../profiles/one-restaurant.ts';

// In the order in which they opened; the last one has closed.
const RESTAURANTS = [
  'early-wren',
  'pizzeria-tsubame',
  'nachtschwalbe',
  'hudhud-kitchens',
  'cafe-mesange',
] as const;

/** Returns the same content on every call, as a new copy. */
export function demoGroupDocument(): GroupDocument {
  const group = readJson<GroupDocument>('group');
  return { ...group, restaurants: RESTAURANTS.map(readRestaurant) };
}

export function demoGroupName(): string {
  return readJson<GroupDocument>('group').managementGroup.name;
}

function readRestaurant(name: (typeof RESTAURANTS)[number]): DocumentRestaurant {
  const restaurant = readJson<DocumentRestaurant>(name);
  return { ...restaurant, configuration: dated(restaurant.configuration ?? {}) };
}

function dated(configuration: DocumentConfiguration): DocumentConfiguration {
  // Without a date, an object gets the time of the import.
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
