import {
  type EventKind,
  type EventType,
  eventKinds,
  eventTypes,
  type Scope,
} from '@servery/contract';

/** HOOK-2: the types of events that an account with these scopes may receive. */
export function typesFor(scopes: ReadonlySet<Scope>): EventType[] {
  return eventTypes.filter((type) => {
    const { scope, unlessScope }: EventKind = eventKinds[type];
    return (scope === null || scopes.has(scope)) && !(unlessScope && scopes.has(unlessScope));
  });
}

/** Those that a reader of the log gets; `asked` is the type that it wants. */
export function readableTypes(
  { scopes }: { readonly scopes: ReadonlySet<Scope> },
  asked: EventType | undefined,
): EventType[] {
  return typesFor(scopes).filter((type) => asked === undefined || type === asked);
}
