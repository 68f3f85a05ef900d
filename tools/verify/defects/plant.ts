/** Preloaded by `--import`: plants the defect that the environment names. */
import { registerHooks } from 'node:module';
import { plantedDefect } from './environment.ts';
import { defects } from './list.ts';

const plants = defects.find(({ name }) => name === plantedDefect())?.plants ?? [];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const here = plants.filter((plant) => plant.url === url);
    if (here.length === 0) return loaded;
    // A function declaration can be assigned to in its own module, and all others see it change.
    const replaced = here.map(({ name }) => `${name} = broken_("${url}", "${name}", ${name});`);
    const taken = `import { broken as broken_ } from "${import.meta.url}";`;
    return { ...loaded, source: [String(loaded.source), taken, ...replaced].join('\n') };
  },
});

/** The broken form of an export, for the module that it is planted in. */
export function broken(url: string, name: string, sound: never): unknown {
  return plants.find((plant) => plant.url === url && plant.name === name)?.breakIt(sound);
}
