import { vendorFormats, type FormatName } from '@turnpike/dialects'
import { vendors, type Vendor } from '@turnpike/vendors'
import { describe, expect, test } from 'vitest'
import type { ConfigurationInput } from '../../../../apps/server/configuration/schema/schema.ts'
import { asAnthropic } from '../scripted/as-anthropic.ts'
import { asConverse } from '../scripted/as-bedrock.ts'
import { asDeepseek, asMistral, asOpenai } from '../scripted/as-chat.ts'
import { asCohere } from '../scripted/as-cohere.ts'
import { asGoogle } from '../scripted/as-google.ts'
import { plainScript, type ScriptedVendor } from '../scripted/scripted-answer.ts'
import { askedOf, askedOfTranslated, type Asked } from './asked-services.ts'
import { suiteKey, suiteNode, suiteVendor } from '../../../nodes/suite.ts'

/**
 * A vendor that charges more for a field is never called at the plain price, because the extra cost would
 * belong to no one.
 */

const says: Partial<Record<FormatName, ScriptedVendor>> = {
  'anthropic-messages': asAnthropic,
  'google-generate': asGoogle,
  'mistral-chat': asMistral,
  'deepseek-chat': asDeepseek,
  'cohere-chat': asCohere,
  'bedrock-converse': asConverse,
}

const ownServers = ['ollama', 'vllm']
/** Its vendor is unknown until its address shows it. */
const stranger = 'stranger'
const chatVendors = [
  ...vendors
    .filter((one) => one.format === 'openai-chat' && !ownServers.includes(one.name))
    .map(({ name }) => name),
  stranger,
]

/** Some vendors have only embeddings. */
function answers({ format }: Vendor): boolean {
  return vendorFormats[format].operations.generate !== undefined
}

const vendor = suiteVendor()
const node = suiteNode(() => configured(vendor.origin))
const key = suiteKey(node, { creditUsd: '100' })

function configured(origin: string): ConfigurationInput {
  const providers: NonNullable<ConfigurationInput['providers']> = {}
  const models: NonNullable<ConfigurationInput['models']> = {}
  for (const name of [...vendors.map((one) => one.name), stranger]) {
    for (const suffix of ['', '-paid']) {
      const provider = `${name}-of${suffix}`
      providers[provider] = {
        ...(name === stranger ? { style: 'openai' as const } : { vendor: name }),
        base_url: `${origin}/v1`,
        api_keys: ['sk-1'],
        ...(suffix === '-paid' ? { allow_unpriced: ['*'] } : {}),
        // References to data at a vendor are tested elsewhere.
        allowed_references: ['*'],
      }
      models[`${provider}/m`] = { pricing: { prompt: '0.000001', completion: '0.000002' } }
    }
  }
  models['openai-of/two'] = {
    pricing: { prompt: '0.000001', completion: '0.000002' },
    upstreams: ['openai-of', 'openai-of-paid'].map((provider) => ({ provider, model: 'm' })),
  }
  return { providers, models }
}

async function ask(provider: string, body: object): Promise<{ status: number; error?: { param?: string } }> {
  const format = vendors.find(({ name }) => provider.startsWith(`${name}-of`))?.format ?? 'openai-chat'
  const answer = plainScript(says[format] ?? asOpenai, { text: 'Yes.', usage: counted })
  vendor.next({ script: answer })
  const model = `${provider}/m`
  const response = await node.chat(key, { model, messages: [{ role: 'user', content: 'Hello' }], ...body })
  const { error } = (await response.json()) as { error?: { param?: string; message: string } }
  vendor.director.forgetPlans()
  return { status: response.status, ...(error === undefined ? {} : { error }) }
}

const counted = { input: 1, cached: 0, output: 1, reasoning: 0 }

async function expectTreated(name: string, { body, param }: Asked): Promise<void> {
  const before = vendor.journal.total
  const answer = await ask(`${name}-of`, body)
  if (param === undefined) {
    expect(answer).toEqual({ status: 200 })
    expect(vendor.journal.total).toBe(before + 1)
    return
  }
  expect(answer).toMatchObject({ status: 400, error: { type: 'invalid_request_error', code: 400, param } })
  expect(vendor.journal.total).toBe(before)
}

const named = (asked: readonly Asked[]): (readonly [string, Asked])[] =>
  asked.map((one) => [JSON.stringify(one.body), one] as const)

describe.each(chatVendors)('%s', (name) => {
  test.each(named(askedOf(name)))('%s', async (_body, asked) => expectTreated(name, asked))

  test('passes on what the operator pays for', async () => {
    for (const { body } of askedOf(name).filter(({ param }) => param !== undefined)) {
      const before = vendor.journal.total
      expect(await ask(`${name}-of-paid`, body), JSON.stringify(body)).toEqual({ status: 200 })
      expect(vendor.journal.total).toBe(before + 1)
      const sent = JSON.parse(vendor.journal.entries.at(-1)!.request.body.toString()) as object
      expect(sent).toMatchObject(body)
    }
  })
})

describe.each([...Object.keys(askedOfTranslated), 'vertex'])('%s', (name) => {
  const asked = askedOfTranslated[name] ?? askedOfTranslated['gemini']!
  test.each(named(asked))('%s', async (_body, one) => expectTreated(name, one))
})

test.each(ownServers)('%s charges nothing, so everything passes', async (name) => {
  for (const { body } of askedOf(name)) expect(await ask(`${name}-of`, body)).toEqual({ status: 200 })
})

test('tries another upstream of the model, which may support it', async () => {
  const before = vendor.journal.total
  vendor.next({ script: plainScript(asOpenai, { text: 'Yes.', usage: counted }) })
  const messages = [{ role: 'user', content: 'Hello' }]
  const body = { model: 'openai-of/two', messages, service_tier: 'priority' }
  const response = await node.chat(key, body)
  expect(response.status).toBe(200)
  expect(response.headers.get('x-turnpike-provider')).toBe('openai-of-paid')
  expect(vendor.journal.total).toBe(before + 1)
})

test.each(['m:online', 'm:nitro', 'm:extended', '@preset/dear'])(
  "%s is not the catalog's model, because of its router suffix",
  async (model) => {
    const messages = [{ role: 'user', content: 'Hello' }]
    const response = await node.chat(key, { model: `openrouter-of/${model}`, messages })
    expect(response.status).toBe(404)
  },
)

test.each([
  ['"search_parameters":{"mode":"on","mode":"off"}', '"search_parameters":{"mode":"off"}'],
  ['"service_tier":"priority","x":1,"service_tier":"auto"', '"x":1,"service_tier":"auto"'],
  ['"\\u0065nable_search":true,"enable_search":false', '"enable_search":false'],
])('a value that is given twice reaches the vendor as the gateway understood it: %s', async (said, sent) => {
  const head = '"model":"xai-of/m","messages":[{"role":"user","content":"Hello"}]'
  vendor.next({ script: plainScript(asOpenai, { text: 'Yes.', usage: counted }) })
  expect((await node.chat(key, `{${head},${said}}`)).status).toBe(200)
  const body = vendor.journal.entries.at(-1)!.request.body.toString()
  expect(body).toBe(`{${head.replace('xai-of/m', 'm')},${sent}}`)
})

test('every vendor is tested here', () => {
  const here = [...chatVendors, ...ownServers, ...Object.keys(askedOfTranslated), 'vertex']
  expect(here.filter((name) => name !== stranger).toSorted()).toEqual(
    vendors
      .filter(answers)
      .map(({ name }) => name)
      .toSorted(),
  )
})
