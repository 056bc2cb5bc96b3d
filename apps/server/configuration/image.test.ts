import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..', '..', '..')
const ignoreFile = '.dockerignore'

interface Rule {
  takes: boolean
  pattern: RegExp
}

/** The rules of Docker: https://docs.docker.com/build/concepts/context/#dockerignore-files. */
const rules = readFileSync(join(root, ignoreFile), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Rule => ({ takes: line.startsWith('!'), pattern: expressionOf(line.replace(/^!/u, '')) }))

function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^$()|{}]/gu, String.raw`\$&`)
    .replaceAll('**/', '\u0001')
    .replaceAll('*', '[^/]*')
    .replaceAll('\u0001', '(?:.*/)?')
  return new RegExp(`^${source}$`, 'u')
}

/** The last rule that matches a path, or a folder above it, decides. */
function enters(path: string): boolean {
  const parts = path.split('/')
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const last = rules.findLast(({ pattern }) => paths.some((one) => pattern.test(one)))
  return last?.takes ?? true
}

describe('the image', () => {
  test.each([
    '.env',
    '.env.local',
    '.npmrc',
    '.git/config',
    'turnpike.yaml',
    'compose.override.yaml',
    'credentials.json',
    'id_ed25519',
    'backup.sql',
    '.turnpike/internal_secret',
    '.turnpike/turnpike.db',
    '.ssh/config.ts',
    'deploy/compose/.env',
    'deploy/compose/.env.production',
    'deploy/compose/turnpike.yaml',
    'deploy/compose/secrets.yaml',
    'deploy/helm/turnpike/values.production.yaml',
    'deploy/docker/.env',
    'apps/server/.env',
    'apps/server/.env.js',
    'apps/server/turnpike.yaml',
    'apps/server/credentials.json',
    'apps/server/tls.key',
    'apps/server/tls.pem',
    'apps/server/.turnpike/demo_key',
    'apps/server/.aws/credentials.ts',
    'apps/dashboard/.env.production',
    'apps/dashboard/dist/index.html',
    'packages/http/.env.d/vendor.ts',
    'packages/http/secrets.json',
    'packages/storage/database.sqlite',
    'simulators/.env',
    'bench/results/latest.json',
    'bin/.env',
    'node_modules/pg/index.js',
    'packages/http/node_modules/x/index.ts',
    'env',
    'prod.env',
    'apps/server/prod.env',
  ])('leaves out %s', (path) => expect(enters(path)).toBe(false))

  test('contains everything that the gateway needs', () => {
    const sources = globSync(
      [
        'apps/server/*.ts',
        'packages/*/index.ts',
        'packages/*/*/*.ts',
        'simulators/index.ts',
        '{apps,packages}/*/package.json',
        'packages/vendors/data/*.json',
        'apps/dashboard/**/*.tsx',
        'apps/dashboard/**/*.css',
        'bin/*.js',
      ],
      { cwd: root, exclude: ['**/node_modules', '**/dist', '**/*.test.ts', '**/*.test.tsx', '**/testing'] },
    ).filter((path) => !path.includes('.test.'))
    expect(sources.length).toBeGreaterThan(300)
    expect(sources.filter((path) => !enters(path))).toEqual([])
    const named = [
      'package.json',
      'package-lock.json',
      'bench/package.json',
      'tests/package.json',
      'tools/routing/package.json',
      'simulators/package.json',
      'apps/server/main.js',
      'apps/dashboard/index.html',
      'apps/dashboard/theme/mark.svg',
      'packages/routing/scoring/weights.bin',
      'packages/http/management/agents/llms.txt',
      'packages/http/management/docs-page/style.css',
      'deploy/docker/health.js',
      'deploy/docker/warm-up.js',
    ]
    expect(named.filter((path) => !enters(path))).toEqual([])
  })
})

describe('in the compose file', () => {
  const compose = readFileSync(join(root, 'deploy', 'compose', 'compose.yaml'), 'utf8')
  const { services, networks } = parse(compose) as {
    services: Record<string, { networks?: Record<string, { ipv4_address?: string }> }>
    networks: { default: { ipam: { config: { subnet: string; ip_range: string }[] } } }
  }
  const { server } = parse(readFileSync(join(root, 'deploy', 'compose', 'turnpike.yaml'), 'utf8')) as {
    server: { trusted_proxies: string[] }
  }

  test('only the balancer is a trusted proxy, at an address that no other container gets', () => {
    const address = services['balancer']?.networks?.['default']?.ipv4_address
    expect(server.trusted_proxies).toEqual([address])
    const [{ subnet, ip_range: others } = { subnet: '', ip_range: '' }] = networks.default.ipam.config
    expect(address?.startsWith(subnet.replace(/\.0\/24$/u, '.'))).toBe(true)
    expect(others).toBe(subnet.replace(/\.0\/24$/u, '.128/25'))
    expect(Number(address?.split('.').at(-1))).toBeLessThan(128)
  })

  test('the balancer drops the addresses that callers send about themselves', () => {
    const balancer = readFileSync(join(root, 'deploy', 'compose', 'haproxy.cfg'), 'utf8')
    expect(balancer).toMatch(/http-request del-header x-forwarded-for\n\s+option forwardfor/iu)
  })
})
