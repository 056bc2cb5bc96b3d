import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { scripted } from '../../../tests/conformance/sdk-node.ts'
import { startTestNode, type TestKey, type TestNode } from '../../../tests/nodes/test-node.ts'
import { apiNames, apis, languages, type Api, type Language } from '../pages/playground/code/apis.ts'
import type { Json } from '../pages/playground/code/bodies/body.ts'
import { keyVariable, type CodeRequest } from '../pages/playground/code/code-request.ts'
import { root } from './built.ts'

/* Runs the playground's code as a user would who copies it: with curl, and with the vendors' own SDKs. */

const run = promisify(execFile)
const python = inject('pythonProgram')
const folder = join(root, '.cache/playground-code')
const answerText = 'Grüezi, "you" 🌍'
const hard = 'It\'s "$HOME", `id`, C:\\new\\table {x} %s \\u0041\n\tZürich 🌍'

let vendor: VendorServer
let node: TestNode
let key: TestKey

beforeAll(async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }
  const choices = [{ index: 0, message: { role: 'assistant', content: answerText }, finish_reason: 'stop' }]
  const answer = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage }
  const head = { ...answer, object: 'chat.completion.chunk', usage: undefined }
  const chunks = [
    {
      ...head,
      choices: [{ index: 0, delta: { role: 'assistant', content: answerText }, finish_reason: null }],
    },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...head, choices: [], usage },
  ]
  const stream = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
  const streamed = stream.map((one) => `data: ${one}\n\n`).join('')
  vendor = await startVendorServer({
    vendor: {
      answer: ({ body }) =>
        body.includes('"stream":true')
          ? scripted(200, streamed, { 'content-type': 'text/event-stream' })
          : scripted(200, answer),
    },
  })
  node = await startTestNode({
    input: {
      providers: { house: { style: 'openai', base_url: vendor.baseUrl(), api_keys: ['sk'] } },
      models: {
        'house/org/m': {
          upstreams: [{ provider: 'house', model: 'm' }],
          pricing: {
            prompt: '0.000001',
            completion: '0.000002',
            service_tiers: { priority: { prompt: '0.000002', completion: '0.000004' } },
          },
          supported_parameters: [
            'reasoning',
            'tools',
            'tool_choice',
            'temperature',
            'top_p',
            'response_format',
          ],
          modalities: { input: ['text', 'image', 'file'], output: ['text'] },
          max_output_tokens: 64_000,
          context_length: 200_000,
        },
      },
    },
  })
  key = await node.createKey()
  mkdirSync(folder, { recursive: true })
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await node.stop()
  await vendor.close()
})

/** The output of the program. */
async function outputOf(code: string, language: Language): Promise<string> {
  const env = { ...process.env, [keyVariable]: key.raw }
  if (language === 'curl') return (await run('sh', ['-c', `${code} -sS`], { env })).stdout
  const file = join(folder, language === 'TypeScript' ? 'code.mts' : 'code.py')
  writeFileSync(file, code)
  const { stdout } = await run(language === 'TypeScript' ? process.execPath : python!, [file], { env })
  return stdout
}

const requests: Record<string, Omit<CodeRequest, 'origin'>> = {
  'a first question': {
    model: 'house/org/m',
    system: '',
    turns: [{ role: 'user', text: 'Hello!' }],
    tags: [],
  },
  'all that can be set': {
    model: 'house/org/m',
    system: hard,
    turns: [
      { role: 'user', text: hard },
      { role: 'assistant', text: "I'm well" },
      { role: 'user', text: 'Zürich 🌍?' },
    ],
    tags: ['team:a', "it's"],
    maxTokens: 32_000,
    effort: 'low',
  },
  'one text': {
    model: 'house/org/m',
    system: '',
    turns: [{ role: 'user', text: hard }],
    tags: ['x'],
    effort: 'high',
  },
}
/** Its base64 contains the characters that URLs encode differently. */
const bytes = Buffer.from('\u{fb}pixel\u{ff}\u{ff}\u{fe}', 'latin1')
const pixel = `data:image/png;base64,${bytes.toString('base64')}`
const weather: Json = { type: 'object', properties: { cityName: { type: 'string' } }, required: ['cityName'] }
/** The playground's further settings, with tools and files. */
const rich: Omit<CodeRequest, 'origin'> = {
  model: 'house/org/m',
  system: 'Be brief.',
  turns: [
    {
      role: 'user',
      text: 'How warm is it here?',
      attachments: [
        { kind: 'image', name: 'here.png', mimeType: 'image/png', bytes: 70, data: pixel },
        { kind: 'text', name: 'note.txt', mimeType: 'text/plain', bytes: 4, data: hard },
      ],
    },
    {
      role: 'assistant',
      text: '',
      toolCalls: [{ id: 'call_1', name: 'get_weather', arguments: '{"cityName":"Zürich"}' }],
    },
    { role: 'tool', callId: 'call_1', name: 'get_weather', text: '{"degrees": 21}' },
  ],
  tags: ['team:a'],
  maxTokens: 500,
  temperature: 0.5,
  topP: 0.9,
  tools: [{ name: 'get_weather', description: 'The weather.', parameters: weather }],
  toolChoice: 'none',
  serviceTier: 'priority',
  format: { kind: 'schema', name: 'answer', schema: { ...weather, additionalProperties: false } },
}
requests['tools and files'] = rich

