import type { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '@turnpike/simulators'
import { oneOf } from '../chance.ts'
import { internalSecret } from '../fleet/fleet.ts'
import { httpCall } from '../clients/http-call.ts'
import type { Caller } from './people.ts'

export interface AdminAnswer {
  status: number
  text: string
  /** How often it was sent. */
  attempts: number
}

const operator: Caller = {
  base: '/api/v1/admin',
  headers: async () => ({ 'x-internal-secret': internalSecret }),
}

const deadlineMs = 30_000
const pauseMs = 250
/** A call without a response for this long is given up, and the run with it. */
const givenUpAfterMs = 600_000

/**
 * Calls the admin API of any of the nodes as a storefront does: it repeats the same call until it gets a
 * response. Or calls the API of users, as one of them.
 */
export class Admin {
  readonly ports: readonly number[]
  readonly agent: Agent
  readonly #patienceMs: number
  readonly #caller: Caller
  /** Responses that no caller should ever get. */
  readonly failures: string[]

  /**
   * @param patienceMs how long a call is repeated while the gateway reports it as in progress; after the
   * death of a node it does so for two minutes
   */
  constructor(
    ports: readonly number[],
    agent: Agent,
    patienceMs: number = givenUpAfterMs,
    caller: Caller = operator,
    failures: string[] = [],
  ) {
    this.ports = ports
    this.agent = agent
    this.#patienceMs = patienceMs
    this.#caller = caller
    this.failures = failures
  }

  /** The same API as another caller. */
  as(caller: Caller): Admin {
    return new Admin(this.ports, this.agent, this.#patienceMs, caller, this.failures)
  }

  /**
   * Sends until a node responds for good; after a broken connection or a 5xx it tries another node.
   * @param callId the idempotency key of a POST
   */
  async call(
    random: Random,
    method: string,
    path: string,
    body?: object,
    callId?: string,
  ): Promise<AdminAnswer> {
    const startedAtMs = Date.now()
    for (let attempts = 1; ; attempts++) {
      const result = await httpCall({
        port: oneOf(random, this.ports),
        method,
        path: `${this.#caller.base}${path}`,
        headers: {
          ...(await this.#caller.headers()),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(callId !== undefined && { 'idempotency-key': callId }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        agent: this.agent,
        deadlineMs,
      })
      const { status = 0, text } = result
      const answered = result.ending === 'complete'
      if (status === 500) this.failures.push(`${method} ${path}: ${text}`)
      const waitedMs = Date.now() - startedAtMs
      const impatient = waitedMs > this.#patienceMs && isRunning(status, text)
      const again = !answered || status >= 500 || status === 429 || (isRunning(status, text) && !impatient)
      if (!again) return { status, text, attempts }
      if (waitedMs > givenUpAfterMs)
        throw new Error(`${method} ${path}: no answer, ${status} ${text} at last`)
      await delay(pauseMs)
    }
  }

  /** Like `call`, for what must succeed; returns the body. */
  async ask<Body>(
    random: Random,
    method: string,
    path: string,
    body?: object,
    callId?: string,
  ): Promise<Body> {
    const { status, text } = await this.call(random, method, path, body, callId)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as Body
  }
}

/** Whether the same call is still in progress: its connection broke, but its work continues. */
function isRunning(status: number, text: string): boolean {
  return status === 409 && text.includes('is still being processed')
}
