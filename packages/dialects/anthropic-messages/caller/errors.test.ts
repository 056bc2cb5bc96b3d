import { GatewayError } from '@turnpike/protocol'
import { expect, it } from 'vitest'
import { decodeVendorError } from '../../vendor-errors/decode-error.ts'
import { formatError } from './errors.ts'

const messageFor = (message: string): string => {
  const error = decodeVendorError({
    status: 400,
    retryAfter: undefined,
    body: JSON.stringify({ error: { message } }),
  })
  expect(error.reason).toBe('context-too-long')
  return (formatError(error, 'req_1') as { error: { message: string } }).error.message
}

it.each([
  [
    'OpenAI',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130521 " +
      'tokens (129000 in the messages, 1521 in the functions). Please reduce their length.',
    '130521 tokens > 128000',
  ],
  [
    'OpenAI',
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 280012 tokens.',
    '280012 tokens > 272000',
  ],
  [
    'DeepSeek',
    "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (132000 " +
      'in the messages, 8000 in the completion). Please reduce the length of the messages or completion.',
    '140000 tokens > 131072',
  ],
  [
    'Mistral',
    'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    '65673 tokens > 32768',
  ],
  [
    'Google',
    'The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).',
    '1250074 tokens > 1048576',
  ],
  [
    'Vertex',
    'The input token count is 1300000 but model only supports up to 1048576.',
    '1300000 tokens > 1048576',
  ],
  [
    'xAI',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    '537812 tokens > 131072',
  ],
  [
    'Moonshot',
    'Your request exceeded model token limit: 131072 (requested: 140000)',
    '140000 tokens > 131072',
  ],
  [
    'Together',
    "The input (140,000 tokens) is longer than the model's context length (131,072 tokens).",
    '140000 tokens > 131072',
  ],
  [
    'vLLM',
    "'max_tokens' is too large: 4096. This model's maximum context length is 8192 " +
      'tokens and your request has 6000 input tokens (4096 > 8192 - 6000).',
    '10096 tokens > 8192',
  ],
])(
  "tells Claude Code in Anthropic's words that a prompt is too long for %s",
  (_vendor, message, expected) => {
    expect(messageFor(message)).toBe(`prompt is too long: ${expected} maximum`)
  },
)

it.each([
  'prompt is too long: 207791 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length',
])("keeps Anthropic's own sentence: %s", (message) => {
  expect(messageFor(message)).toBe(message)
})

it('quotes a vendor that gives no numbers', () => {
  expect(messageFor('Please reduce the length of the messages or completion.')).toBe(
    'prompt is too long: Please reduce the length of the messages or completion.',
  )
  const other = new GatewayError('invalid_request_error', 'A mistake of 5000 and 6000.')
  expect(formatError(other, 'req_1')).toMatchObject({ error: { message: 'A mistake of 5000 and 6000.' } })
})
