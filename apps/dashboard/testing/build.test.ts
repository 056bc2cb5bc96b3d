import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildDashboard, dist } from './built.ts'

/** The size over the network, compressed with brotli, which every browser accepts. */
const maxFirstLoadBytes = 200_000

beforeAll(() => buildDashboard(), 120_000)

const read = (path: string): string => readFileSync(join(dist, path), 'utf8')

/** The scripts a page loads before it can show anything: its own, and everything they import statically. */
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
  test('loads at most 200 kB of compressed script with the first page, whichever that is', () => {
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

  test('is a production build, even if tests start it', () => {
    const all = [...initialScripts()].map(read).join('')
    // This message only exists in React's development build.
    expect(all).not.toContain('unique "key" prop')
  })

  test.each(['provider', 'free-range', 'code-panel'])(
    'puts code that is needed later into its own file: %s',
    (name) => {
      const all = JSON.parse(read('manifest.json')) as { files: { path: string }[] }
      const later = all.files.find(({ path }) => new RegExp(`/${name}-[^/]*\\.js$`).test(path))
      expect(later).toBeDefined()
      expect(initialScripts()).not.toContain(later!.path)
    },
  )

  test('has no inline script or style, and refers to no other origin', () => {
    const html = read('index.html')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    expect(html).not.toMatch(/<style|\sstyle=|https?:\/\//)
  })
})
