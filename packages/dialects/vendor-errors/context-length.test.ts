import { allRecordings } from '@turnpike/simulators'
import { describe, expect, it } from 'vitest'
import { vendorFormats } from '../registry.ts'
import { decodeVendorError } from './decode-error.ts'

function reasonOf(status: number, error: object): string | undefined {
  return decodeVendorError({ status, retryAfter: undefined, body: JSON.stringify({ error }) }).reason
}

describe('a request that is too long for its model', () => {
  it.each([
    ['OpenAI', { message: 'x', code: 'context_length_exceeded' }],
    ['OpenAI', { message: "This model's maximum context length is 8192 tokens. However, …" }],
    ['OpenAI', { message: 'Your input exceeds the context window of this model.' }],
    ['OpenAI', { message: 'Input tokens exceed the configured limit of 272000 tokens.' }],
    ['Anthropic', { message: 'prompt is too long: 207791 tokens > 200000 maximum' }],
    ['Anthropic', { message: 'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000' }],
    ['Google', { message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).' }],
    ['Vertex', { message: 'The input token count is 9 but model only supports up to 8.' }],
    ['Hugging Face', { message: 'Input validation error: `inputs` must have less than 8 tokens. Given: 9' }],
    ['Mistral', { message: 'Prompt contains 9 tokens, too large for model with 8 maximum context length' }],
    ['xAI', { message: "This model's maximum prompt length is 8 but the request contains 9 tokens." }],
    ['Groq', { message: 'Please reduce the length of the messages or completion.' }],
    ['Together', { message: "The input (9 tokens) is longer than the model's context length (8 tokens)." }],
    ['Moonshot', { message: 'Your request exceeded model token limit: 8 (requested: 9)' }],
    ['Alibaba', { message: 'Range of input length should be [1, 30720]' }],
    ['Perplexity', { message: 'x', type: 'too_many_prompt_tokens' }],
    ['llama.cpp', { message: 'the request exceeds the available context size, try increasing it' }],
    ['Ollama', { message: 'prompt too long; exceeded max context length by 9 tokens' }],
  ])('is recognized in the words of %s: %j', (_vendor, error) => {
    expect(reasonOf(400, error)).toBe('context-too-long')
  })

  it.each([
    [400, { message: 'max_tokens is too large: 999999' }],
    [400, { message: 'messages[3].content: expected a text' }],
    [429, { message: 'Request too large: too many tokens a minute for this context length' }],
    [500, { message: 'prompt is too long' }],
  ])('is not recognized under status %i, %j', (status, error) => {
    expect(reasonOf(status, error)).not.toBe('context-too-long')
  })
})

const recordings = allRecordings()

describe.runIf(recordings.areReal)('recorded refusals of long requests', () => {
  const byApi = { chat: 'openai-chat', messages: 'anthropic-messages', generate: 'google-generate' } as const
  const cases = recordings.cases.filter(({ id, status }) => id.includes('handles-context') && status === 400)
  it.each(cases)('$id', ({ id, api, status }) => {
    const vendorFormat = vendorFormats[byApi[api as keyof typeof byApi] ?? 'openai-chat']
    const body = recordings.response(id).toString('utf8')
    expect(vendorFormat.decodeError({ status, retryAfter: undefined, body }).reason).toBe('context-too-long')
  })
})
