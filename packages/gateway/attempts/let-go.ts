import type { Member } from '@turnpike/dialects'
import type { Held } from '../context/stages.ts'
import { inputSeen, mediaOf } from '../operations/generate/estimate.ts'

const nothing = Buffer.alloc(0)
const noMembers: readonly Member[] = []

/** The last candidate has been asked: a model may think for minutes before its first token. */
export function letGoOfBody(request: Held): void {
  request.body = nothing
  request.members = noMembers
}

/**
 * An answer has begun: a stream of minutes need not keep the messages, nor the pictures in them, of which the
 * room is others' from now on. Their text stays, to be counted.
 */
export function letGoOfPrompt(request: Held): void {
  letGoOfBody(request)
  const { request: said } = request.call
  if (!said.stream) return
  request.exchange.letGoOfBody(mediaOf(request.withMedia ?? said).characters)
  if (said.tools.length === 0) request.exchange.letGoOfValues()
  request.input = inputSeen(said)
  request.withMedia = undefined
  said.messages = []
  request.call.body = undefined
}
