import type { DocumentObject } from '../../configuration/document/document.ts';
import type { GroupDocument } from '../../group-document/document.ts';
import { oneRestaurant, PUBLISHED } from './one-restaurant.ts';

export const HUGE_GROUP_NAME = 'Endless Menu Restaurants';

function words(text: string): string[] {
  return text.trim().split(/,\s+/);
}

const PREPARATIONS = words(`
  Baked, Barbecued, Blackened, Braised, Broiled, Charred, Crispy, Fried, Glazed, Grilled,
  Herbed, Honeyed, Marinated, Pan-Seared, Peppered, Pickled, Poached, Roasted, Sautéed, Smoked,
  Spiced, Steamed, Stewed, Stuffed, Toasted`);
const MAINS = words(`
  Artichoke, Aubergine, Beef Rib, Brisket, Cabbage, Catfish, Cauliflower, Chicken, Chickpeas,
  Clams, Cod, Crab Cake, Duck, Fennel, Goat, Halibut, Halloumi, Lamb, Lobster, Mackerel,
  Meatballs, Monkfish, Mushrooms, Mussels, Octopus, Oysters, Paneer, Pork Belly, Prawns, Quail,
  Rabbit, Salmon, Scallops, Seitan, Squash, Squid, Tempeh, Tofu, Trout, Turkey`);
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
      menus: [published({ name: 'Everything', groups: MAINS })],
      menuGroups: MAINS.map((main) => published(menuGroup(main))),
      menuItems: MAINS.flatMap(dishesOf).map(published),
      menuOptionGroups: [
        published({ name: 'Extra side', options: EXTRAS, minSelections: 0, maxSelections: 3 }),
      ],
    },
    stock: [],
  });
}

const EXTRAS = SIDES.slice(0, 20).map((side) => dishName('Steamed', 'Cabbage', side));

function menuGroup(main: string): DocumentObject {
  return { name: main, items: dishesOf(main).map(({ name }) => String(name)) };
}

function dishesOf(main: string): DocumentObject[] {
  return PREPARATIONS.flatMap((preparation, cooked) =>
    SIDES.map((side, beside) => ({
      name: dishName(preparation, main, side),
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
