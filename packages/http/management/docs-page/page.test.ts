import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { OpenapiDocument } from '../openapi/document-types.ts'
import { suiteFullServer } from '../testing/full-server.ts'
import { fromMarkdown } from './markdown.ts'

const server = await suiteFullServer()
const page = await server.call('GET', '/docs', { secret: null })

test('describes every operation and schema, and every internal link works', async () => {
  const document = (await server.call('GET', '/openapi.json', { secret: null }))
    .json as unknown as OpenapiDocument
  const anchors = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(anchors).size).toBe(anchors.length)
  for (const item of Object.values(document.paths))
    for (const { operationId } of Object.values(item)) expect(anchors).toContain(operationId)
  for (const name of Object.keys(document.components.schemas)) expect(anchors).toContain(`schema-${name}`)
  const links = [...page.text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.filter((link) => !anchors.includes(link))).toEqual([])
})

test('loads nothing from elsewhere', () => {
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(page.text).not.toMatch(/<link|<img|src=|url\(|@import| on\w+=/)
  expect(page.text).toContain('prefers-color-scheme: dark')
})

test.each(['style', 'script'])('contains exactly the %s that its policy allows', (name) => {
  const found = [...page.text.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g'))]
  expect(found).toHaveLength(1)
  const hash = createHash('sha256').update(found[0]![1]!).digest('base64')
  expect(page.headers.get('content-security-policy')).toContain(`${name}-src 'sha256-${hash}'`)
})

test('closes all its tags', () => {
  const open: string[] = []
  const markup = page.text.replace(/<script>[^]*<\/script>/, '')
  for (const [, closing, name] of markup.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (['meta', 'link', 'br', 'input'].includes(name!)) continue
    if (closing === '/') expect(open.pop()).toBe(name)
    else open.push(name!)
  }
  expect(open).toEqual([])
})

test.each([
  ['one\ntwo\n\nthree', '<p>one two</p><p>three</p>'],
  ['- a\n- `b`', '<ul> <li>a</li><li><code>b</code></li> </ul>'],
  ['- a\nlonger\n- b - c', '<ul> <li>a longer</li><li>b - c</li> </ul>'],
  ['**a** <b> & "c"', '<p><strong>a</strong> &lt;b&gt; &amp; &quot;c&quot;</p>'],
  ['at https://a.example/b.', '<p>at <a href="https://a.example/b">https://a.example/b</a>.</p>'],
])('%j', (text, expected) => {
  expect(
    fromMarkdown(text)
      .map((one) => one.text)
      .join('')
      .replaceAll(/\n */g, ' '),
  ).toBe(expected)
})
