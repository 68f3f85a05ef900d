// Without the names of countries in 80 languages, which the package's main file loads.
import countries from 'i18n-iso-countries/index.js';

/** True for a country code of ISO 3166-1 alpha-3, in capitals (PAY-10). */
export function isCountryCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text) && countries.alpha3ToAlpha2(text) !== undefined;
}
