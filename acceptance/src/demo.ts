import { readFile } from 'node:fs/promises';
import type { JWK } from 'jose';
import { NotChecked } from './not-checked.ts';

/** An API account of the demo platform, as `demo.json` hands it out. */
export interface DemoClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userAccessType: string;
  readonly scopes: readonly string[];
}

/** A restaurant of the demo group. `archived` ones are there to be refused. */
interface DemoRestaurant {
  readonly guid: string;
  readonly name: string;
  readonly timeZone: string;
  readonly currencyCode: string;
  readonly archived: boolean;
}

/** A public card key (PAY-3, PAY-4) in both of its notations. */
export interface DemoCardKey {
  readonly keyId: string;
  readonly algorithm: string;
  readonly publicKeyPem: string;
  readonly publicKeyJwk: JWK;
}

/** A test card and what the sandbox's processor does with it. No number belongs to a person. */
export interface DemoTestCard {
  readonly name: string;
  readonly cardNumber: string;
  readonly brand: string;
  readonly cvv: string;
  readonly outcome: string;
  readonly denialReason?: string | null;
  /** HTTP status of the first PUT. */
  readonly status?: number;
  /** The state that the payment comes to by itself, before its apply deadline passes. */
  readonly settles: string;
  /** What voiding and capturing it end as; null when it is not authorized. */
  readonly whenVoided: string | null;
  readonly whenCaptured: string | null;
}

/** A person of the demo platform, with what logging in takes. */
interface DemoPerson {
  readonly personGuid: string;
  readonly email: string;
  readonly password: string;
  readonly role: string;
}

/** The names of the demo clients: four for partners, two for the back office. */
export type DemoClientName = 'partner' | 'readOnly' | 'group' | 'other' | 'orders' | 'operator';

/** The file that a sandbox platform writes when it is ready: all a black-box suite may know. */
export interface Demo {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly tlsUrl: string | null;
  readonly brand: string;
  readonly clients: Readonly<Record<DemoClientName, DemoClient>>;
  readonly people: readonly DemoPerson[];
  readonly managementGroupGuid: string;
  readonly restaurants: readonly DemoRestaurant[];
  readonly cardKeys: readonly DemoCardKey[];
  readonly testCards: readonly DemoTestCard[];
}

const REQUIRED = [
  'baseUrl',
  'authUrl',
  'brand',
  'clients',
  'people',
  'managementGroupGuid',
  'restaurants',
  'cardKeys',
  'testCards',
] as const;

/** Reads `demo.json`. Throws with the names of the keys that it lacks. */
export async function readDemo(path: string): Promise<Demo> {
  const demo = JSON.parse(await readFile(path, 'utf8'));
  const missing = REQUIRED.filter((key) => demo[key] === undefined);
  if (missing.length > 0) throw new Error(`${path} lacks ${missing.join(', ')}`);
  return demo;
}

/** The same, which throws NotChecked where a test reads something that is not in it. */
export function asGiven<Given extends object>(given: Given, place = ''): Given {
  return new Proxy(given, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      // Asked of any object by what prints or awaits it.
      if (typeof name === 'symbol' || /^(then|toJSON)$/.test(name)) return value;
      const isNothing = value === undefined || value === '';
      const isEmpty = isNothing || (Array.isArray(value) && value.length === 0);
      if (isEmpty) throw new NotChecked(`the platform file has no ${place}${name}`);
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isObject ? asGiven(value, `${place}${name}.`) : value;
    },
  });
}
