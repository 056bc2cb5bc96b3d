import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOpenai } from '../../../tests/conformance/vendors/scripted/as-chat.ts'
import { plainScript } from '../../../tests/conformance/vendors/scripted/scripted-answer.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'

/* Adds the vendor that CONTRIBUTING.md shows to a copy of the checkout, as a contributor would. */

const root = join(import.meta.dirname, '../../..')
const left = new Set(['node_modules', '.cache', '.runtime', 'dist', 'results'])

let copy: string
let vendor: VendorServer
let gateway: GatewayProcess | undefined

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'turnpike-recipe-'))
  for (const name of ['packages', 'apps/server', 'simulators', 'docs', 'package.json']) {
    const filter = (path: string): boolean => !left.has(basename(path)) && !path.endsWith('.test.ts')
    cpSync(join(root, name), join(copy, name), { recursive: true, filter })
  }
  linkDependencies()
  vendor = await startVendorServer({})
})

afterAll(async () => {
  await gateway?.remove()
  await vendor.close()
  rmSync(copy, { recursive: true, force: true })
})

/** Links the checkout's dependencies, but takes our own packages from the copy. */
function linkDependencies(): void {
  mkdirSync(join(copy, 'node_modules/@turnpike'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@turnpike' || name.startsWith('.')) continue
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name), 'junction')
  }
  for (const name of readdirSync(join(copy, 'packages'))) {
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@turnpike', name), 'junction')
  }
  symlinkSync(join(copy, 'simulators'), join(copy, 'node_modules/@turnpike/simulators'), 'junction')
}

/** The file that the page shows, and the path that the page gives for it. */
function recipe(): { path: string; text: string } {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const [, path, text] = /<!-- (packages\/vendors\/vendors\/\S+) -->\s+```ts\n(.*?)```/s.exec(page) ?? []
  if (path === undefined || text === undefined) throw new Error('CONTRIBUTING.md shows no vendor')
  return { path, text }
}

const read = (path: string): string => readFileSync(join(copy, path), 'utf8')

test(
  'a new vendor takes one file, and its model can then be called at its price',
  { timeout: 60_000 },
  async () => {
    const { path, text } = recipe()
    writeFileSync(join(copy, path), text)
    execFileSync(process.execPath, [join(copy, 'packages/vendors/generate.ts')], { stdio: 'pipe' })

    expect(read('packages/vendors/generated-vendors.ts')).toContain("from './vendors/acme.ts'")
    expect(read('packages/vendors/data/acme.json')).toContain('"id":"acme-large"')
    expect(read('docs/vendors.md')).toContain('`acme: { api_keys: ["${ACME_API_KEY}"] }`')

    const acme = { base_url: vendor.baseUrl({}, '/v1'), api_keys: ['sk-acme'] }
    const main = join(copy, 'apps/server/main.js')
    gateway = await GatewayProcess.create({ providers: { acme } }, [], {}, main)
    const usage = { input: 1_000, cached: 0, output: 100, reasoning: 0 }
    vendor.next({ script: plainScript(asOpenai, { text: 'Hi.', usage }) })
    const messages = [{ role: 'user', content: 'Hello' }]
    const response = await gateway.chat({ model: 'acme/acme-large', messages })
    expect([response.status, await response.json()]).toMatchObject([
      200,
      {
        model: 'acme/acme-large',
        choices: [{ message: { content: 'Hi.' } }],
        usage: { cost_usd: '0.00065' },
      },
    ])
    expect(vendor.journal.entries[0]!.request.headers['authorization']).toBe('Bearer sk-acme')
  },
)
