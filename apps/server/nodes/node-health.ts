import { credentialStates, type Credentials } from '@turnpike/gateway'
import type { GatewayServer, HealthCheck, HealthReport } from '@turnpike/http'
import type { NoticeListener, NoticeState, Storage } from '@turnpike/storage'
import type { OpenLimits } from '../limits/open-limits.ts'

/** A readiness probe comes again soon, and does not wait long. */
const answerWithinMs = 1_000

export interface HealthParts {
  storage: Pick<Storage, 'ping'>
  server: Pick<GatewayServer, 'draining'>
  notices: Pick<NoticeListener, 'state'>
  limits: Pick<OpenLimits, 'check'>
  credentials: Credentials
}

/** A node's health. `degraded` still serves; `draining` serves for a short time only. */
export class NodeHealth {
  readonly #parts: HealthParts
  /** One check at a time: many probes do not multiply the queries to a database that does not respond. */
  #check: Promise<HealthCheck> | undefined

  constructor(parts: HealthParts) {
    this.#parts = parts
  }

  async report(): Promise<HealthReport> {
    const { server, notices, limits, credentials } = this.#parts
    if (server.draining) return { status: 'draining', checks: {} }
    const redis = limits.check()
    const minted = credentialsCheck(credentials)
    const checks: Record<string, HealthCheck> = {
      database: await this.#database(),
      notices: noticesCheck(notices.state),
      ...(redis !== undefined && { redis }),
      ...(minted !== undefined && { credentials: minted }),
    }
    const isWell = Object.values(checks).every(({ status }) => status === 'ok')
    return { status: isWell ? 'ok' : 'degraded', checks }
  }

  async #database(): Promise<HealthCheck> {
    this.#check ??= this.#ask().finally(() => (this.#check = undefined))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<HealthCheck>((resolve) => {
      timer = setTimeout(() => resolve(databaseAway), answerWithinMs)
    })
    const check = await Promise.race([this.#check, late])
    clearTimeout(timer)
    return check
  }

  /** The response is public: the reason of a failure is only in the log of the database's user. */
  #ask(): Promise<HealthCheck> {
    return this.#parts.storage.ping().then(
      () => ({ status: 'ok' as const }),
      () => databaseAway,
    )
  }
}

const databaseAway: HealthCheck = { status: 'failed', message: 'the database does not respond' }

/** Undefined if all credentials are keys. The response is public: only the log has a failure's reason. */
function credentialsCheck(credentials: Credentials): HealthCheck | undefined {
  const minted = credentialStates(credentials).filter(({ kind }) => kind !== 'key')
  if (minted.length === 0) return undefined
  const names = (...states: string[]): string =>
    [...new Set(minted.filter(({ state }) => states.includes(state)).map(({ provider }) => provider))].join(
      ', ',
    )
  const without = names('minting', 'absent')
  if (without !== '') return { status: 'degraded', message: `no credential for ${without}` }
  const old = names('failing')
  return old === ''
    ? { status: 'ok' }
    : { status: 'degraded', message: `the credential for ${old} could not be renewed` }
}

function noticesCheck(state: NoticeState): HealthCheck {
  switch (state) {
    case 'reading':
      return { status: 'degraded', message: 'changes made on other nodes are seen half a second late' }
    case 'deaf':
      return {
        status: 'failed',
        message: 'changes made on other nodes are not seen until the database responds',
      }
    case 'listening':
      return { status: 'ok' }
  }
}
