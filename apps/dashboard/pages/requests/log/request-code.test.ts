import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { codeOf, languages } from './request-code.ts'

const body = {
  model: 'openai/gpt-5-mini',
  stream: true,
  messages: [{ role: 'user', content: `It's "$1" \\ ü\n` }],
}
const request = { origin: 'https://llm.example.com', path: '/v1/chat/completions', body }

test.each(languages)('the code in %s has the address and the variable of the key', (language) => {
  const code = codeOf[language](request)
  for (const part of ['https://llm.example.com/v1/chat/completions', 'TURNPIKE_API_KEY', 'gpt-5-mini'])
    expect(code).toContain(part)
})

test('curl sends exactly the stored body', () => {
  const script = codeOf.curl(request).replace(/^curl/, 'printf "%s\\n"')
  const output = execFileSync('/bin/sh', ['-c', script], { env: { TURNPIKE_API_KEY: 'k' }, encoding: 'utf8' })
  expect(JSON.parse(output.slice(output.indexOf('{')))).toEqual(body)
  expect(output).toContain('Authorization: Bearer k\n')
})

test('streams of Google’s API are requested as server-sent events', () => {
  const path = '/v1beta/models/google/gemini-2.5-flash:streamGenerateContent'
  expect(codeOf.curl({ ...request, path, body: {} })).toContain(`${path}?alt=sse'`)
  expect(codeOf.Python({ ...request, path, body: {} })).toContain('stream=True')
})
