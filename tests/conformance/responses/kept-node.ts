import { randomBytes } from 'node:crypto'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import { APIError } from 'openai'
import type { ConfigurationInput } from '../../../apps/server/configuration/schema/schema.ts'
import { startTestNode, type TestNode } from '../../nodes/test-node.ts'
import { asAnthropic } from '../vendors/scripted/as-anthropic.ts'
import { asOpenai } from '../vendors/scripted/as-chat.ts'
import { asGoogle } from '../vendors/scripted/as-google.ts'
import { asResponses } from '../vendors/scripted/as-responses.ts'
import {
  plainScript,
  streamScript,
  type ScriptedAnswer,
  type ScriptedVendor,
} from '../vendors/scripted/scripted-answer.ts'

const pricing = { prompt: '0.000001', completion: '0.000002' }

interface Style {
  style: 'openai' | 'anthropic' | 'google' | 'openai-responses'
  version: string
  said: ScriptedVendor
}

/** A provider of each style with the model `<name>/m`, and how its vendor formats an answer. */
export const styles: Record<string, Style> = {
  chat: { style: 'openai', version: '/v1', said: asOpenai },
  claude: { style: 'anthropic', version: '', said: asAnthropic },
  gemini: { style: 'google', version: '/v1beta', said: asGoogle },
  house: { style: 'openai-responses', version: '/v1', said: asResponses },
}

export const newKey = (): string => randomBytes(32).toString('base64')

/** A gateway that keeps answers, in front of simulated vendors of four styles. */
export class KeptNode {
  readonly vendor: VendorServer
  readonly node: TestNode

  private constructor(vendor: VendorServer, node: TestNode) {
    this.vendor = vendor
    this.node = node
  }

  static async start(
    responses: ConfigurationInput['responses'],
    options: { databaseUrl?: string | undefined; dataDir?: string; input?: ConfigurationInput } = {},
  ): Promise<KeptNode> {
    const { databaseUrl, dataDir, input } = options
    const vendor = await startVendorServer()
    const node = await startTestNode({
      input: inputOf(vendor, responses, input),
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
      ...(dataDir === undefined ? {} : { dataDir }),
    })
    return new KeptNode(vendor, node)
  }

  /** Queues the next answer of the vendor of `<name>/m`. */
  next(name: string, answer: Partial<ScriptedAnswer>, streams = false): void {
    const whole = { usage: { input: 5, cached: 0, output: 3, reasoning: 0 }, ...answer }
    this.vendor.next({ script: (streams ? streamScript : plainScript)(styles[name]!.said, whole) })
  }

  /** The body of the latest request to a vendor. */
  get sent(): string {
    return this.vendor.journal.entries.at(-1)!.request.body.toString()
  }

  async stop(): Promise<void> {
    await this.node.stop()
    await this.vendor.close()
  }
}

export function inputOf(
  vendor: VendorServer,
  responses: ConfigurationInput['responses'],
  input: ConfigurationInput = {},
): ConfigurationInput {
  const names = Object.keys(styles)
  const providers = names.map((name) => {
    const { style, version } = styles[name]!
    return [name, { style, base_url: vendor.baseUrl({}, version), api_keys: ['sk'] }]
  })
  const traits = { pricing, context_length: 100_000, max_output_tokens: 8_000 }
  const models = names.map((name) => [
    `${name}/m`,
    { ...traits, supported_parameters: ['tools', 'reasoning'] },
  ])
  return {
    providers: Object.fromEntries(providers) as NonNullable<ConfigurationInput['providers']>,
    models: Object.fromEntries(models) as NonNullable<ConfigurationInput['models']>,
    ...(responses === undefined ? {} : { responses }),
    ...input,
  }
}

/** The value of `store`, which the SDK's types lack, but OpenAI sends. */
export function storeOf(response: object): unknown {
  return (response as { store?: unknown }).store
}

export async function thrownBy(asked: Promise<unknown>): Promise<APIError> {
  const thrown = await asked.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof APIError) return thrown
  throw new Error(`the SDK threw no APIError: ${String(thrown)}`)
}
