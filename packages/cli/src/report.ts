import { ConfigError, InvalidGroupDocument } from '@servery/server';
import { CommanderError } from 'commander';
import { CommandFailure, exitCodes } from './exit-codes.ts';
import { type Listener, tell } from './tell.ts';

export function report(error: unknown, listener: Listener): number {
  const say = (text: string) => tell(listener, `servery: ${text}`);
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.invalid;
  }
  if (error instanceof CommandFailure) {
    if (error.message !== '') say(error.message);
    return error.exitCode;
  }
  if (error instanceof ConfigError) {
    say(`the settings are wrong:\n${error.faults.map((fault) => `  - ${fault}`).join('\n')}`);
    return exitCodes.invalid;
  }
  if (error instanceof InvalidGroupDocument) {
    const { faultCount, message } = error;
    const count = faultCount === 1 ? 'one error' : `${faultCount} errors`;
    say(`the document has ${count} and nothing was imported:\n${message}`);
    return exitCodes.invalid;
  }
  say(messageOf(error));
  return exitCodes.failure;
}

/** A connection that fails at each of several addresses has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
