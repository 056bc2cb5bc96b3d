import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiRequest } from '@turnpike/api'
import { newIdentifier, toGatewayError } from '@turnpike/protocol'
import { respondError } from '../respond-error.ts'
import { answerHeaders } from './answers/answer-headers.ts'
import { liveness, readiness, type HealthAnswer } from './health/report.ts'
import type { InnerAnswer, InnerCaller } from './inner-requests.ts'
import type { ManagementApi } from './management-api.ts'
import type { ManagementServices } from './services.ts'

/** Handles requests before the API, and passes on those that it does not answer. */
export interface EarlyHandler {
  /** True if it answers the request. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
}

/**
 * Loads the management API with the first request that needs it. Until then health checks are answered
 * without it. It takes 0.2 s of CPU and 36 MB, and a node that only serves `/v1/*` never needs it.
 */
export class DeferredManagementApi {
  readonly #services: ManagementServices
  readonly #openFront: ((api: ManagementApi) => EarlyHandler) | undefined
  #loading: Promise<ManagementApi> | undefined
  #api: ManagementApi | undefined

  /** @param openFront absent: no handler comes before the API */
  constructor(services: ManagementServices, openFront?: (api: ManagementApi) => EarlyHandler) {
    this.#services = services
    this.#openFront = openFront
  }

  /** Handles one request; never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    if (this.#api === undefined) void this.#handleEarly(request, response)
    else this.#api.handle(request, response)
  }

  /** Answers an account's request that comes from this process. */
  async ask(caller: InnerCaller, request: ApiRequest): Promise<InnerAnswer> {
    return (await this.#load()).ask(caller, request)
  }

  async close(): Promise<void> {
    const api = await this.#loading
    await api?.close()
  }

  async #handleEarly(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const question = `${request.method} ${request.url}`
      if (question === 'GET /healthz') respondHealth(response, () => liveness)
      else if (question === 'GET /readyz') {
        const report = await this.#services.health()
        respondHealth(response, (requestId) => readiness(report, requestId))
      } else (await this.#load()).handle(request, response)
    } catch (error) {
      respondError(response, toGatewayError(error))
    }
  }

  #load(): Promise<ManagementApi> {
    this.#loading ??= this.#make().catch((error: unknown) => {
      // The next request tries again: a process without free file descriptors, say, can load it later.
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  async #make(): Promise<ManagementApi> {
    const { createManagementApi } = await import('./management-api.ts')
    const api = await createManagementApi(this.#services)
    const front = this.#openFront?.(api)
    this.#api = front === undefined ? api : behind(front, api)
    return this.#api
  }
}

function behind(front: EarlyHandler, api: ManagementApi): ManagementApi {
  return {
    ...api,
    handle(request, response) {
      if (!front.handle(request, response)) api.handle(request, response)
    },
  }
}

function respondHealth(response: ServerResponse, answer: (requestId: string) => HealthAnswer): void {
  const requestId = newIdentifier('req')
  const { status, headers, body } = answer(requestId)
  const text = JSON.stringify(body)
  response.writeHead(status, {
    ...answerHeaders,
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
