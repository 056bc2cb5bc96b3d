import { CredentialFailure, type GatewayLog, type UpstreamClient } from '@turnpike/gateway'
import type { DeploymentList, EntraIdentity, Provider } from '@turnpike/vendors'
import { DeploymentsError, listDeployments, type Deployment } from './list-deployments.ts'

const everyMs = 600_000
const afterFailureMs = 60_000
const mintMs = 10_000

export interface WatchDeploymentsOptions {
  client: UpstreamClient
  log: GatewayLog
  /** Called with each list that differs from the previous one. */
  onChange: (provider: string, deployments: readonly Deployment[]) => void
  everyMs?: number
  afterFailureMs?: number
  /** Replaces Microsoft Entra in tests: returns the identity's token. */
  mint?: (identity: EntraIdentity, signal: AbortSignal) => Promise<string>
}

/**
 * Lists the deployments of each resource for which this is configured, at the start and every ten minutes.
 * Nothing waits for it: before the first list arrives, and while listing fails, the models stay as they
 * are.
 */
export function watchDeployments(
  providers: readonly Provider[],
  options: WatchDeploymentsOptions,
): { close(): void } {
  const watches = providers.flatMap(({ name, identity, deployments }) =>
    deployments !== undefined && identity?.kind === 'entra'
      ? [new Watch(name, { identity, list: deployments }, options)]
      : [],
  )
  return {
    close() {
      for (const watch of watches) watch.close()
    },
  }
}

class Watch {
  readonly #provider: string
  readonly #of: { identity: EntraIdentity; list: DeploymentList }
  readonly #options: WatchDeploymentsOptions
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #reported: string | undefined
  #problem: string | undefined

  constructor(
    provider: string,
    of: { identity: EntraIdentity; list: DeploymentList },
    options: WatchDeploymentsOptions,
  ) {
    this.#provider = provider
    this.#of = of
    this.#options = options
    this.#lookIn(0)
  }

  close(): void {
    this.#closing.abort()
    clearTimeout(this.#timer)
  }

  #lookIn(ms: number): void {
    if (this.#closing.signal.aborted) return
    this.#timer = setTimeout(() => void this.#look(), ms).unref()
  }

  async #look(): Promise<void> {
    const { everyMs: every = everyMs, afterFailureMs: again = afterFailureMs } = this.#options
    try {
      const found = await this.#list()
      if (this.#closing.signal.aborted) return
      this.#take(found)
      this.#lookIn(every)
    } catch (error) {
      this.#failed(error)
      this.#lookIn(again)
    }
  }

  async #list(): Promise<Deployment[]> {
    const { identity, list } = this.#of
    const { client, mint = mintToken } = this.#options
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(mintMs)])
    return listDeployments(list.url, await mint({ ...identity, scope: list.scope }, signal), client)
  }

  #take(found: readonly Deployment[]): void {
    const { log, onChange } = this.#options
    if (this.#problem !== undefined)
      log.warn({ provider: this.#provider }, 'the deployments of a provider are listed again')
    this.#problem = undefined
    const text = JSON.stringify(found)
    if (text === this.#reported) return
    this.#reported = text
    onChange(this.#provider, found)
  }

  /** Logs a failure once, until a different one occurs. */
  #failed(error: unknown): void {
    if (this.#closing.signal.aborted) return
    const reason = error instanceof Error ? error.message : String(error)
    if (reason === this.#problem) return
    this.#problem = reason
    const hint = error instanceof DeploymentsError || error instanceof CredentialFailure ? error.hint : ''
    const fields = { provider: this.#provider, reason, hint }
    this.#options.log.warn(fields, 'the deployments of a provider could not be listed: its models stay')
  }
}

/** Loads Microsoft's library only when it is needed. */
async function mintToken(identity: EntraIdentity, signal: AbortSignal): Promise<string> {
  const { mintEntraToken } = await import('../credentials/entra-source.ts')
  return (await mintEntraToken(identity, signal)).value
}
