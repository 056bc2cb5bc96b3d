import {
  asBytes,
  generateCallers,
  generateFormats,
  SseParser,
  utf8,
  type FormatName,
  type GenerateCaller,
  type StreamDecoder,
} from '@turnpike/dialects'
import { fold, type StreamPart } from '@turnpike/protocol'

/** A streamed answer, as far as it arrived. */
export interface StreamAnswer {
  /** The whole answer, in its caller's format. */
  body: object
  /** Why it broke off. */
  error: { type: string; message: string } | undefined
}

const nobodysCost = { usd: '0' }

/**
 * Assembles the answer from a stream's events. Texts that arrived in several pieces become one, so that no
 * secret hides between two of them. Reads the caller's format like the vendor format of the same name.
 * @param events as the caller got them
 * @throws if they cannot be parsed
 */
export function streamAnswer(format: FormatName, path: string, events: Buffer): StreamAnswer {
  const caller = generateCallers.find(({ name }) => name === format)
  if (caller === undefined) throw new Error(`answers of ${format} are not streamed`)
  const decoder = generateFormats[caller.name].operations.generate.decoder()
  const { response, error } = fold(partsOf(events, decoder))
  const model = response.model ?? modelIn(path)
  const head = { id: response.id ?? '', model, created: response.created ?? 0, includeUsage: false }
  return {
    body: bodyOf(caller, response, head),
    error: error && { type: error.type, message: error.message },
  }
}

function bodyOf(caller: GenerateCaller, ...parameters: Parameters<GenerateCaller['formatResponse']>): object {
  return caller.formatResponse(...parameters)(undefined, nobodysCost)
}

/** Callers of Google's format name the model in the path. */
function modelIn(path: string): string {
  return /\/models\/(.+):\w+$/.exec(path)?.[1] ?? ''
}

function partsOf(events: Buffer, decoder: StreamDecoder): StreamPart[] {
  const parts: StreamPart[] = []
  const parser = new SseParser({
    onEvent(data, event) {
      const body = parseEvent(utf8(data))
      parts.push(...(body === undefined ? decoder.pushText(asBytes(data)) : decoder.push(body, event)))
    },
  })
  parser.pushBytes(events)
  if (parser.end().truncated) decoder.markCut?.()
  parts.push(...decoder.end())
  return parts
}

function parseEvent(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // An end marker, such as `[DONE]`.
    return undefined
  }
}
