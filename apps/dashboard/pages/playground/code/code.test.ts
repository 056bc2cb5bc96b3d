import { describe, expect, test } from 'vitest'
import { apiNames, apis, languages, type Api } from './apis.ts'
import { headerTags } from './bodies/body.ts'
import { misfitOfCompletions } from './bodies/completions.ts'
import type { CodeRequest } from './code-request.ts'
import { literal } from './literal.ts'

const plain: CodeRequest = {
  origin: 'https://llm.example.com',
  model: 'openai/gpt-5-mini',
  system: '',
  turns: [{ role: 'user', text: 'Hello!' }],
  tags: [],
}

describe('literal', () => {
  test.each([
    ['It\'s "so"', String.raw`"It's \"so\""`, String.raw`'It\'s "so"'`],
    ['C:\\a\n\t🌍', String.raw`"C:\\a\n\t🌍"`, String.raw`'C:\\a\n\t🌍'`],
    ['\\"', String.raw`"\\\""`, String.raw`'\\"'`],
    [true, 'True', 'true'],
    [null, 'None', 'null'],
    [{ a: 1, 'b-c': [false] }, '{"a": 1, "b-c": [False]}', `{ a: 1, 'b-c': [false] }`],
  ])('writes a value in the syntax of each language: %j', (value, python, typescript) => {
    expect([literal(value, 'python'), literal(value, 'typescript')]).toEqual([python, typescript])
  })

  test('writes each member of a long value on a line of its own', () => {
    const content = 'x'.repeat(60)
    const lines = ['[', '        {', `            "content": "${content}",`, '        },', '    ]']
    expect(literal([{ content }], 'python', 1)).toBe(lines.join('\n'))
  })
})

const apiOf = (name: (typeof apiNames)[number]): Api => apis[name]

test.each(apiNames)('the code of %s has the gateway, the model, and the variable of the key', (name) => {
  for (const language of languages) {
    const code = apiOf(name).code[language](plain)
    for (const part of ['https://llm.example.com', 'openai/gpt-5-mini', 'Hello!', 'TURNPIKE_API_KEY'])
      expect(code).toContain(part)
  }
})

test('each API has a body of its own format', () => {
  const request: CodeRequest = { ...plain, system: 'Be brief.', maxTokens: 9, effort: 'low', tags: ['a:b'] }
  const body = (name: (typeof apiNames)[number]): unknown =>
    JSON.parse(/ -d '([\s\S]*)'$/.exec(apiOf(name).code.curl(request))![1]!)
  const user = { role: 'user', content: 'Hello!' }
  const model = plain.model
  const metadata = { tags: ['a:b'] }
  expect(body('chat')).toEqual({
    model,
    messages: [{ role: 'system', content: 'Be brief.' }, user],
    max_completion_tokens: 9,
    reasoning_effort: 'low',
    metadata,
  })
  expect(body('messages')).toEqual({
    model,
    max_tokens: 9,
    system: 'Be brief.',
    messages: [user],
    output_config: { effort: 'low' },
    metadata,
  })
  expect(body('responses')).toEqual({
    model,
    instructions: 'Be brief.',
    input: 'Hello!',
    max_output_tokens: 9,
    reasoning: { effort: 'low' },
    store: false,
    metadata,
  })
  expect(body('gemini')).toEqual({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [{ role: 'user', parts: [{ text: 'Hello!' }] }],
    generationConfig: { maxOutputTokens: 9, thinkingConfig: { thinkingLevel: 'LOW' } },
  })
  expect(apis.gemini.code.curl(request)).toContain('-H "X-Turnpike-Tags: a:b"')
})

test('each API with service tiers requests the tier', () => {
  const request: CodeRequest = { ...plain, serviceTier: 'priority' }
  for (const name of ['chat', 'messages', 'responses'] as const)
    for (const language of languages) expect(apis[name].code[language](request)).toMatch(/service_tier/)
  expect(apis.gemini.code.curl(request)).toContain('"serviceTier": "priority"')
  expect(apis.gemini.code.Python(request)).toContain('"service_tier": "priority"')
  expect(apis.gemini.code.TypeScript(request)).toContain('serviceTier: ServiceTier.PRIORITY')
  expect(apis.gemini.code.TypeScript(request)).toContain('import { GoogleGenAI, ServiceTier }')
  expect(apis.gemini.misfit(request)).toBeUndefined()
  expect(apis.gemini.misfit({ ...plain, serviceTier: 'fast' })).toMatch(/flex and priority/)
})

test('an effort of none turns reasoning off', () => {
  const request: CodeRequest = { ...plain, effort: 'none' }
  expect(apis.messages.code.curl(request)).toContain('"type": "disabled"')
  expect(apis.gemini.code.curl(request)).toContain('"thinkingBudget": 0')
})

test('a long answer is streamed if the SDK requires it', () => {
  const request: CodeRequest = { ...plain, maxTokens: 32_000 }
  expect(apis.messages.code.Python(request)).toContain('client.messages.stream(')
  expect(apis.messages.code.TypeScript(request)).toContain('.finalMessage()')
})

test('curl quotes texts for the shell', () => {
  const turns = [{ role: 'user' as const, text: 'It\'s "$HOME"' }]
  expect(apis.chat.code.curl({ ...plain, turns })).toContain(String.raw`"It'\''s \"$HOME\""`)
  expect(apis.gemini.code.curl({ ...plain, tags: ['$x"`'] })).toContain('Tags: \\$x\\"\\`"')
})

test('headerTags leaves out tags that a header cannot contain', () => {
  expect(headerTags(['team:a', 'a,b', 'Zürich', 'x\ny', ''])).toEqual(['team:a'])
})

test('completions only accept a single text', () => {
  expect(misfitOfCompletions(plain)).toBeUndefined()
  expect(misfitOfCompletions({ ...plain, system: 'x' })).toMatch(/system prompt/)
  const turns = [...plain.turns, { role: 'assistant' as const, text: 'Hi' }, ...plain.turns]
  expect(misfitOfCompletions({ ...plain, turns })).toMatch(/single text/)
})
