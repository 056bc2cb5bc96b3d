import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { AwsMetadata } from '@turnpike/simulators/clouds/aws-metadata'
import type { CloudFault } from '@turnpike/simulators/clouds/cloud-server'
import { Sts } from '@turnpike/simulators/clouds/sts'
import { checkSignature } from '@turnpike/simulators/clouds/signature-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cloudEnvironment } from '../../apps/server/credentials/testing/cloud-environment.ts'
import { startTestNode, type TestKey, type TestNode } from '../nodes/test-node.ts'

/*
 * The source of cloud credentials is slow, unreachable or returns garbage, a token expires during a request,
 * or a clock is wrong. Then the request goes to another upstream, or fails with 502 and a hint for the
 * operator in the log. A request with a valid token never waits.
 */

const patience = { timeout: 30_000, interval: 50 }
const price = { prompt: '0.000001', completion: '0.000002' }

const models = {
  'cloud/lone': { pricing: price },
  'cloud/fallen': {
    pricing: price,
    upstreams: [
      { provider: 'cloud', model: 'm:0' },
      { provider: 'open', model: 'm' },
    ],
  },
}
const bedrockModel = 'bedrock/amazon.nova-x-v1:0'

const completed = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
}
const conversed = {
  output: { message: { role: 'assistant', content: [{ text: 'yes' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 3, outputTokens: 1, totalTokens: 4 },
}

/** A vendor that requires calls signed by issued keys, and a vendor that requires no credential. */
class World {
  readonly metadata = new AwsMetadata()
  readonly sts = new Sts()
  /** How far the vendor's clock is ahead of ours. */
  vendorAheadMs = 0
  /** Access keys that have expired at the vendor. */
  readonly ended = new Set<string>()
  readonly refusals: string[] = []
  served = 0
  readonly #server: Server
  #node: TestNode | undefined
  #key: TestKey | undefined

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const nowMs = Date.now() + this.vendorAheadMs
    response.setHeader('date', new Date(nowMs).toUTCString())
    const { method = '', url = '', headers } = request
    const isOpen = url.startsWith('/open/')
    const isBedrock = url.startsWith('/model/')
    const call = { method, path: url, headers, body: Buffer.concat(chunks) }
    const refused = isOpen ? undefined : checkSignature(call, (id, token) => this.#secretOf(id, token), nowMs)
    if (refused !== undefined) {
      this.refusals.push(refused.errorType)
      // AWS answers 403 here; a vendor of OpenAI's format answers 401.
      const status = isBedrock ? refused.status : 401
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-amzn-errortype': refused.errorType,
      })
      response.end(JSON.stringify({ message: refused.message }))
      return
    }
    this.served++
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isBedrock ? conversed : completed))
  }

  #secretOf(id: string, token: string | undefined): string | undefined {
    const keys = [...this.metadata.given, ...this.sts.given].find(({ AccessKeyId }) => AccessKeyId === id)
    return keys === undefined || keys.Token !== token || this.ended.has(id) ? undefined : keys.SecretAccessKey
  }

  /** @param aws where credentials come from; by default the metadata server */
  async start(aws: Record<string, string> = {}, isBedrock = false): Promise<void> {
    await Promise.all([this.metadata.server.listen(), this.sts.server.listen()])
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    const { origin: metadata } = this.metadata.server
    if (process.env['AWS_CONTAINER_AUTHORIZATION_TOKEN'] === undefined)
      process.env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] = metadata
    else process.env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] = `${metadata}/container`
    process.env['AWS_ENDPOINT_URL_STS'] = this.sts.server.origin
    const style = 'openai' as const
    this.#node = await startTestNode({
      input: {
        providers: {
          // Each of the two providers requests keys of its own.
          ...(isBedrock
            ? { bedrock: { base_url: origin, aws: { region: 'us-east-1' } } }
            : { cloud: { style, base_url: `${origin}/signed/v1`, aws: { region: 'us-east-1', ...aws } } }),
          open: { style, base_url: `${origin}/open/v1` },
        },
        models: isBedrock ? { [bedrockModel]: { pricing: price } } : models,
      },
    })
    this.#key = await this.#node.createKey()
  }

  async stop(): Promise<void> {
    await this.#node?.stop()
    await Promise.all([this.metadata.server.close(), this.sts.server.close()])
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async ask(model: string): Promise<{ status: number; provider: string | null; text: string }> {
    const messages = [{ role: 'user', content: 'hello' }]
    const response = await this.#node!.chat(this.#key!, { model, messages })
    const provider = response.headers.get('x-turnpike-provider')
    return { status: response.status, provider, text: await response.text() }
  }

  /** The operator's hints in the log. */
  hints(): unknown[] {
    return this.#node!.log
      .filter(({ fields }) => typeof fields['hint'] === 'string')
      .map(({ fields }) => fields['hint'])
  }

  get log(): TestNode['log'] {
    return this.#node!.log
  }
}

let world: World
let environment: ReturnType<typeof cloudEnvironment>

beforeEach(() => {
  environment = cloudEnvironment()
  world = new World()
})
afterEach(async () => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name]
  await world.stop()
  environment.end()
})

/** AWS's SDK keeps using an instance's expired keys, since AWS may have extended them. */
const faults: CloudFault[] = [
  'silent',
  'reset',
  'status-500',
  'html',
  'wrong-types',
  'empty',
  'redirect',
  'huge',
  'endless',
]

