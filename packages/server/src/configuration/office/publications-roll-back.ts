import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { PublishDeps } from '../publish.ts';
import { rollBack } from '../roll-back.ts';
import { examiningFor } from './let-in-again.ts';
import { noSuchPublication } from './no-such-publication.ts';
import { publicationOnWire } from './on-wire.ts';

export const rollBackHandler =
  (
    deps: PublishDeps & { readonly realClock: Clock },
  ): HandlerOf<'backOffice.configuration.publications.rollBack'> =>
  async (request) => {
    const { restaurant, params, body } = request;
    const { expectedNumber = null, note = null } = body;
    const order = { restaurantGuid: restaurant.guid, number: params.number, expectedNumber, note };
    const origin = originOf(request, deps.realClock);
    const row = await rollBack(examiningFor(deps, request), order, origin);
    if (!row) throw noSuchPublication();
    return { json: publicationOnWire(row) };
  };
