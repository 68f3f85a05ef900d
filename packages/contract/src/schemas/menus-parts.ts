import type { Static } from 'typebox';
import { answer, choice, decimal, flag, list, orNull, text, uuid, whole } from './field.ts';

export const MenuLabel = answer('The name of a sales category or an item tag.', {
  name: text('Its name.'),
  guid: uuid('Identifier of the object in the configuration. It never changes.'),
});
export type MenuLabel = Static<typeof MenuLabel>;

export const AlcoholAdvisory = answer('Whether it contains alcohol.', {
  containsAlcohol: orNull(choice('Null if the restaurant has not set it.', ['YES', 'NO'])),
});
export type AlcoholAdvisory = Static<typeof AlcoholAdvisory>;

export const ContentAdvisories = answer('What guests should know about the content.', {
  alcohol: AlcoholAdvisory,
});
export type ContentAdvisories = Static<typeof ContentAdvisories>;

export const ItemPortion = answer('A part of an item that takes modifiers of its own.', {
  name: text('Its name, for example 1st Half.'),
  guid: uuid('Identifier of the object in the configuration. It never changes.'),
  modifierGroupReferences: list(
    whole('A referenceId.', { minimum: 1 }),
    'The modifier groups whose options can go on this part: keys in modifierGroupReferences of ' +
      'the document.',
  ),
  priceScaleFactor: orNull(
    decimal('Factor for the price of an option on this part. Null means 1.', { minimum: 0 }),
  ),
});
export type ItemPortion = Static<typeof ItemPortion>;

export const ModifierOptionTaxInfo = answer('How an option is taxed.', {
  taxRateGuids: list(uuid('A tax rate.'), 'The tax rates of the option. Empty: not taxed.'),
  overrideItemTaxRates: flag(
    'Whether the rates replace those of the item or option that it modifies.',
  ),
});
export type ModifierOptionTaxInfo = Static<typeof ModifierOptionTaxInfo>;