describe('if no credential can be obtained', () => {
  test.each(faults)(
    '%s: falls back or answers 502, until it can',
    async (fault) => {
      world.metadata.server.fault = fault
      await world.start()
      expect(await world.ask('cloud/fallen')).toMatchObject({ status: 200, provider: 'open' })
      const lone = await world.ask('cloud/lone')
      expect(lone.status).toBe(502)
      const { error } = JSON.parse(lone.text) as { error: { type: string; message: string } }
      expect(error.type).toBe('upstream_error')
      expect(error.message).toBe('The gateway has no credential for this upstream at the moment.')
      await expect.poll(() => world.hints(), patience).toEqual([expect.stringMatching(/./)])
      expect(world.served).toBe(1)
      world.metadata.server.fault = undefined
      await expect.poll(async () => (await world.ask('cloud/lone')).status, patience).toBe(200)
      expect((await world.ask('cloud/fallen')).provider).toBe('cloud')
    },
    90_000,
  )
})

test('answers 502 for expired credentials, and the log says to check the clock', async () => {
  process.env['AWS_CONTAINER_AUTHORIZATION_TOKEN'] = 'container-token'
  world.metadata.server.fault = 'ended'
  await world.start()
  expect((await world.ask('cloud/lone')).status).toBe(502)
  expect(world.hints()).toEqual([expect.stringMatching(/check this machine's clock/)])
  expect(world.served).toBe(0)
}, 60_000)

describe('a valid credential', () => {
  test.each(faults)(
    'is used without requesting another one: %s',
    async (fault) => {
      await world.start()
      await expect.poll(async () => (await world.ask('cloud/lone')).status, patience).toBe(200)
      world.metadata.server.fault = fault
      const asked = world.metadata.server.requests.length
      for (let request = 0; request < 5; request++) expect((await world.ask('cloud/lone')).status).toBe(200)
      expect(world.metadata.server.requests).toHaveLength(asked)
    },
    60_000,
  )

  test('stays in use while its renewal hangs', async () => {
    const file = join(environment.home, 'token')
    writeFileSync(file, 'first')
    await world.start({ role_arn: 'arn:aws:iam::1:role/gateway', web_identity_token_file: file })
    await expect.poll(async () => (await world.ask('cloud/lone')).status, patience).toBe(200)
    world.sts.server.fault = 'silent'
    writeFileSync(file, 'second')
    await expect.poll(() => world.sts.server.requests.length, patience).toBe(2)
    for (let request = 0; request < 5; request++) expect((await world.ask('cloud/lone')).status).toBe(200)
    expect(world.sts.given).toHaveLength(1)
  }, 60_000)
})

describe('a credential that expires during a request', () => {
  test('is renewed, and the request succeeds with the new one', async () => {
    await world.start()
    await expect.poll(async () => (await world.ask('cloud/lone')).status, patience).toBe(200)
    world.ended.add(world.metadata.given.at(-1)!.AccessKeyId)
    expect(await world.ask('cloud/lone')).toMatchObject({ status: 200, provider: 'cloud' })
    expect(world.refusals).toEqual(['UnrecognizedClientException'])
    expect((await world.ask('cloud/lone')).status).toBe(200)
  }, 60_000)

  test('falls back, or answers 502 as for any rejected key, if it cannot be renewed', async () => {
    await world.start()
    await expect.poll(async () => (await world.ask('cloud/lone')).status, patience).toBe(200)
    world.ended.add(world.metadata.given.at(-1)!.AccessKeyId)
    world.metadata.server.fault = 'status-500'
    expect(await world.ask('cloud/fallen')).toMatchObject({ status: 200, provider: 'open' })
    const lone = await world.ask('cloud/lone')
    expect(lone.status).toBe(502)
    expect(lone.text).not.toContain('metadata-s')
  }, 60_000)
})

describe('a wrong clock', () => {
  test.each([10, -10])(
    'by %d minutes is corrected by the time in AWS’s response',
    async (minutes) => {
      world.vendorAheadMs = minutes * 60_000
      await world.start()
      await expect.poll(async () => (await world.ask('cloud/lone')).status, patience).toBe(200)
      expect(world.refusals).toEqual(['InvalidSignatureException'])
      expect((await world.ask('cloud/lone')).status).toBe(200)
      expect(world.refusals).toHaveLength(1)
      const clockWarnings = world.log.filter(({ message }) => message.includes("this node's clock"))
      expect(clockWarnings).toMatchObject([
        { level: 'warn', fields: { provider: 'cloud', behindSeconds: expect.closeTo(minutes * 60, -1) } },
      ])
    },
    60_000,
  )
})

describe('Bedrock itself', () => {
  test('answers a signed call, and one whose keys have expired meanwhile', async () => {
    await world.start({}, true)
    await expect.poll(async () => (await world.ask(bedrockModel)).status, patience).toBe(200)
    for (const { AccessKeyId } of world.metadata.given) world.ended.add(AccessKeyId)
    expect(await world.ask(bedrockModel)).toMatchObject({ status: 200, provider: 'bedrock' })
    expect(world.refusals).toEqual(['UnrecognizedClientException'])
  }, 60_000)

  test('corrects a wrong clock', async () => {
    world.vendorAheadMs = -600_000
    await world.start({}, true)
    await expect.poll(async () => (await world.ask(bedrockModel)).status, patience).toBe(200)
    expect(world.refusals).toEqual(['InvalidSignatureException'])
  }, 60_000)
})
