/** Preloaded by `--import`: plants the defect that the environment names. */
import { registerHooks } from 'node:module';
import { plantedDefect } from './environment.ts';
import { defects } from './list.ts';

const planted = defects.find(({ name }) => name === plantedDefect());

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== planted?.url) return loaded;
    // A module may assign to a function that it declares, and everyone who imports it sees that.
    const code = `
      import { broken as broken_ } from '${import.meta.url}';
      ${planted.target} = broken_(${planted.target});`;
    return { ...loaded, source: `${loaded.source}\n${code}` };
  },
});

/** The broken form of the export, for the module that it is planted in. */
export function broken(sound: never): unknown {
  return planted?.breakIt(sound);
}
