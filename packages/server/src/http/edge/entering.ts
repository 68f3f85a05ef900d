import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnsweringEnvironment, SandboxEntrance } from './environments.ts';
import { originForm } from './request-target.ts';

const SANDBOX_PATH = /^\/sandboxes\/([^/?]+)(?=[/?]|$)/;

/**
 * Leads requests below `/sandboxes/<name>` to their sandbox, and takes that part off their URL: from
 * there on they look like requests to the main environment.
 */
export class Entering<Face> {
  readonly #entrance: SandboxEntrance;
  readonly #makeFace: (environment: AnsweringEnvironment) => Face;
  readonly #faces = new WeakMap<AnsweringEnvironment, Face>();
  readonly #entered = new WeakMap<IncomingMessage, Face>();
  readonly #refused = new WeakMap<IncomingMessage, unknown>();

  constructor(entrance: SandboxEntrance, makeFace: (environment: AnsweringEnvironment) => Face) {
    this.#entrance = entrance;
    this.#makeFace = makeFace;
  }

  /** Null for a request to the main environment. Resolves to null if `refusalOf` says why. */
  enter(request: IncomingMessage, response: ServerResponse): Promise<Face | null> | null {
    const { url = '/' } = request;
    if (!url.includes('/sandboxes/')) return null;
    const target = originForm(url) ?? '';
    const [start, name] = SANDBOX_PATH.exec(target) ?? [];
    if (start === undefined || name === undefined) return null;
    const rest = target.slice(start.length);
    return this.#enter(name, rest.startsWith('/') ? rest : `/${rest}`, request, response);
  }

  async #enter(
    name: string,
    url: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Face | null> {
    try {
      const visit = await this.#entrance.enter(name);
      response.once('close', () => visit.leave());
      // The caller went away meanwhile.
      if (response.closed) visit.leave();
      request.url = url;
      const face = this.#faceOf(visit.environment);
      this.#entered.set(request, face);
      return face;
    } catch (error) {
      this.#refused.set(request, error);
      return null;
    }
  }

  /** For a request that one which has entered makes. */
  stay(request: IncomingMessage, face: Face): void {
    this.#entered.set(request, face);
  }

  faceOf(request: IncomingMessage): Face | undefined {
    return this.#entered.get(request);
  }

  refusalOf(request: IncomingMessage): unknown {
    return this.#refused.get(request);
  }

  #faceOf(environment: AnsweringEnvironment): Face {
    const face = this.#faces.get(environment) ?? this.#makeFace(environment);
    this.#faces.set(environment, face);
    return face;
  }
}
