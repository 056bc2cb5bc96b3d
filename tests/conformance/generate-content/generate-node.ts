import type { VendorScript } from '@turnpike/simulators'
import type { ConfigurationInput } from '../../../apps/server/configuration/schema/schema.ts'
import type { TestKey } from '../../nodes/test-node.ts'
import { startMessagesNode, type MessagesNode } from '../messages/messages-node.ts'

type Json = Record<string, unknown>

export interface GoogleError {
  code: number
  message: string
  status: string
  details: Json[]
}

export interface Generated {
  status: number
  /** A plain answer. */
  body: Json & { error?: GoogleError }
  text: string
  headers: Headers
}

export interface Asking {
  key?: TestKey
  /** Whether to stream the answer as events; `array`: as one JSON array. */
  stream?: boolean | 'array'
  headers?: Record<string, string>
  query?: string
}

/** A gateway in front of vendors of every style, for callers of Google's API. */
export class GenerateNode {
  readonly world: MessagesNode

  constructor(world: MessagesNode) {
    this.world = world
  }

  /** `POST /v1beta/models/{model}:generateContent`, with a short content by default. */
  async post(model: string, body: Json, { key, stream = false, headers, query }: Asking = {}) {
    const method = stream === false ? 'generateContent' : 'streamGenerateContent'
    const parameters = [stream === true ? 'alt=sse' : '', query ?? ''].filter((one) => one !== '').join('&')
    const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
    const { origin } = this.world.node
    const response = await fetch(`${origin}/v1beta/models/${model}:${method}?${parameters}`, {
      method: 'POST',
      headers: {
        'x-goog-api-key': (key ?? this.world.key).raw,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify({ contents, ...body }),
    })
    const text = await response.text()
    const isWhole = response.headers.get('content-type')?.includes('json') === true && stream !== 'array'
    const answer: Generated = {
      status: response.status,
      body: isWhole ? (JSON.parse(text) as Generated['body']) : {},
      text,
      headers: response.headers,
    }
    return answer
  }

  /** The field that an error names. */
  fieldOf({ body }: Generated): unknown {
    for (const { fieldViolations } of body.error?.details ?? [])
      if (Array.isArray(fieldViolations)) return (fieldViolations[0] as Json)['field']
    return undefined
  }

  next(script: VendorScript): void {
    this.world.next(script)
  }

  stop(): Promise<void> {
    return this.world.stop()
  }
}

export async function startGenerateNode(input: ConfigurationInput = {}): Promise<GenerateNode> {
  return new GenerateNode(await startMessagesNode(input))
}
