import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * Common mistakes of translating gateways, each with its test: the file next to this one (or its path), and
 * words of the test's name.
 */
const checklist: [trap: string, file: string, words: string][] = [
  [
    'tool-call indexes count tool calls only',
    'tool-calls.test.ts',
    'indexes of tool calls count tool calls only',
  ],
  ['several Google calls in one chunk', 'tool-calls.test.ts', 'several Google calls in one chunk'],
  ['tools without arguments', 'tool-calls.test.ts', 'a tool without arguments is called with {}'],
  ['STOP of Google after a call', 'tool-calls.test.ts', 'Google’s STOP after a call'],
  ['an upstream that closes without a finish', 'answers.test.ts', 'error if there is no finish reason'],
  ['the same, of every recording', '../../callers/cuts.test.ts', 'streams of every vendor, cut'],
  ['include_usage', 'answers.test.ts', 'report usage only on request'],
  ['UTF-8 and all else cut at every byte', '../../callers/every-byte.test.ts', 'in two at each byte'],
  ['comments and pings', 'answers.test.ts', 'ignore comments, pings and blank events'],
  ['no error inside a half-written event', 'answers.test.ts', 'only whole events before an error'],
  ['synthesised ids for Google', 'tool-calls.test.ts', 'identifiers generated for Google are matched'],
  [
    "thought signatures, OpenAI's fields alone",
    '../scripted/two-turns.test.ts',
    "openai SDK, OpenAI's fields kept",
  ],
  ['thinking blocks unchanged and first', '../scripted/two-turns.test.ts', 'openai SDK, all fields kept'],
  ["DeepSeek's reasoning_content in tool turns", '../scripted/two-turns.test.ts', 'deepseek'],
  ["Mistral's nine-character ids", 'tool-calls.test.ts', "Mistral's identifiers have nine characters"],
  ['consecutive tool results in one turn', 'tool-calls.test.ts', 'consecutive tool results are one turn'],
  ['tool results that are lists', 'tool-calls.test.ts', 'a tool result may be a list of texts and images'],
  ['tool results that are errors', 'tool-calls.test.ts', 'a failed tool is reported as failed'],
  ['empty assistant content', 'conversations.test.ts', 'for an assistant without text'],
  ['dangling tool calls', 'tool-calls.test.ts', 'a call without a result gets one'],
  ['JSON-schema keywords of tools', 'conversations.test.ts', 'are replaced by supported ones, for tools'],
  ['JSON-schema keywords of answers', 'conversations.test.ts', 'are replaced by supported ones, for answers'],
  ['several and mid-conversation system messages', 'conversations.test.ts', 'also mid-conversation'],
  ['first message from the assistant', 'conversations.test.ts', 'a first message of the assistant'],
  ['max_tokens absent on Anthropic', 'limits.test.ts', 'max_tokens absent on Anthropic'],
  [
    'max_completion_tokens on reasoning models',
    'limits.test.ts',
    'a reasoning model of OpenAI takes no max_tokens',
  ],
  ['temperature above 1 on Anthropic', 'limits.test.ts', 'a field that matters is refused by name'],
  ["stop lists longer than the vendor's", 'limits.test.ts', "['gemini', 'stop',"],
  ['n and logprobs where missing', 'limits.test.ts', "['anthropic', 'logprobs',"],
  ['finish reasons, unknown ones too', 'answers.test.ts', 'the finish reason'],
  [
    "Mistral's content arrays with thinking",
    '../scripted/streams-equal.test.ts',
    'reasoning, text and two calls',
  ],
  ["a vendor's 401 is not the caller's", 'errors.test.ts', 'about our credential is not the caller’s'],
  ['retry-after on a 200', 'errors.test.ts', 'passed on with a 429, and ignored on a 200'],
  ["Google's RetryInfo", 'errors.test.ts', "Google's RetryInfo becomes a Retry-After, rounded up"],
  ['529 is 503', 'errors.test.ts', '[529, 503,'],
  ['errors of every shape', 'errors.test.ts', 'its error may be %s'],
  [
    'JSON under text/event-stream',
    'answers.test.ts',
    'JSON under text/event-stream is the error that it holds',
  ],
  ['error events amid a stream', 'answers.test.ts', 'an error event of Anthropic, after'],
  ['blocked prompts and empty candidates', 'answers.test.ts', 'a well-formed answer with content_filter'],
  ['images by private addresses', '../../../../packages/gateway/upstream/media/public-address.test.ts', ''],
]

test('there are forty of them', () => {
  expect(new Set(checklist.map(([trap]) => trap)).size).toBe(40)
})

test.each(checklist)('%s', (_trap, file, words) => {
  expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toContain(words)
})
