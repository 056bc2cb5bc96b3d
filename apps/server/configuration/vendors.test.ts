import { readFileSync } from 'node:fs'
import {
  cohereRerankCaller,
  openaiChatCaller,
  openaiEmbeddingsCaller,
  vendorFormats,
} from '@turnpike/dialects'
import { keyCredentials, withCredential, type UpstreamRequest } from '@turnpike/gateway'
import { vendors } from '@turnpike/vendors'
import { expect, test } from 'vitest'
import type { CandidateRequest } from '../../../packages/gateway/context/stages.ts'
import { outboundRequest } from '../../../packages/gateway/outbound/request.ts'
import { parseConfiguration } from './load.ts'
import { resolveConfiguration } from './resolve/resolve.ts'
import type { ConfigurationInput } from './schema/schema.ts'

type ProviderInput = NonNullable<ConfigurationInput['providers']>[string]

/** The call to a provider of this configuration for the model `m/1`. */
function callOf(name: string, input: ProviderInput) {
  const surroundings = { file: null, directory: '/', environment: {} }
  const { providers } = resolveConfiguration({ providers: { [name]: input } }, surroundings)
  const provider = providers.find((one) => one.name === name)!
  const asking = {
    candidate: {
      provider,
      model: { maxOutputTokens: 1, supportedParameters: [] },
      upstream: { provider: name, model: 'm/1' },
    },
    request: {
      exchange: { requestId: 'req' },
      format: [openaiChatCaller, openaiEmbeddingsCaller, cohereRerankCaller].find(
        ({ operation }) => vendorFormats[provider.format].operations[operation] !== undefined,
      )!,
      call: { request: { stream: false } },
    },
  } as unknown as CandidateRequest
  const vendorFormat = vendorFormats[provider.format]
  if (vendorFormat === undefined) throw new Error(`there is no format ${provider.format}`)
  const [credential] = keyCredentials([provider]).get(name)!
  const outbound = outboundRequest(asking, vendorFormat, Buffer.alloc(0))
  const signed = withCredential(outbound, { provider, credential: credential! }) as UpstreamRequest
  const { origin, path, headers } = signed
  const usual = ['content-type', 'accept', 'accept-encoding', 'user-agent', 'x-client-request-id']
  const own = Object.entries(headers).filter(([header]) => !usual.includes(header))
  return { url: origin + path, headers: Object.fromEntries(own), provider }
}

const key = { api_keys: ['k'] }
const bearer = { authorization: 'Bearer k' }
const gemini = 'models/m%2F1:generateContent'

