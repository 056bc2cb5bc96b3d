import type { IncomingMessage, ServerResponse } from 'node:http'
import { metadataPaths, providerPath } from './addresses.ts'
import type { ProviderServer, ProviderServerOptions } from './provider-server.ts'

/**
 * The embedded provider, loaded on its first request: its dependencies would take the largest part of a
 * start, and many nodes never serve a sign-in.
 */
export class LazyProvider {
  readonly #optionsOf: () => ProviderServerOptions
  #server: Promise<ProviderServer> | undefined

  /** @param optionsOf called once, on the first request */
  constructor(optionsOf: () => ProviderServerOptions) {
    this.#optionsOf = optionsOf
  }

  /** Whether a path, with its query, is the provider's. */
  serves(url: string | undefined): boolean {
    return url !== undefined && (url.startsWith(`${providerPath}/`) || metadataPaths.has(url))
  }

  async handle(request: IncomingMessage, response: ServerResponse, callerAddress: string): Promise<void> {
    this.#server ??= this.#load()
    const server = await this.#server
    await server.handle(request, response, callerAddress)
  }

  async #load(): Promise<ProviderServer> {
    const { ProviderServer } = await withoutRuntimeWarning(() => import('./provider-server.ts'))
    return new ProviderServer(this.#optionsOf())
  }
}

/** When it is loaded, `oidc-provider` warns about every Node version that is not an LTS release yet. */
async function withoutRuntimeWarning<Module>(load: () => Promise<Module>): Promise<Module> {
  const { warn } = console
  // oxlint-disable-next-line no-console -- logs nothing: it filters out one of the package's own lines
  console.warn = (...parts: unknown[]) => {
    if (!/oidc-provider WARNING: Unsupported runtime/.test(String(parts[0]))) warn.apply(console, parts)
  }
  try {
    return await load()
  } finally {
    // oxlint-disable-next-line no-console -- as above
    console.warn = warn
  }
}
