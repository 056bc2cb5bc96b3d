import { expect, test } from 'vitest'
import { suiteUser } from '../testing/suite.ts'

const secret = 'sk-proj-0123456789abcdefghij-aB3d'
const { home } = suiteUser({
  server: { port: 0, trusted_proxies: ['127.0.0.1'] },
  byok: { encryption_keys: [Buffer.alloc(32, 7).toString('base64')] },
  providers: { openai: { api_keys: ['of the operator'] } },
})

test('a vendor key is added from standard input, changed, replaced and deleted', async () => {
  const added = await home.run(['vendor-keys', 'add', 'openai', '--name', 'prod'], { stdin: `${secret}\n` })
  expect(added).toMatchObject({ code: 0, stderr: '✓ Added the key prod (…aB3d) for openai\n' })
  const id = added.stdout.trim()
  expect(id).toMatch(/^vky_\w{26}$/)

  const listed = await home.run(['vendor-keys', 'list'])
  expect(listed.stdout).toContain('…aB3d')
  expect(listed.stdout).not.toContain('0123456789')

  const changed = await home.run(['vendor-keys', 'update', id, '--no-fallback', '--position', '3'])
  expect(changed.stdout).toContain('fail the request')
  const replaced = await home.run(['vendor-keys', 'replace', id], {
    stdin: 'sk-proj-another-0123456789-xY9z',
  })
  expect(replaced.stderr).toBe('✓ prod is now the key …xY9z\n')
  const shown = await home.json<object>(['vendor-keys', 'show', id])
  expect(shown.value).toMatchObject({ last4: 'xY9z', allow_fallback_to_shared: false, position: 3 })
  expect((await home.run(['vendor-keys', 'delete', id, '--yes'])).code).toBe(0)
  expect((await home.run(['vendor-keys', 'show', id])).code).toBe(1)
})

test('scripts read JSON, and never a secret', async () => {
  const added = await home.json<{ id: string }>(['vendor-keys', 'add', 'openai', '--no-fallback'], {
    stdin: secret,
  })
  const { id } = added.value
  const key = { id, provider: 'openai', last4: 'aB3d', allow_fallback_to_shared: false }
  expect(added).toMatchObject({ code: 0, value: key })
  const listed = await home.json<{ data: object[] }>(['vendor-keys', 'list'])
  expect(listed).toMatchObject({ code: 0, value: { data: [key] } })
  const another = 'sk-proj-another-0123456789-xY9z'
  const replaced = await home.json(['vendor-keys', 'replace', id], { stdin: another })
  expect(replaced).toMatchObject({ code: 0, value: { ...key, last4: 'xY9z' } })
  const deleted = await home.json(['vendor-keys', 'delete', id, '--yes'])
  expect(deleted).toMatchObject({ code: 0, value: { id, last4: 'xY9z' } })
  for (const { stdout, stderr } of [added, listed, replaced, deleted])
    expect(stdout + stderr).not.toMatch(/0123456789/)
})

test('an impossible command ends with 1, and says why', async () => {
  const gone = 'vky_01k9zzzzzzzzzzzzzzzzzzzzzz'
  const wrong = [
    ['show', gone],
    ['replace', gone],
    ['delete', gone, '--yes'],
    // Without a terminal there is nobody to confirm.
    ['delete', gone],
    ['add'],
    ['update', gone],
  ]
  for (const words of wrong) {
    const ended = await home.run(['vendor-keys', ...words], { stdin: secret })
    expect([ended.code, ended.stdout], words.join(' ')).toEqual([1, ''])
    expect(ended.stderr).not.toBe('')
    expect(ended.stderr).not.toContain(secret)
  }
})

test('a missing key and an invalid one are reported', async () => {
  const none = await home.run(['vendor-keys', 'add', 'openai'], { stdin: '' })
  expect(none.stderr).toContain('Pipe it in')
  const wrong = await home.run(['vendor-keys', 'add', 'nobody'], { stdin: secret })
  expect(wrong.stderr).toContain('expected one of `openai`')
  expect(wrong.stderr).not.toContain(secret)
})
