import { hash } from 'node:crypto'
import type { ScriptStep, Vendor, VendorRequest, VendorScript } from '../vendor/script.ts'
import { composeAnswer, lastUserText } from './answer.ts'
import { plainBody, streamEvents } from './chunks.ts'
import { embeddingsBody, readEmbedRequest } from './embeddings.ts'
import { errorScript, SandboxError } from './error.ts'
import { KnobError, readKnobs, type Knobs } from './knobs.ts'
import { sandboxModels, type SandboxModel, type SandboxModelName } from './models.ts'
import { moderationBody, readModerateRequest } from './moderations.ts'
import { paceOf } from './pace.ts'
import { readRerankRequest, rerankBody } from './rerank.ts'
import { readRequest, type SandboxRequest } from './request.ts'
import { knobError, plainSteps, streamSteps } from './scripts.ts'

export interface SandboxVendorOptions {
  /** Unix epoch milliseconds; becomes an answer's `created`. */
  now?: () => number
  /** The sandbox model that answers for unknown models; absent: they are 404. */
  otherModels?: SandboxModelName
  /** Accepted credentials; absent: none is required. */
  apiKeys?: string[]
}

/** A vendor of OpenAI's chat completions API within the process, which costs nothing. */
export function createSandboxVendor(options: SandboxVendorOptions = {}): Vendor {
  return {
    answer(request) {
      const digest = hash('sha1', request.body)
      const headers = vendorHeaders(digest)
      try {
        authorize(request, options.apiKeys)
        return route(request, { ...options, digest, headers })
      } catch (error) {
        if (error instanceof SandboxError) return errorScript(error, headers)
        if (error instanceof KnobError)
          return errorScript(new SandboxError(400, error.message, { param: 'messages' }), headers)
        throw error
      }
    },
  }
}

interface Context extends SandboxVendorOptions {
  /** Hexadecimal digest of the body: the seed of everything that varies between answers. */
  digest: string
  headers: Record<string, string>
}

/** Rate limit headers as OpenAI sends them; tests see whether a gateway passes them on as its own. */
function vendorHeaders(digest: string): Record<string, string> {
  return {
    'openai-processing-ms': '42',
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-limit-tokens': '2000000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-remaining-tokens': '1999000',
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-reset-tokens': '30ms',
    'x-request-id': `req_sandbox${digest.slice(0, 24)}`,
  }
}

function authorize(request: VendorRequest, apiKeys: string[] | undefined): void {
  if (apiKeys === undefined) return
  const credential = /^Bearer (.+)$/iu.exec(request.headers.authorization ?? '')?.[1]
  if (credential === undefined || !apiKeys.includes(credential))
    throw new SandboxError(401, 'Incorrect API key provided.')
}

function route(request: VendorRequest, context: Context): VendorScript {
  const path = request.path.split('?', 1)[0]!
  if (request.method === 'POST' && path.endsWith('/chat/completions')) return complete(request, context)
  if (request.method === 'POST' && path.endsWith('/embeddings')) return embed(request, context)
  if (request.method === 'POST' && path.endsWith('/rerank')) return rerank(request, context)
  if (request.method === 'POST' && path.endsWith('/moderations')) return moderate(request, context)
  if (request.method === 'GET' && path.endsWith('/models')) return listModels(context)
  throw new SandboxError(404, `Invalid URL (${request.method} ${path})`, { code: 'unknown_url' })
}

function listModels(context: Context): VendorScript {
  const data = sandboxModels.map((model) => ({
    id: model.upstreams[0]!.model,
    object: 'model',
    created: model.created,
    owned_by: model.ownedBy,
  }))
  const steps = plainSteps(JSON.stringify({ object: 'list', data }), 0, {})
  return { status: 200, headers: { ...context.headers, ...plainHeaders(steps) }, steps, bill: undefined }
}

