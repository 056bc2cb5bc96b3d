import {
  completionBody,
  CompletionReading,
  type ApiRequest,
  type Completion,
  type CompletionRequest,
  type List,
  type Model,
} from '@turnpike/api'
import { serveCompatible, type Gateway } from '@turnpike/gateway'
import {
  KeyOwnerRefused,
  noSuchOrganization,
  requirePermission,
  type ApiKeyStore,
  type McpAccess,
} from '@turnpike/identity'
import { ToolRefusal, type Api } from '@turnpike/mcp'
import { GatewayError } from '@turnpike/protocol'
import type { InnerAnswer, InnerCaller } from '../management/inner-requests.ts'
import type { Admission } from '../overload/admission.ts'
import { apiRefusal } from './api-refusal.ts'
import { InnerExchange } from './inner-exchange.ts'

export interface AccountApiServices {
  gateway: Gateway
  admission: () => Admission
  keys: Pick<ApiKeyStore, 'defaultKeyHash' | 'playgroundKeyHash'>
  /** Sends a request for an account to the management API, within this process. */
  ask: (caller: InnerCaller, request: ApiRequest) => Promise<InnerAnswer>
  /** Unix epoch milliseconds. */
  clock: () => number
}

const chatPath = '/v1/chat/completions'
const maxTags = 20
const maxTagCodePoints = 64

/** The gateway as the tools of one account see it; other accounts are invisible. */
export function accountApi(
  access: Pick<McpAccess, 'account' | 'accountId' | 'clientName' | 'member'>,
  from: Pick<InnerCaller, 'address' | 'forwarded'>,
  services: AccountApiServices,
): Api {
  const { account, accountId, member } = access
  const tag = clientTag(access.clientName)
  const organization = member === null ? undefined : accountId
  const caller: InnerCaller = { account, organization, via: tag, ...from }
  const ask = async <Answer>(request: ApiRequest): Promise<Answer> => {
    const { status, body } = await services.ask(caller, request)
    if (status >= 400) throw apiRefusal(body)
    return body as Answer
  }
  return {
    ask,
    async models() {
      const { data } = await ask<List<Model>>({ path: '/api/v1/models' })
      return data
    },
    async complete(request, onText, signal) {
      const keyHash = await keyHashOf(access, services)
      return complete({ ...request, tags: [...ownTags(request), tag] }, keyHash, { onText, signal }, services)
    },
    clock: services.clock,
  }
}

/**
 * The key that pays for `chat`: an account's default key; in an organization, the member's own playground
 * key, so that usage shows who it was.
 * @throws {GatewayError} 403, or 404 if the person has left the organization
 */
async function keyHashOf(
  { accountId, member }: Pick<McpAccess, 'accountId' | 'member'>,
  { keys, clock }: AccountApiServices,
): Promise<string> {
  if (member !== null) {
    requirePermission(member, 'playground:use', 'chat')
    return keys.playgroundKeyHash(accountId, clock(), member.memberId).catch((error: unknown) => {
      throw error instanceof KeyOwnerRefused ? noSuchOrganization() : error
    })
  }
  const keyHash = await keys.defaultKeyHash(accountId)
  if (keyHash !== undefined) return keyHash
  throw noKey()
}

/** The tag by which usage shows what each app has cost. The app's name is its own claim, unverified. */
function clientTag(clientName: string): string {
  return Array.from(`mcp:${clientName}`).slice(0, maxTagCodePoints).join('').trim()
}

/** One tag is the app's name, so that a person sees what each app has cost; an app cannot remove it. */
function ownTags({ tags = [] }: CompletionRequest): readonly string[] {
  if (tags.length < maxTags) return tags
  throw new ToolRefusal(`\`tags\`: expected at most ${maxTags - 1}, got ${tags.length}.`, 'tags')
}

/**
 * Sends a chat completion through the pipeline as if the key had sent it: with its limits, its credit, its
 * row.
 * @throws {ApiRefusal} {GatewayError}
 */
async function complete(
  request: CompletionRequest,
  keyHash: string,
  { onText, signal }: { onText: (text: string) => void; signal: AbortSignal },
  services: AccountApiServices,
): Promise<Completion> {
  signal.throwIfAborted()
  const { gateway } = services
  const admission = services.admission()
  const refused = admission.enter()
  if (refused !== undefined) throw refused
  const exchange = new InnerExchange({
    path: chatPath,
    body: JSON.stringify(completionBody(request)),
    keyHash,
    admission,
    onBytes: (bytes) => reading.push(bytes),
  })
  const reading = new CompletionReading({
    model: request.model,
    requestId: exchange.requestId,
    startMs: exchange.startedAtMonotonicMs,
    onText,
    failure: (error) => apiRefusal({ error: { ...error, request_id: exchange.requestId } }),
  })
  const leave = (): void => exchange.leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    await serveCompatible(exchange, gateway)
  } finally {
    signal.removeEventListener('abort', leave)
    exchange.close()
  }
  signal.throwIfAborted()
  if (exchange.failure !== undefined) throw exchange.failure
  if (exchange.end.kind === 'whole') throw apiRefusal(JSON.parse(exchange.end.body))
  const completion = reading.end()
  if (completion !== undefined) return completion
  throw new GatewayError('upstream_error', 'The model did not finish its answer.')
}

function noKey(): GatewayError {
  const message =
    'The account has no active API key, which `chat` needs to pay. Create one with `create_key`.'
  return new GatewayError('permission_error', message)
}
