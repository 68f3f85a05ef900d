import { partnerCollections } from '@servery/contract';
import type { HandlersOf } from '../../http/operation.ts';
import { renderer } from '../render.ts';
import { listChangesHandler } from './changes-list.ts';
import { type GetObjectDeps, getHandler } from './get.ts';
import { type ListObjectsDeps, listHandler } from './list.ts';
import { tipWithholdingHandler } from './tip-withholding-get.ts';

export type ConfigurationDeps = GetObjectDeps & ListObjectsDeps;

export function configurationHandlers(
  deps: ConfigurationDeps,
): HandlersOf<'configuration.' | 'platform.changes.'> {
  const entries = partnerCollections.flatMap(({ name }) => {
    const render = renderer(name, deps.brand);
    return [
      [`configuration.${name}.list`, listHandler(deps, name, render)],
      [`configuration.${name}.get`, getHandler(deps, name, render)],
    ];
  });
  return {
    // The ids come from the same list of collections as the contract's.
    ...(Object.fromEntries(entries) as HandlersOf<'configuration.'>),
    'configuration.tipWithholding.get': tipWithholdingHandler(deps),
    'platform.changes.list': listChangesHandler(deps),
  };
}
