import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { isMap, parseDocument } from 'yaml'
import { parseConfiguration } from './load.ts'
import { configurationSchema } from './schema/schema.ts'

const root = join(import.meta.dirname, '../../..')
const pages = globSync(['README.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root })
const examples = pages.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^( *)```ya?ml\n(.*?)^ *```/gms)].map(
    ([, indent, text], index) => ({
      name: `${relative(root, join(root, page))}, ${index + 1}`,
      text: text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  ),
)

/** Every variable is set, to something that fits a key of 32 bytes as well. */
const environment = new Proxy({}, { get: () => Buffer.alloc(32, 7).toString('base64') })

/** Some blocks configure other programs. */
function isOurs(text: string): boolean {
  const { contents } = parseDocument(text)
  if (!isMap(contents)) return false
  return contents.items.every(({ key }) => String(key) in configurationSchema.properties)
}

test('the docs have many examples of the configuration', () => {
  expect(examples.filter(({ text }) => isOurs(text)).length).toBeGreaterThan(15)
})

test.each(examples.filter(({ text }) => isOurs(text)))('$name is a valid configuration', ({ text }) => {
  // The reader fills in what stands for dots.
  const filled = text
    .replaceAll('base_url: …', 'base_url: https://vendor.example.com')
    .replaceAll('pricing: …', 'pricing: { prompt: "0.000001", completion: "0.000002" }')
  const { mistakes } = parseConfiguration(filled, environment)
  const wrong = mistakes.filter(({ message }) => !message.includes('cannot be read (ENOENT)'))
  expect(wrong.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([])
})
