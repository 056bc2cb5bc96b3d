import {
  outputBoundFields,
  refuseUnsupported,
  scanObject,
  withMembers,
  type OutputBoundField,
  type Target,
  type VendorDialect,
} from '@turnpike/dialects'
import type { ModelRequest } from '@turnpike/protocol'
import type { Held } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { boundToSend } from '../metering/output-bound.ts'
import { remoteMedia } from './media/fetch-media.ts'
import { readMedia } from './media/read-media.ts'
import { ownMessages, type Foreign } from './own-messages.ts'
import { understoodPaidFields } from './unpriced-fields.ts'

const openBrace = 0x7b

/**
 * The body of the call to the vendor, always made from what the caller sent; a promise only where media must
 * be fetched for it.
 * @throws {GatewayError} 400 that names what cannot be said to this vendor; 402 where the credit does not
 * cover media that were fetched; 499 where the client left
 */
export function outboundBody(
  request: Held,
  dialect: VendorDialect,
  gateway: Gateway,
): Buffer | Promise<Buffer> {
  const { chat, model, withMedia } = request
  if (dialect.name === 'openai-chat') return splicedBody(request)
  refuseUnsupported(chat.request, dialect.fields, model.id)
  const said = withMedia ?? chat.request
  const media = remoteMedia(said, dialect)
  if (media.length === 0) return translatedBody(request, said, dialect)
  return readMedia(request, media, gateway).then((whole) => translatedBody(request, whole, dialect))
}

/** The model as its vendor knows it. */
export function targetOf({ upstream, model }: Held): Target {
  const { maxOutputTokens, supportedParameters } = model
  return { model: upstream.model, maxOutputTokens, supportedParameters }
}

function translatedBody(request: Held, said: ModelRequest, dialect: VendorDialect): Buffer {
  const maxOutputTokens = boundToSend(request)
  const bounded = said.maxOutputTokens === maxOutputTokens ? said : { ...said, maxOutputTokens }
  return Buffer.from(JSON.stringify(dialect.formatRequest(bounded, targetOf(request))))
}

/**
 * The caller's own bytes, but for what must change: the model's name, our own fields, and `include_usage`,
 * without which no stream could be charged exactly.
 */
function splicedBody(request: Held): Buffer {
  const { body, members, chat, upstream, provider } = request
  const changes = new Map<string, string | undefined>([['model', JSON.stringify(upstream.model)]])
  const bounds: string[] = []
  // One walk: requests have some ten members, and each is looked at for one thing.
  for (const { key, valueStart, end } of members) {
    if (key === 'models') changes.set('models', undefined)
    else if (key === 'metadata') withoutOwn(body.subarray(valueStart, end), changes)
    else if (key === 'messages') changeMessages(body.subarray(valueStart, end), request, changes)
    else if (outputBoundFields.has(key)) bounds.push(key)
  }
  for (const name of understoodPaidFields(request))
    changes.set(name, JSON.stringify(chat.request.extensions[name]))
  boundOutput(request, bounds, changes)
  if (!provider.takesStreamOptions) changes.set('stream_options', undefined)
  else if (chat.request.stream) {
    const options = {
      ...(chat.request.extensions['stream_options'] as object | undefined),
      include_usage: true,
    }
    changes.set('stream_options', JSON.stringify(options))
  }
  return withMembers(body, members, changes)
}

function changeMessages(
  messages: Buffer,
  { provider, chat }: Held,
  changes: Map<string, string | undefined>,
): void {
  const foreign = foreignTo(provider, chat)
  const said = foreign === undefined ? undefined : ownMessages(messages, foreign)
  if (said !== undefined) changes.set('messages', said)
}

function foreignTo(
  { refusesReasoning, refusesDeveloper }: Held['provider'],
  { request: { messages }, tellsReasoning }: Held['chat'],
): Foreign | undefined {
  const calls = messages.some(tellsOfCalls)
  const reasoning = refusesReasoning && tellsReasoning
  const developer = refusesDeveloper && messages.some(({ role }) => role === 'developer')
  return calls || reasoning || developer ? { calls, reasoning, developer } : undefined
}

/** Only calls and their results hold identifiers, and only those of such vendors as have thoughts in them. */
function tellsOfCalls(message: ModelRequest['messages'][number]): boolean {
  return message.role === 'tool' || message.content.some(({ kind }) => kind === 'tool-call')
}

/**
 * One bound goes out, in the word that the vendor knows, whatever the caller named: two of them would leave
 * it to the vendor which one it heeds.
 */
function boundOutput(
  request: Held,
  named: readonly string[],
  changes: Map<string, string | undefined>,
): void {
  const bound = boundToSend(request)
  const field = boundField(request, named)
  if (named.length === 1 && named[0] === field && bound === request.chat.request.maxOutputTokens) return
  for (const key of named) changes.set(key, undefined)
  if (bound !== undefined) changes.set(field, String(bound))
}

/** Where the vendor knows both words, the caller's; else the older one, which every server knows. */
function boundField({ provider, model }: Held, named: readonly string[]): OutputBoundField {
  const { outputBoundField, reasoningBoundField } = provider
  if (reasoningBoundField !== undefined && model.supportedParameters.includes('reasoning'))
    return reasoningBoundField
  const callers = named.length === 1 ? named[0] : undefined
  return outputBoundField ?? (callers === 'max_completion_tokens' ? callers : 'max_tokens')
}

/** Our own fields of the metadata; the rest is the vendor's, as it was written. */
const ownMetadata: ReadonlySet<string> = new Set(['tags', 'retry_of'])

function withoutOwn(metadata: Buffer, changes: Map<string, string | undefined>): void {
  if (metadata[0] !== openBrace) return
  const { members } = scanObject(metadata)
  const others = members.filter((member) => !ownMetadata.has(member.key))
  if (others.length === members.length) return
  const rest = withMembers(
    metadata,
    members,
    new Map<string, string | undefined>(Array.from(ownMetadata, (name) => [name, undefined])),
  )
  changes.set('metadata', others.length === 0 ? undefined : rest.toString())
}
