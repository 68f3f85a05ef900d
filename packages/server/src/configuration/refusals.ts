import type { ConfigurationFault } from '@servery/contract';
import { ApiError, type Fault } from '../http/errors.ts';
import type { CheckedConfiguration } from './check-configuration.ts';
import type { ObjectPlace } from './document/contents.ts';
import { placeKey } from './object-state.ts';

/** Doesn't say which restaurant: the caller may not reach it. */
export const TAKEN_ELSEWHERE =
  'is the GUID of an object of another restaurant of the group; leave it out to get a new one';

export function nothingToPublish(hasDrafts: boolean): ApiError {
  return new ApiError(
    'conflict',
    hasDrafts
      ? 'There is nothing to publish: the drafts are the same as what is published. Discard them.'
      : 'There is nothing to publish: no object has a draft. Somebody may have just published or ' +
          'discarded them: see the history of publications.',
  );
}

/** `prefix` names the restaurant when there are several; else it is empty. */
export function throwNaming(prefix: string, error: unknown): never {
  if (prefix === '' || !(error instanceof ApiError) || error.errorClass !== 'conflict') throw error;
  const { faults, message } = error;
  throw new ApiError('conflict', `${prefix}${message}`, { faults, cause: error });
}

export function nothingDiffers(number: number): ApiError {
  return new ApiError(
    'conflict',
    `There is nothing to roll back: what is published now is the same as publication ${number}.`,
  );
}

export function stateMoved(what: 'drafts' | 'configuration'): ApiError {
  return new ApiError(
    'conflict',
    what === 'drafts'
      ? 'The drafts or the published configuration changed since the preview that expectedState is ' +
          'from: look at a new preview, and send its state.'
      : 'The configuration was published again since the plan that expectedState is from: make a ' +
          'new plan, and send its state.',
  );
}

export function objectMoved(): ApiError {
  return new ApiError(
    'conflict',
    'The object has changed since you read it: read it again, and send its state as expectedState.',
  );
}

export function outdatedDrafts(places: readonly ObjectPlace[]): ApiError {
  return new ApiError(
    'conflict',
    'Some objects have changed since their drafts were started, and publishing ' +
      'would undo that: look at a preview and send its state as expectedState, or discard these ' +
      'drafts.',
    { faults: faultsAt(places, 'is outdated') },
  );
}

export function withoutDrafts(
  errorClass: 'conflict' | 'unprocessable',
  places: readonly ObjectPlace[],
): ApiError {
  return new ApiError(
    errorClass,
    'Some of the objects have no draft: somebody may have just published or discarded it. List ' +
      'the drafts, and name only objects that have one.',
    { faults: faultsAt(places, 'has no draft') },
  );
}

export function draftedOtherwise(faults: readonly Fault[]): ApiError {
  return new ApiError(
    'conflict',
    'Drafts have other values for some of the fields that the document changes. Publish or discard ' +
      'these drafts first, or send conflicts to keep or replace their values. Nothing was changed.',
    { faults: faults.slice(0, 50) },
  );
}

function faultsAt(places: readonly ObjectPlace[], message: string): Fault[] {
  return places.slice(0, 50).map((place) => ({ where: placeKey(place), message }));
}

export function brokenRules(
  { faults, faultCount }: Pick<CheckedConfiguration, 'faults' | 'faultCount'>,
  prefix = '',
): ApiError {
  const told = faults.map((fault) => ({
    where: `${prefix}${whereOf(fault)}`,
    message: fault.message,
  }));
  const shown = told.slice(0, 3).map(({ where, message }) => `${where}: ${message}`);
  const rest = faultCount > shown.length ? `; and ${faultCount - shown.length} more` : '';
  return new ApiError(
    'unprocessable',
    `The drafts cannot be published: ${shown.join('; ')}${rest}. Fix them, then try again.`,
    { faults: told },
  );
}

function whereOf({ collection, guid, name, field }: ConfigurationFault): string {
  const called = name === null ? '' : ` ${JSON.stringify(name)}`;
  const object = guid === null ? collection : `${collection}/${guid}${called}`;
  return field === '' ? object : `${object} ${field}`;
}

export function noSuchPublication(): ApiError {
  return new ApiError(
    'notFound',
    'The restaurant has no publication with this number: the history lists them.',
  );
}
