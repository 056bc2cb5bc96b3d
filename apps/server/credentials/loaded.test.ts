import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'

/** The cloud libraries that a gateway with this provider has loaded, by the first part of their names. */
async function loadedBy(provider: Record<string, unknown>, expectedLine?: RegExp): Promise<string[]> {
  const preload = pathToFileURL(join(import.meta.dirname, 'testing/tell-clouds.ts')).href
  const environment = {
    PATH: process.env['PATH'],
    NODE_OPTIONS: `--import ${preload}`,
    AWS_EC2_METADATA_DISABLED: 'true',
  }
  const base = { style: 'openai', base_url: 'http://127.0.0.1:9/v1' } as const
  const gateway = await GatewayProcess.create({ providers: { p: { ...base, ...provider } } }, [], environment)
  try {
    if (expectedLine !== undefined)
      await expect.poll(() => gateway.stderr, { timeout: 30_000 }).toMatch(expectedLine)
    const names = gateway.stderr.matchAll(/^loads (@[\w-]+\/[\w-]+|[\w-]+)/gm)
    return [...new Set([...names].map(([, name]) => name!.replace(/\/.*/, '')))].toSorted()
  } finally {
    await gateway.end('SIGTERM')
    await gateway.remove()
  }
}

it('a gateway without a cloud loads no cloud library', async () => {
  expect(await loadedBy({ api_keys: ['k'] })).toEqual([])
}, 60_000)

it.each([
  [{ aws: { region: 'us-east-1' } }, /credential-providers/, ['@aws-sdk', '@smithy']],
  [
    { aws: { region: 'us-east-1', access_key_id: 'AKIA', secret_access_key: 'secret' } },
    /signature-v4/,
    ['@smithy'],
  ],
])(
  'a gateway with %j loads only the libraries that it needs',
  async (provider, expectedLine, names) => {
    expect(await loadedBy(provider, expectedLine)).toEqual(names)
  },
  60_000,
)
