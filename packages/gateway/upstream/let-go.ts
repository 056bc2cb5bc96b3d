import type { Member } from '@turnpike/dialects'
import type { Held } from '../context.ts'
import { inputSeen } from '../metering/estimate.ts'

const nothing = Buffer.alloc(0)
const noMembers: readonly Member[] = []

/** The last candidate has been asked: a model may think for minutes before its first token. */
export function letGoOfBody(request: Held): void {
  request.body = nothing
  request.members = noMembers
}

/** An answer has begun: a stream of minutes need not keep a long prompt, nor the pictures in it. */
export function letGoOfPrompt(request: Held): void {
  letGoOfBody(request)
  const { request: said } = request.chat
  if (!said.stream) return
  request.input = inputSeen(said)
  request.withMedia = undefined
  said.messages = []
}
