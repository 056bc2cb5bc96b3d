import type { Member } from '@turnpike/dialects'
import type { Held } from '../context/stages.ts'

const nothing = Buffer.alloc(0)
const noMembers: readonly Member[] = []
/** One for all: a list of its own takes room, though nothing is in it. */
const noModels: string[] = []

/** The last candidate has been asked: a model may think for minutes before its first token. */
export function dropBody(request: Held): void {
  request.body = nothing
  request.members = noMembers
}

/**
 * An answer has begun: a stream of minutes need not keep the messages, nor the pictures in them, of which the
 * room is others' from now on. Their text stays, to be counted.
 */
export function dropPrompt(request: Held): void {
  dropBody(request)
  const { call, operation } = request
  const { request: said } = call
  if (!said.stream) return
  // What the answer is kept with stays in memory until then.
  if (request.keptInput === undefined)
    request.exchange.releaseBody(operation.media?.sizes(request.withMedia ?? said).characters ?? 0)
  const input = operation.texts(said)
  request.input = input
  if (input.tools.length === 0 && call.asked === undefined) request.exchange.releaseValues()
  request.withMedia = undefined
  operation.dropInput?.(said)
  call.fallbackModels = noModels
  call.body = undefined
  if (request.continued !== undefined) request.continued.bodies = undefined
}