const cases = apiNames.flatMap((name) =>
  languages.flatMap((language) =>
    Object.keys(requests).map((what): [string, Language, string, Api] => [name, language, what, apis[name]]),
  ),
)
const hasGenai =
  python !== null && (await run(python, ['-c', 'import google.genai']).catch(() => null)) !== null

describe.each(cases)('the code of %s in %s, %s,', (name, language, what, api) => {
  const isMissing = language === 'Python' && (name === 'gemini' ? !hasGenai : python === null)

  test.skipIf(isMissing)('runs unchanged', { timeout: 60_000 }, async () => {
    const request = { ...requests[what]!, origin: node.origin }
    if (api.misfit?.(request) !== undefined) return
    vendor.journal.clear()
    const output = await outputOf(api.code[language](request), language)
    if (language === 'curl') expect(JSON.stringify(JSON.parse(output))).toContain(JSON.stringify(answerText))
    // If tools may be called, the whole answer is printed.
    else if (request.tools !== undefined) expect(output).toContain('Grüezi')
    else expect(output.trim()).toBe(answerText)
    const [entry] = vendor.journal.entries
    const sent = JSON.parse(entry!.request.body.toString()) as { messages: object[] } & Record<
      string,
      unknown
    >
    const system = request.system === '' ? [] : [{ role: 'system', content: request.system }]
    const turns = request.turns.map(({ role, text }) => ({ role, content: text }))
    const { data } = await node.admin<{ data: { tags: string[] }[] }>('/usage/requests?limit=1')
    expect(data[0]!.tags.toSorted()).toEqual(request.tags.toSorted())
    if (request.tools !== undefined) return expectRich(sent)
    expect(sent.messages.map((message) => ({ ...message, role: roleOf(message) }))).toEqual([
      ...system,
      ...turns,
    ])
    if (request.effort !== undefined) expect(sent).toMatchObject({ reasoning_effort: request.effort })
    if (request.maxTokens !== undefined)
      expect(sent['max_tokens'] ?? sent['max_completion_tokens']).toBe(request.maxTokens)
  })
})

/** The vendor received every setting, whichever API the request used. */
function expectRich(sent: Record<string, unknown>): void {
  const text = JSON.stringify(sent)
  expect(sent).toMatchObject({ temperature: 0.5, top_p: 0.9, tool_choice: 'none', service_tier: 'priority' })
  expect(sent['tools']).toMatchObject([{ function: { name: 'get_weather', parameters: weather } }])
  expect(sent['response_format']).toMatchObject({ type: 'json_schema', json_schema: { schema: weather } })
  for (const part of [pixel, 'call_1', 'degrees', 'Zürich', 'Be brief.', 'note.txt'])
    expect(text).toContain(part)
}

test('the TypeScript code passes the type check', { timeout: 120_000 }, async () => {
  const files = apiNames.flatMap((name) =>
    Object.values(requests).flatMap((request, index) => {
      const sentRequest = { ...request, origin: node.origin }
      const api: Api = apis[name]
      if (api.misfit?.(sentRequest) !== undefined) return []
      const file = join(folder, `${name}-${index}.mts`)
      writeFileSync(file, api.code.TypeScript(sentRequest))
      return [file]
    }),
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options =
    '--ignoreConfig --noEmit --strict --skipLibCheck --types node --target es2024 --module nodenext'
  const compiled = await run(process.execPath, [compiler, ...options.split(' '), ...files]).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')
})

/** Responses has the role `developer` for system prompts. */
function roleOf(message: object): unknown {
  const { role } = message as { role?: unknown }
  return role === 'developer' ? 'system' : role
}