/** Provider, its configuration, and the URL and headers of a call. */
const calls: [string, ProviderInput, string, Record<string, string>][] = [
  ['openai', key, 'https://api.openai.com/v1/chat/completions', bearer],
  [
    'anthropic',
    key,
    'https://api.anthropic.com/v1/messages',
    { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
  ],
  ['gemini', key, `https://generativelanguage.googleapis.com/v1beta/${gemini}`, { 'x-goog-api-key': 'k' }],
  [
    'vertex',
    { ...key, base_url: 'https://eu.googleapis.com/v1/projects/p/locations/eu/publishers/google' },
    `https://eu.googleapis.com/v1/projects/p/locations/eu/publishers/google/${gemini}`,
    bearer,
  ],
  ['deepseek', key, 'https://api.deepseek.com/v1/chat/completions', bearer],
  ['mistral', key, 'https://api.mistral.ai/v1/chat/completions', bearer],
  [
    'azure',
    { ...key, base_url: 'https://r.openai.azure.com' },
    'https://r.openai.azure.com/openai/deployments/m%2F1/chat/completions?api-version=2024-10-21',
    { 'api-key': 'k' },
  ],
  [
    'bedrock',
    { ...key, regions: ['eu-central-1'] },
    'https://bedrock-runtime.eu-central-1.amazonaws.com/model/m%2F1/converse',
    bearer,
  ],
  ['groq', key, 'https://api.groq.com/openai/v1/chat/completions', bearer],
  ['xai', key, 'https://api.x.ai/v1/chat/completions', bearer],
  ['together', key, 'https://api.together.xyz/v1/chat/completions', bearer],
  ['fireworks', key, 'https://api.fireworks.ai/inference/v1/chat/completions', bearer],
  ['openrouter', key, 'https://openrouter.ai/api/v1/chat/completions', bearer],
  ['perplexity', key, 'https://api.perplexity.ai/chat/completions', bearer],
  ['cerebras', key, 'https://api.cerebras.ai/v1/chat/completions', bearer],
  ['moonshot', key, 'https://api.moonshot.ai/v1/chat/completions', bearer],
  ['zai', key, 'https://api.z.ai/api/paas/v4/chat/completions', bearer],
  ['alibaba', key, 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions', bearer],
  ['huggingface', key, 'https://router.huggingface.co/v1/chat/completions', bearer],
  ['voyage', key, 'https://api.voyageai.com/v1/embeddings', bearer],
  ['cohere', key, 'https://api.cohere.com/v2/chat', bearer],
  ['jina', key, 'https://api.jina.ai/v1/rerank', bearer],
  ['ollama', {}, 'http://127.0.0.1:11434/v1/chat/completions', {}],
  ['vllm', {}, 'http://127.0.0.1:8000/v1/chat/completions', {}],
  ['nvidia', key, 'https://integrate.api.nvidia.com/v1/chat/completions', bearer],
  ['sambanova', key, 'https://api.sambanova.ai/v1/chat/completions', bearer],
  ['deepinfra', key, 'https://api.deepinfra.com/v1/openai/chat/completions', bearer],
  ['novita', key, 'https://api.novita.ai/openai/v1/chat/completions', bearer],
  ['github', key, 'https://models.github.ai/inference/chat/completions', bearer],
  [
    'databricks',
    { ...key, base_url: 'https://w.cloud.databricks.com/serving-endpoints' },
    'https://w.cloud.databricks.com/serving-endpoints/chat/completions',
    bearer,
  ],
  [
    'snowflake',
    { ...key, base_url: 'https://a.snowflakecomputing.com/api/v2/cortex/v1' },
    'https://a.snowflakecomputing.com/api/v2/cortex/v1/chat/completions',
    bearer,
  ],
  [
    'cloudflare',
    { ...key, base_url: 'https://api.cloudflare.com/client/v4/accounts/a/ai/v1' },
    'https://api.cloudflare.com/client/v4/accounts/a/ai/v1/chat/completions',
    bearer,
  ],
  ['ai21', key, 'https://api.ai21.com/studio/v1/chat/completions', bearer],
]

test('the table contains every vendor', () => {
  expect(calls.map(([name]) => name).toSorted()).toEqual(vendors.map(({ name }) => name))
})

test.each(calls)('%s is called at its address with its headers', (name, input, url, headers) => {
  const call = callOf(name, input)
  expect([call.url, call.headers]).toEqual([url, headers])
  expect(call.provider.vendor).toBe(name)
})

test.each<[string, string, ProviderInput, string, Record<string, string>]>([
  [
    'an address is built from its parts',
    'vertex',
    { ...key, project: 'p', regions: ['eu-a1', 'global'] },
    `https://eu-a1-aiplatform.googleapis.com/v1/projects/p/locations/eu-a1/publishers/google/${gemini}`,
    bearer,
  ],
  [
    'Azure’s newer address needs no version',
    'azure',
    { ...key, base_url: 'https://r.openai.azure.com/openai/v1/' },
    'https://r.openai.azure.com/openai/v1/chat/completions',
    { 'api-key': 'k' },
  ],
  [
    'but takes one',
    'azure',
    { ...key, base_url: 'https://r.openai.azure.com/openai/v1', api_version: 'preview' },
    'https://r.openai.azure.com/openai/v1/chat/completions?api-version=preview',
    { 'api-key': 'k' },
  ],
  [
    'a second account goes by its vendor',
    'azure-eu',
    { ...key, vendor: 'azure', base_url: 'https://eu.openai.azure.com', api_version: '2025-01-01-preview' },
    'https://eu.openai.azure.com/openai/deployments/m%2F1/chat/completions?api-version=2025-01-01-preview',
    { 'api-key': 'k' },
  ],
  [
    'another server with Azure’s API needs its full address',
    'house',
    {
      ...key,
      style: 'openai',
      base_url: 'https://llm.example.com',
      path: '/d/{model}/chat',
      credential_header: 'X-Key',
      headers: { 'X-Team': 'search' },
    },
    'https://llm.example.com/d/m%2F1/chat',
    { 'x-key': 'k', 'x-team': 'search' },
  ],
  [
    'callers whose format the provider lacks are served in its first format',
    'deepseek',
    { ...key, formats: ['anthropic-messages', 'deepseek-chat'] },
    'https://api.deepseek.com/anthropic/v1/messages',
    { ...bearer, 'anthropic-version': '2023-06-01' },
  ],
  [
    'Snowflake’s Messages are next to its chat completions',
    'snowflake',
    {
      ...key,
      formats: ['anthropic-messages'],
      base_url: 'https://a.snowflakecomputing.com/api/v2/cortex/v1',
    },
    'https://a.snowflakecomputing.com/api/v2/cortex/v1/messages',
    { ...bearer, 'anthropic-version': '2023-06-01' },
  ],
  [
    'another format of an own server replaces the version in its address',
    'vllm',
    { formats: ['anthropic-messages'], base_url: 'http://gpu.internal/llm/v1' },
    'http://gpu.internal/llm/v1/messages',
    { 'anthropic-version': '2023-06-01' },
  ],
  [
    'paths are configured per operation',
    'house',
    { ...key, style: 'openai', base_url: 'https://llm.example.com', paths: { generate: '/g/{model}' } },
    'https://llm.example.com/g/m%2F1',
    { authorization: 'Bearer k' },
  ],
  [
    'another credential than the vendor’s',
    'vertex',
    { ...key, base_url: 'https://v/v1', credential_header: 'x-goog-api-key' },
    `https://v/v1/${gemini}`,
    { 'x-goog-api-key': 'k' },
  ],
  [
    'a style has its maker’s address by default, under any provider name',
    'claude',
    { ...key, style: 'anthropic' },
    'https://api.anthropic.com/v1/messages',
    { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
  ],
  [
    'a vendor’s name with another style does not make it that vendor',
    'deepseek',
    { ...key, style: 'openai', base_url: 'http://127.0.0.1:1/v1' },
    'http://127.0.0.1:1/v1/chat/completions',
    bearer,
  ],
])('%s', (_what, name, input, url, headers) => {
  const call = callOf(name, input)
  expect([call.url, call.headers]).toEqual([url, headers])
})

test('an address that contains its region sets the region, if its vendor has prices by region', () => {
  const regionAt = (base_url: string): string | undefined =>
    callOf('bedrock', { ...key, base_url }).provider.region
  expect(regionAt('https://bedrock-runtime.eu-west-1.amazonaws.com')).toBe('eu-west-1')
  expect(regionAt('https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com')).toBe('us-gov-west-1')
  expect(regionAt('https://bedrock.proxy.internal')).toBeUndefined()
})

test('stream_options is sent only to providers that accept it', () => {
  const takesStreamOptions = (name: string, input: ProviderInput): boolean =>
    callOf(name, input).provider.takesStreamOptions
  expect(takesStreamOptions('mistral', key)).toBe(false)
  expect(takesStreamOptions('openrouter', key)).toBe(true)
  expect(takesStreamOptions('perplexity', key)).toBe(false)
  expect(takesStreamOptions('perplexity', { ...key, takes_stream_options: true })).toBe(true)
  expect(
    takesStreamOptions('mine', {
      style: 'openai',
      base_url: 'http://127.0.0.1:1',
      takes_stream_options: false,
    }),
  ).toBe(false)
})

test('the lines of docs/vendors.md are a valid configuration', () => {
  const guide = readFileSync(new URL('../../../docs/vendors.md', import.meta.url), 'utf8')
  const lines = [...guide.matchAll(/\| `([^\s`:]+: \{.*\})` \|$/gm)].map(([, line]) => `  ${line}\n`)
  const text = `providers:\n${lines.join('')}`.replaceAll(/<[a-z-]+>/g, 'mine')
  const environment = Object.fromEntries(vendors.map(({ variable }) => [variable ?? 'NONE', 'a key']))
  const { input, mistakes } = parseConfiguration(text, environment)
  expect(mistakes).toEqual([])
  expect(Object.keys(input!.providers!)).toEqual(vendors.map(({ name }) => name))
})
