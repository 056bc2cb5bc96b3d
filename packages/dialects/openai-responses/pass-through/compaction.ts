import { invalidRequest } from '@turnpike/protocol'
import { patchUsage } from '../../answers/patch-usage.ts'
import type { BridgeHead } from '../../bridge.ts'
import type { GenerateCall } from '../../call.ts'
import type { GenerateCaller, FormattedAnswer, SentRequest } from '../../caller.ts'
import { withMembers } from '../../json/members.ts'
import type { Changes } from '../../requests/own-metadata.ts'
import type { Members } from '../../requests/fields/typed-members.ts'
import { parseRequest } from '../caller/request.ts'
import { formatUsage } from '../caller/usage.ts'
import { changeMembers, changesOf } from './answer.ts'
import { ownInput } from './own-input.ts'

/*
 * Compaction of a conversation into a form that only its vendor can read, so vendors without this endpoint
 * cannot be used instead (https://platform.openai.com/docs/api-reference/responses/compact).
 */

const path = '/responses/compact'

/** @param responses the format whose conversations are compacted */
export function compactionOf(responses: GenerateCaller): GenerateCaller {
  const { passThrough, counting: _none, ...format } = responses
  return {
    ...format,
    path: `/v1${path}`,
    parse: (body, _to, keeping) => parseCompaction(body, keeping),
    passThrough: { ...passThrough!, path, spliceRequest, patchAnswer },
  }
}

/** @throws {GatewayError} 400 that names the first wrong field */
function parseCompaction(body: object, keeping: Parameters<GenerateCaller['parse']>[2]): GenerateCall {
  const { stream, max_output_tokens: bound } = body as { stream?: unknown; max_output_tokens?: unknown }
  if (stream === true) throw invalidRequest('stream', `stream: /v1${path} does not stream. Leave it out.`)
  // The vendor accepts no output bound here, so the hold could not limit it.
  if ((bound ?? null) !== null)
    throw invalidRequest(
      'max_output_tokens',
      `max_output_tokens: /v1${path} does not support it. Leave it out.`,
    )
  const { keepsAnswer: _none, ...call } = parseRequest(body, keeping)
  return call
}

/** Adds nothing: the vendor accepts neither `store` nor an output bound here. */
function spliceRequest(sent: SentRequest): Buffer {
  const { body, members } = sent
  const changes: Changes = new Map([['model', JSON.stringify(sent.model)]])
  for (const { key, valueStart, end } of members) {
    if (key === 'models' || key === 'metadata' || key === 'store') changes.set(key, undefined)
    else if (key === 'input') {
      const input = ownInput(body.subarray(valueStart, end), sent)
      if (input !== undefined) changes.set(key, input)
    }
  }
  return withMembers(body, members, changes)
}

/** The answer: `{"id", "object": "response.compaction", "created_at", "output", "usage"}`. */
function patchAnswer(body: Members, head: BridgeHead): FormattedAnswer {
  const changes = changesOf(body, head)
  for (const name of changes.keys()) if (!(name in body)) changes.delete(name)
  const answer = changeMembers(body, changes)
  return (usage, cost) =>
    usage === undefined ? answer : { ...answer, usage: patchUsage(body['usage'], usage, cost, formatUsage) }
}
