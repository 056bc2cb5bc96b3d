import type { Member } from '@turnpike/dialects'
import type { Held } from '../context/stages.ts'

const nothing = Buffer.alloc(0)
const noMembers: readonly Member[] = []
/** Shared, since even an empty list per request takes memory. */
const noModels: string[] = []

/**
 * Drops the body once the last candidate was called: a model may reason for minutes before its first token.
 */
export function dropBody(request: Held): void {
  request.body = nothing
  request.members = noMembers
}

/**
 * Drops the messages and their images once an answer has begun, since a stream may last for minutes. Their
 * memory becomes available to other requests. Their text stays, for counting tokens.
 */
export function dropPrompt(request: Held): void {
  dropBody(request)
  const { call, operation } = request
  const { request: modelRequest } = call
  if (!modelRequest.stream) return
  // The bodies that the answer is kept with stay in memory until it is kept.
  if (request.keptInput === undefined)
    request.exchange.releaseBody(operation.media?.sizes(request.withMedia ?? modelRequest).characters ?? 0)
  const input = operation.texts(modelRequest)
  request.input = input
  if (input.tools.length === 0 && call.asked === undefined) request.exchange.releaseValues()
  request.withMedia = undefined
  operation.dropInput?.(modelRequest)
  call.fallbackModels = noModels
  call.body = undefined
  if (request.continued !== undefined) request.continued.bodies = undefined
}
