import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestNode, type TestKey, type TestNode } from '../../../tests/nodes/test-node.ts'
import { modelCode } from '../code/model-code.ts'
import { keyVariable } from '../pages/playground/code/code-request.ts'
import { root } from './built.ts'

/* Runs the code for models that do not generate text, as a user would who copies it;
   `playground-code.test.ts` runs the code for text. */

const run = promisify(execFile)
const languages = ['curl', 'Python', 'TypeScript'] as const
type Language = (typeof languages)[number]
const python = inject('pythonProgram')
const hasHttpx = python !== null && (await run(python, ['-c', 'import httpx']).catch(() => null)) !== null
const folder = join(root, '.cache/model-code')

let node: TestNode
let key: TestKey

beforeAll(async () => {
  node = await startTestNode()
  key = await node.createKey()
  mkdirSync(folder, { recursive: true })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await node.stop()
})

async function outputOf(code: string, language: Language): Promise<string> {
  const env = { ...process.env, [keyVariable]: key.raw }
  if (language === 'curl') return (await run('sh', ['-c', `${code} -sS`], { env })).stdout
  const file = join(folder, language === 'Python' ? 'code.py' : 'code.mts')
  writeFileSync(file, code)
  const { stdout } = await run(language === 'Python' ? python! : process.execPath, [file], { env })
  return stdout
}

const cases = [
  ['sandbox/embed', 'embeddings', /\d\.\d/],
  ['sandbox/rerank', 'rerank', /relevance_score/],
  ['sandbox/moderate', 'moderations', /flagged|true|false/i],
] as const

describe.each(cases)('the code for %s by %s', (model, endpoint, output) => {
  test.each(languages)('runs in %s', { timeout: 60_000 }, async (language) => {
    if (language === 'Python' && !hasHttpx) return
    const [way, ...others] = modelCode(model, [endpoint], node.origin)
    expect(others).toEqual([])
    expect(await outputOf(way!.code[language], language)).toMatch(output)
  })
})

test('modelCode only has code for the APIs of the model', () => {
  const ways = modelCode(
    'openai/gpt-5',
    ['chat.completions', 'messages', 'generate_content'],
    'https://x.test',
  )
  expect(ways.map(({ name }) => name)).toEqual(['Chat completions', 'Messages', 'Gemini'])
  for (const { code } of ways)
    for (const language of languages) expect(code[language]).toContain('openai/gpt-5')
})
