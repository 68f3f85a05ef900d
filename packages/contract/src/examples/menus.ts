import { type Examples, exampleGuid, exampleMultiLocationId, serials } from './example.ts';

const changed = {
  restaurantGuid: exampleGuid(serials.restaurant),
  lastUpdated: '2026-01-31T18:30:00.000+0000',
};

const object = (name: string, serial: number) => ({
  name,
  guid: exampleGuid(serial),
  multiLocationId: exampleMultiLocationId,
});

const button = { posName: '', posButtonColorLight: '#f7f7f7', posButtonColorDark: '#1a1c23' };

const identified = (name: string, serial: number) => ({
  ...object(name, serial),
  // Written as the whole number, which is beyond 2^53.
  masterId: Number(exampleMultiLocationId),
  ...button,
});

const visibility = ['POS', 'KIOSK', 'ORDERING_PARTNERS'];

const goods: Omit<
  Examples<'ModifierOption'>['ModifierOption'],
  | keyof ReturnType<typeof identified>
  | 'referenceId'
  | 'price'
  | 'pricingStrategy'
  | 'pricingRules'
  | 'modifierOptionTaxInfo'
  | 'isDefault'
  | 'allowsDuplicates'
  | 'modifierGroupReferences'
> = {
  description: '',
  image: null,
  images: [],
  visibility,
  kitchenName: '',
  itemTags: [],
  plu: '',
  sku: '',
  calories: null,
  contentAdvisories: { alcohol: { containsAlcohol: 'NO' } },
  unitOfMeasure: 'NONE',
  portions: [],
  prepTime: null,
  prepStations: [],
  allergens: [],
  length: null,
  height: null,
  width: null,
  dimensionUnitOfMeasure: null,
  weight: null,
  weightUnitOfMeasure: null,
  guestCount: null,
  sortOrder: null,
  salesCategory: null,
  taxInfo: [exampleGuid(serials.taxRate)],
};

const MenusDocument: Examples<'MenusDocument'>['MenusDocument'] = {
  ...changed,
  restaurantTimeZone: 'America/New_York',
  menus: [
    {
      ...identified('Dinner', serials.menu),
      description: 'From five',
      highResImage: null,
      image: null,
      visibility,
      availability: {
        alwaysAvailable: false,
        schedule: [
          { days: ['FRIDAY', 'SATURDAY'], timeRanges: [{ start: '17:00', end: '22:59' }] },
        ],
      },
      menuGroups: [
        {
          ...identified('Tacos', serials.menuGroup),
          description: '',
          image: null,
          visibility,
          itemTags: [],
          menuGroups: [],
          menuItems: [
            {
              ...identified('Fish tacos', serials.menuItem),
              ...goods,
              image: 'https://images.example/kitchen/fish-tacos.jpg',
              images: ['https://images.example/kitchen/fish-tacos.jpg'],
              price: 12.5,
              pricingStrategy: 'TIME_SPECIFIC_PRICE',
              pricingRules: {
                timeSpecificPricingRules: [
                  {
                    timeSpecificPrice: 10,
                    basePrice: 12.5,
                    schedule: [
                      { days: ['TUESDAY'], timeRanges: [{ start: '16:00', end: '17:59' }] },
                    ],
                  },
                ],
                sizeSpecificPricingGuid: null,
                sizeSequencePricingRules: [],
              },
              isDeferred: false,
              isDiscountable: true,
              taxInclusion: 'TAX_NOT_INCLUDED',
              eligiblePaymentAssistancePrograms: [],
              modifierGroupReferences: [1],
              isComboParent: null,
            },
          ],
        },
      ],
    },
  ],
  modifierGroupReferences: {
    '1': {
      ...identified('Salsas', serials.menuOptionGroup),
      referenceId: 1,
      visibility,
      pricingStrategy: 'NONE',
      pricingRules: null,
      defaultOptionsChargePrice: 'YES',
      defaultOptionsSubstitutionPricing: 'NO',
      minSelections: 0,
      maxSelections: 3,
      requiredMode: 'OPTIONAL',
      isMultiSelect: true,
      preModifierGroupReference: 2,
      modifierOptionReferences: [3],
    },
  },
  modifierOptionReferences: {
    '3': {
      ...identified('Salsa verde', serials.modifierItem),
      ...goods,
      referenceId: 3,
      price: 0.75,
      pricingStrategy: 'BASE_PRICE',
      pricingRules: null,
      modifierOptionTaxInfo: {
        taxRateGuids: [exampleGuid(serials.taxRate)],
        overrideItemTaxRates: false,
      },
      isDefault: false,
      allowsDuplicates: false,
      modifierGroupReferences: [],
    },
  },
  preModifierGroupReferences: {
    '2': {
      referenceId: 2,
      ...object('Standard', serials.preModifierGroup),
      preModifiers: [
        {
          ...object('EXTRA', serials.preModifier),
          fixedPrice: null,
          multiplicationFactor: 1.5,
          displayMode: 'PREFIX',
          ...button,
          chargeAsExtra: null,
          plu: '',
        },
      ],
    },
  },
};

export const menuExamples: Examples<'MenusDocument' | 'MenusMetadata'> = {
  MenusDocument,
  MenusMetadata: changed,
};
