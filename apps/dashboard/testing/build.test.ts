import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildDashboard, dist } from './built.ts'

/** On the wire, packed by brotli as every browser takes it. */
const maxFirstLoadBytes = 200_000

beforeAll(() => buildDashboard(), 120_000)

const read = (path: string): string => readFileSync(join(dist, path), 'utf8')

/** What a page loads before it can show anything: its own script, and what that imports, and those import. */
function initialScripts(): Set<string> {
  const scripts = new Set<string>()
  const add = (path: string): void => {
    if (scripts.has(path)) return
    scripts.add(path)
    for (const [, name] of read(path).matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) {
      add(`assets/${name}`)
    }
  }
  for (const [, path] of read('index.html').matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)) add(path!)
  return scripts
}

describe('the build', () => {
  test('loads at most 200 kB of script, packed, with the first page, whichever that is', () => {
    const [head] = [...initialScripts()].filter((path) => path.includes('head'))
    const pages = JSON.parse(/\((\{.*\})\)/.exec(read(head!))![1]!) as Record<string, string[]>
    expect(Object.keys(pages)).toEqual(expect.arrayContaining(['/', '/usage', '/playground', '/operator']))
    const sizes = Object.entries(pages).map(([page, files]) => {
      const scripts = new Set([...initialScripts(), ...files.map((file) => file.slice(1))])
      const bytes = [...scripts].reduce((sum, path) => sum + brotliCompressSync(read(path)).length, 0)
      return [page, bytes] as const
    })
    process.stderr.write(`first loads, bytes of script: ${JSON.stringify(Object.fromEntries(sizes))}\n`)
    for (const [page, bytes] of sizes) expect(bytes, page).toBeLessThan(maxFirstLoadBytes)
  })

  test('is that for production, whoever asks for it', () => {
    const all = [...initialScripts()].map(read).join('')
    // Words of React's development build alone.
    expect(all).not.toContain('unique "key" prop')
  })

  test.each(['provider', 'free-range', 'code-panel'])('has what is needed later apart: %s', (name) => {
    const all = JSON.parse(read('manifest.json')) as { files: { path: string }[] }
    const later = all.files.find(({ path }) => new RegExp(`/${name}-[^/]*\\.js$`).test(path))
    expect(later).toBeDefined()
    expect(initialScripts()).not.toContain(later!.path)
  })

  test('has no script and no style within its page, and names no other origin', () => {
    const html = read('index.html')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    expect(html).not.toMatch(/<style|\sstyle=|https?:\/\//)
  })
})
