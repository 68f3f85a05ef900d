import type { DocumentObject } from '../../configuration/document/document.ts';
import type { GroupDocument } from '../../group-document/document.ts';
import { oneRestaurant, PUBLISHED } from './one-restaurant.ts';

export const HUGE_GROUP_NAME = 'Endless Menu Restaurants';

function words(text: string): string[] {
  return text.trim().split(/,\s+/);
}

function withPrice(text: string): { main: string; price: number } {
  const end = text.lastIndexOf(' ');
  return { main: text.slice(0, end), price: Number(text.slice(end)) };
}

const PREPARATIONS = words(`
  Baked, Barbecued, Blackened, Braised, Broiled, Charred, Crispy, Fried, Glazed, Grilled,
  Herbed, Honeyed, Marinated, Pan-Seared, Peppered, Pickled, Poached, Roasted, Sautéed, Smoked,
  Spiced, Steamed, Stewed, Stuffed, Toasted`);
// Each with the price of its simplest dish.
const MAIN_PRICES = words(`
  Artichoke 12.50, Aubergine 11.75, Beef Rib 24.50, Brisket 19.75, Cabbage 9.50, Catfish 15.25,
  Cauliflower 11.50, Chicken 14.75, Chickpeas 10.50, Clams 18.25, Cod 19.50, Crab Cake 22.75,
  Duck 25.50, Fennel 10.75, Goat 18.50, Halibut 28.25, Halloumi 13.50, Lamb 26.75, Lobster 38.50,
  Mackerel 15.75, Meatballs 14.25, Monkfish 27.50, Mushrooms 12.25, Mussels 16.75, Octopus 21.50,
  Oysters 23.25, Paneer 13.25, Pork Belly 17.75, Prawns 20.25, Quail 22.50, Rabbit 21.75,
  Salmon 21.25, Scallops 29.50, Seitan 12.75, Squash 10.25, Squid 17.25, Tempeh 12.75,
  Tofu 11.25, Trout 18.75, Turkey 15.50`).map(withPrice);
const MAINS = MAIN_PRICES.map(({ main }) => main);
// With all of them, the document of the menus interface would be larger than its limit (MENU-28).
const MAINS_ON_THE_MENU = MAINS.slice(0, 24);
const SIDES = words(`
  Almond Crumb, Apple Slaw, Baby Carrots, Barley, Basmati Rice, Beetroot, Black Beans,
  Bread Salad, Brown Butter, Buckwheat, Bulgur, Butter Beans, Caper Sauce, Celeriac Mash, Chard,
  Chimichurri, Corn Pudding, Couscous, Cucumber, Dill Potatoes, Egg Noodles, Endive, Farro,
  French Fries, Garlic Bread, Ginger Greens, Gremolata, Grits, Hash Browns, Horseradish, Kale,
  Leeks, Lemon Butter, Lentils, Mint Yogurt, Mushy Peas, Mustard Cream, Okra, Orzo, Peperonata,
  Polenta, Quinoa, Radicchio, Ratatouille, Red Cabbage, Salsa Verde, Spätzle, Spinach,
  Sweet Potato, Wild Rice`);

/** 50,000 menu items: every preparation of every main with every side. The same on every call. */
export function hugeGroupDocument(): GroupDocument {
  const published = <Thing extends object>(thing: Thing) => ({ ...thing, modifiedDate: PUBLISHED });
  return oneRestaurant(HUGE_GROUP_NAME, 'The Endless Menu', {
    configuration: {
      menus: [published({ name: 'Everything', groups: MAINS_ON_THE_MENU })],
      menuGroups: MAINS.map((main) => published(menuGroup(main))),
      menuItems: MAIN_PRICES.flatMap(dishesOf).map(published),
      menuOptionGroups: [
        published({
          name: 'Extra side',
          options: EXTRAS,
          minSelections: 0,
          maxSelections: 3,
          pricingMode: 'GROUP',
          groupPricing: { strategy: 'SEQUENCE_PRICE', sequencePrices: [4.5, 4, 3.5] },
        }),
      ],
    },
    stock: [],
  });
}

const EXTRAS = SIDES.slice(0, 20).map((side) => dishName('Steamed', 'Cabbage', side));

function menuGroup(main: string): DocumentObject {
  const dishes = PREPARATIONS.flatMap((preparation) =>
    SIDES.map((side) => dishName(preparation, main, side)),
  );
  return { name: main, items: dishes };
}

function dishesOf({ main, price }: { main: string; price: number }): DocumentObject[] {
  return PREPARATIONS.flatMap((preparation, cooked) =>
    SIDES.map((side, beside) => ({
      name: dishName(preparation, main, side),
      pricing: {
        strategy: 'BASE_PRICE',
        price: price + 0.25 * (cooked % 5) + 0.5 * (beside % 6),
      },
      type: 'NONE',
      sku: `${main.slice(0, 3).toUpperCase()}-${cooked}-${beside}`,
      calories: 250 + 20 * cooked + 5 * beside,
      optionGroups: beside % 10 === 0 ? ['Extra side'] : [],
    })),
  );
}

function dishName(preparation: string, main: string, side: string): string {
  return `${preparation} ${main} with ${side}`;
}
