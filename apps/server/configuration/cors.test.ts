import { expect, test } from 'vitest'
import { resolveConfiguration } from './resolve/resolve.ts'
import { mistakesIn } from './testing/mistakes.ts'

test.each([
  'https://app.example.com',
  'http://localhost:5173',
  'http://[::1]:5173',
  'app://obsidian.md',
  'chrome-extension://abcdefghijklmnop',
  'capacitor://localhost',
  '*',
])('%s is a valid origin', (origin) => {
  expect(mistakesIn(`cors: { allowed_origins: ["${origin}"] }`)).toEqual([])
})

test.each([
  'https://app.example.com/',
  'https://app.example.com/chat',
  'https://App.example.com',
  'https://app.example.com:443',
  'https://user@app.example.com',
  'https://*.example.com',
  'app.example.com',
  'localhost:5173',
  'mailto:ops@example.com',
  'null',
  '',
])('"%s" is not a valid origin', (origin) => {
  const [mistake, ...others] = mistakesIn(`cors: { allowed_origins: ["${origin}"] }`)
  expect(mistake).toContain('cors.allowed_origins[0]: expected an origin such as "https://app.example.com"')
  expect(others).toEqual([])
})

test('listing other origins besides "*" is rejected', () => {
  expect(mistakesIn('cors: { allowed_origins: ["https://a.example", "*"] }')).toEqual([
    't.yaml:1:48 cors.allowed_origins[1]: "*" already includes every origin: remove it, or the others',
  ])
})

test('every origin is allowed by default; an empty list allows none', () => {
  const surroundings = { file: null, directory: '.', environment: {} }
  expect(resolveConfiguration({}, surroundings).cors.allowedOrigins).toEqual(['*'])
  const none = { cors: { allowed_origins: [] } }
  expect(resolveConfiguration(none, surroundings).cors.allowedOrigins).toEqual([])
})
