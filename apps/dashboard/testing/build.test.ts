import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildDashboard, dist } from './built.ts'

const maxInitialBytes = 350 * 1024

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
  test('loads at most 350 KB of script, packed, before it shows anything', () => {
    const scripts = [...initialScripts()]
    expect(scripts.length).toBeGreaterThan(1)
    const bytes = scripts.reduce((sum, path) => sum + gzipSync(read(path)).length, 0)
    expect(bytes).toBeLessThan(maxInitialBytes)
  })

  test('is that for production, whoever asks for it', () => {
    const all = [...initialScripts()].map(read).join('')
    // Words of React's development build alone.
    expect(all).not.toContain('unique "key" prop')
  })

  test('draws charts by a script that comes only with them', () => {
    const all = JSON.parse(read('manifest.json')) as { files: { path: string }[] }
    const chart = all.files.find(({ path }) => /stacked-bars.*\.js$/.test(path))
    expect(chart).toBeDefined()
    expect(initialScripts()).not.toContain(chart!.path)
  })

  test('has no script and no style within its page, and names no other origin', () => {
    const html = read('index.html')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    expect(html).not.toMatch(/<style|\sstyle=|https?:\/\//)
  })
})
