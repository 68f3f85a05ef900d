import { Client } from '@servery/client/back-office';
import type { CreatedSandbox, CreateSandbox } from '@servery/contract';
import type { TestPlatform } from './platform.ts';

/** Nobody drops what a killed process leaves on a platform that goes on. */
const TTL = 'PT1H';

/** Makes the sandboxes of a test run, one ahead: making one takes longer than most tests. */
export class SandboxPool {
  readonly #operator: Client;
  readonly #from: CreateSandbox['from'];
  #spare: Promise<CreatedSandbox> | null = null;
  #isEnding = false;

  constructor({ baseUrl, clientId, clientSecret, from }: TestPlatform) {
    this.#operator = new Client({ baseUrl, credentials: { clientId, clientSecret } });
    this.#from = from;
  }

  /** Makes a spare one, unless there is one. */
  prepare(): void {
    if (this.#isEnding) return;
    this.#spare ??= this.#make(this.#from);
    // The one who takes it hears of it.
    this.#spare.catch(() => {});
  }

  async take(from: CreateSandbox['from'] | null): Promise<CreatedSandbox> {
    if (from) return await this.#make(from);
    const spare = this.#spare;
    this.#spare = null;
    const taken = await (spare ?? this.#make(this.#from));
    this.prepare();
    return taken;
  }

  async drop(name: string): Promise<void> {
    await this.#operator.call('backOffice.sandboxes.drop', { params: { name } });
  }

  /** Drops the spare one. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const spare = await this.#spare;
    if (spare) await this.drop(spare.name);
  }

  async #make(from: CreateSandbox['from']): Promise<CreatedSandbox> {
    return await this.#operator.call('backOffice.sandboxes.create', { body: { from, ttl: TTL } });
  }
}
