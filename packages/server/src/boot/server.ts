import { join } from 'node:path';
import { newRandomId } from '@servery/support/ids.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { findLedgerId } from '../database/environment.ts';
import { announceAddress } from '../database/processes.ts';
import { createApplication } from '../http/edge/application.ts';
import { BUILT_CONSOLE, ConsoleFiles } from '../http/edge/console-files.ts';
import { listen, listenTls } from '../http/edge/listen.ts';
import { openConnections } from '../http/edge/open-connections.ts';
import { developmentCertificate, readCertificate } from '../http/edge/tls.ts';
import { McpEndpoint } from '../mcp/endpoint.ts';
import { ledgersOf } from '../payments/processors/ledgers.ts';
import { beginProcessor, type ComingProcessor } from '../payments/processors/open.ts';
import { claimLedger } from '../payments/processors/own-ledger.ts';
import { announceFirstOperator } from '../people/first-operator.ts';
import { refuseOtherDatabase } from '../sandbox/data-folder.ts';
import { announceSandbox } from '../sandbox/prepare.ts';
import { checkBeforeStart } from './before-start.ts';
import type { BegunStart } from './begin-start.ts';
import { openEnvironment } from './environment.ts';
import type { Parts } from './parts.ts';
import { openSandboxes, type Sandboxes } from './sandboxes.ts';
import type { WorkerTies } from './workers/link.ts';

export interface Platform {
  readonly url: string;
  readonly tlsUrl: string | null;
  /** Shown before the line that says the server is ready; may be empty. */
  readonly greeting: string;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly onProgress?: (line: string) => void;
  readonly worker?: WorkerTies;
  /** If set, `checkBeforeStart` has passed. */
  readonly begun?: BegunStart;
}

/** Throws an Error that says what to do, and stops what it started. */
export async function start(config: Config, options: StartOptions = {}): Promise<Platform> {
  const { worker, begun, onProgress = () => {} } = options;
  const instance = worker?.groupId ?? newRandomId();
  const stopping = begun?.stopping ?? new AbortController();
  const undo = new AsyncDisposableStack();
  const stop = async () => {
    stopping.abort();
    await undo.disposeAsync();
  };
  try {
    // With workers, the parent has checked, and the first worker fills the sandbox.
    if (!worker && !begun) await checkBeforeStart(config);
    const isFirst = worker?.isFirst ?? true;
    const coming = begun?.processor ?? beginProcessor(config, { onProgress, stopping });
    undo.defer(() => coming.close());
    let sandboxes: Sandboxes | null = null;
    const environment = await openEnvironment(config, {
      sandboxes: () => sandboxes,
      replayTargets: () => sandboxes?.replayTargets ?? null,
      ...{ onProgress, instance, isFirst, stopping, worker },
      ...{
        database: begun?.database,
        keyPairs: begun?.keyPairs,
        contents: begun?.contents ?? null,
      },
      openProcessor: async (database) => {
        const processor = await claimProcessor(coming, database);
        if (config.kind === 'sandbox' && isFirst) {
          await refuseOtherDatabase(config.dataDir, database);
        }
        return processor;
      },
    });
    undo.defer(environment.stop);
    const { parts, deps, handlers, sandbox, replaying } = environment;
    const local = { url: '' };
    if (config.kind === 'sandbox') {
      const ledgers = await ledgersOf(coming);
      sandboxes = await openSandboxes({ parts, ledgers, instance, replaying, local });
      undo.defer(sandboxes.stop);
    }
    const connections = await openConnections({ ...parts, ...config });
    const { trustedProxies } = config;
    const app = createApplication(
      {
        ...deps,
        trustedProxies,
        connections,
        ...(sandboxes && { sandboxEntrance: sandboxes.awake }),
        consoleFiles: new ConsoleFiles(BUILT_CONSOLE),
        toolServer: new McpEndpoint(),
      },
      handlers,
    );
    undo.defer(() => app.close());
    const { address } = parts;
    const url = await listen(app, config);
    address.url = config.publicUrl ?? url;
    local.url = localUrl(url);
    await announceAddress(parts.processes, address.url, onProgress);
    const certificate = await certificateOf(parts);
    const tls =
      config.tls && certificate && (await listenTls(app, config.tls, certificate, connections));
    if (tls) undo.defer(tls.close);
    const tlsUrl = tls?.url ?? null;
    const addresses = { url: address.url, ownUrl: url, tlsUrl, instance };
    const announced =
      sandbox && (await announceSandbox(sandbox.deps, sandbox.filled, addresses, parts.onError));
    if (announced?.waiting) undo.defer(announced.waiting.stop);
    const link = isFirst ? await announceFirstOperator(parts, address.url, onProgress) : '';
    return { url, tlsUrl, greeting: `${announced?.greeting ?? ''}${link}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function claimProcessor(coming: ComingProcessor, database: Database) {
  coming.tellLedger(await findLedgerId(database));
  const { processor, ...holder } = await coming.opening;
  await claimLedger(database, holder);
  return processor;
}

function certificateOf({ config: { tls, dataDir }, realClock }: Parts) {
  if (!tls) return null;
  return 'selfSigned' in tls
    ? developmentCertificate(join(dataDir, 'tls'), realClock)
    : readCertificate(tls.certFile, tls.keyFile);
}

/** Where this machine reaches itself, also if it listens at every address. */
function localUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
