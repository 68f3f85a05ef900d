// The package's main file would load country names in 80 languages.
import countries from 'i18n-iso-countries/index.js';

export function isCountryCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text) && countries.alpha3ToAlpha2(text) !== undefined;
}