function complete(vendorRequest: VendorRequest, context: Context): VendorScript {
  const request = readRequest(vendorRequest.body)
  const model = findModel(request.model, context.otherModels)
  const knobs = readKnobs(textsWithKnobs(request))
  const seed = Number.parseInt(context.digest.slice(0, 8), 16)
  const pace = paceOf(knobs, seed)
  const firstMs = pace.firstMs + pace.plainMs(knobs.unseen ?? 0)
  const first: ScriptStep[] = firstMs > 0 ? [{ type: 'delay', delayMs: firstMs }] : []
  if (knobs.hang === true) return { status: 200, headers: {}, steps: [{ type: 'hang' }], bill: undefined }
  if (fails(knobs, request)) {
    const script = errorScript(knobError(knobs), context.headers)
    return { ...script, steps: [...first, ...script.steps] }
  }
  const answer = composeAnswer({ request, knobs, model, seed })
  const head = {
    id: `chatcmpl-sandbox${context.digest.slice(0, 24)}`,
    created: Math.floor((context.now ?? Date.now)() / 1000),
    model: request.model,
  }
  if (request.stream) {
    const events = streamEvents(head, answer, request.includeUsage)
    const steps = [...first, ...streamSteps(events, knobs, pace)]
    const headers = { ...context.headers, 'content-type': 'text/event-stream; charset=utf-8' }
    const bill = { ...answer.bill, reported: answer.bill.reported && request.includeUsage }
    return { status: 200, headers, steps, bill }
  }
  const tokens = answer.bill.completionTokens
  const body = plainBody(head, answer, knobs.no_finish !== true)
  const steps = plainSteps(body, tokens, knobs)
  const headers = { ...context.headers, ...plainHeaders(steps, Buffer.byteLength(body), knobs) }
  const wait = pace.firstMs + pace.plainMs(tokens)
  const waiting: ScriptStep[] = wait > 0 ? [{ type: 'delay', delayMs: wait }] : []
  return { status: 200, headers, steps: [...waiting, ...steps], bill: answer.bill }
}

function embed(vendorRequest: VendorRequest, context: Context): VendorScript {
  const request = readEmbedRequest(vendorRequest.body)
  const texts = request.inputs.filter((input) => typeof input === 'string')
  return atOnce(request.model, texts.slice(0, 1), context, (told) => embeddingsBody(request, told))
}

function rerank(vendorRequest: VendorRequest, context: Context): VendorScript {
  const request = readRerankRequest(vendorRequest.body)
  return atOnce(request.model, [request.query], context, (told) => rerankBody(request, told))
}

function moderate(vendorRequest: VendorRequest, context: Context): VendorScript {
  const request = readModerateRequest(vendorRequest.body)
  const id = `modr-sandbox${context.digest.slice(0, 24)}`
  return atOnce(request.model, request.texts.slice(0, 1), context, (told) =>
    moderationBody(id, request, told),
  )
}

/** A plain answer. */
function atOnce(
  model: string,
  textsWithKnobs: string[],
  context: Context,
  answer: (told: { usage: boolean }) => { body: string; tokens: number },
): VendorScript {
  findModel(model, context.otherModels)
  const knobs = readKnobs(textsWithKnobs)
  if (knobs.hang === true) return { status: 200, headers: {}, steps: [{ type: 'hang' }], bill: undefined }
  if (knobs.error !== undefined) return errorScript(knobError(knobs), context.headers)
  const { body, tokens } = answer({ usage: knobs.no_usage !== true })
  const steps = plainSteps(body, 0, knobs)
  const headers = { ...context.headers, ...plainHeaders(steps, Buffer.byteLength(body), knobs) }
  const waiting: ScriptStep[] = knobs.delay === undefined ? [] : [{ type: 'delay', delayMs: knobs.delay }]
  const reported = knobs.no_usage !== true
  const bill = { promptTokens: tokens, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0, reported }
  return { status: 200, headers, steps: [...waiting, ...steps], bill }
}

function fails(knobs: Knobs, request: SandboxRequest): boolean {
  if (knobs.error_after !== undefined) return !request.stream
  return knobs.error !== undefined
}

/** A truncated body announces its full length; a malformed one is sent completely. */
function plainHeaders(steps: ScriptStep[], wholeLength = 0, knobs: Knobs = {}): Record<string, string> {
  let sentLength = 0
  for (const step of steps) if (step.type === 'bytes') sentLength += step.bytes.length
  const broken = knobs.cut !== undefined || knobs.stall !== undefined
  return {
    'content-type': 'application/json',
    'content-length': String(broken ? wholeLength : sentLength),
  }
}

function findModel(name: string, otherModels: SandboxModelName | undefined): SandboxModel {
  const id = name.startsWith('sandbox/') ? name : `sandbox/${name}`
  const model =
    sandboxModels.find((one) => one.id === id) ??
    sandboxModels.find((one) => one.id === `sandbox/${otherModels}`)
  if (model !== undefined) return model
  throw new SandboxError(404, `The model '${name.slice(0, 80)}' does not exist`, { param: 'model' })
}

/** Knobs in the instructions apply to the conversation, knobs in the prompt to one turn. */
function textsWithKnobs(request: SandboxRequest): string[] {
  const instructions = request.messages.filter(({ role }) => role === 'system' || role === 'developer')
  return [...instructions.map((message) => message.text), lastUserText(request)]
}
