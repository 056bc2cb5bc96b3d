import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PageClient } from '../../server/identity/testing/page-client.ts'
import { suiteNode } from '../../../tests/nodes/suite.ts'
import { logIn } from '../testing/signed-in.ts'
import { suiteHomes, suiteProgram } from '../testing/suite.ts'

const node = suiteNode({ server: { port: 0 } })
const homeAt = suiteHomes(suiteProgram())

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

describe('login', () => {
  test('shows address and code on stderr, and stores credentials only for their owner to read', async () => {
    const home = homeAt(node)
    const { code, stdout, stderr, email } = await logIn(home, node.origin)
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/Open {2}http:\/\/127\.0\.0\.1:\d+\/oidc\/device\?user_code=[A-Z]{4}-[A-Z]{4}\n/)
    expect(stderr).toContain(`✓ Logged in to ${node.origin} as Ada Lovelace <${email}>`)
    expect([mode(home.files), mode(home.path('credentials.json'))]).toEqual(['700', '600'])
    const whoami = await home.run(['whoami'])
    expect(whoami.code).toBe(0)
    expect(whoami.stdout).toMatch(/^Ada Lovelace <.*>\n {2}account {2}acct_\w{26}\n {2}balance {2}\$0\.00\n/)
    expect(whoami.stderr).toBe('')
  })

  test('with --json prints two lines: the address and the code, then the account', async () => {
    const home = homeAt(node)
    const { code, stdout, email } = await logIn(home, node.origin, ['--json'])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    const [device, account] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(device).toEqual({
      verification_uri_complete: `${node.origin}/oidc/device?user_code=${String(device!['user_code'])}`,
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_uri: `${node.origin}/oidc/device`,
      expires_in: 600,
    })
    expect(account).toMatchObject({ email, display_name: 'Ada Lovelace', balance_usd: '0', status: 'active' })
    const { value } = await home.json<object>(['whoami'])
    expect(value).toEqual(account)
  })

  test('ends with 3 and stores nothing if it is denied', async () => {
    const home = homeAt(node)
    const login = home.start(['login', '--json'])
    const [, userCode] = await login.seen(/"user_code":"([A-Z-]+)"/, 'stdout')
    const client = new PageClient()
    const entry = await client.get(`${node.origin}/oidc/device`)
    const confirmation = await client.submit(entry, '/device', { user_code: userCode! })
    await client.submit(confirmation, '/device', {}, 1)
    const { code, stdout } = await login.ended
    expect(code).toBe(3)
    const error = { type: 'device_flow_error', message: 'The sign-in was denied.', code: null }
    expect(JSON.parse(stdout.trimEnd().split('\n')[1]!)).toMatchObject({ error })
    expect(() => home.read('credentials.json')).toThrow('ENOENT')
  })

  test('opens the browser if there is one, but not with --no-open', async () => {
    const home = homeAt(node)
    const seen = `${home.directory}/opened`
    const browser = `${home.directory}/browser`
    writeFileSync(browser, `#!/bin/sh\necho "$1" > ${seen}\n`, { mode: 0o755 })
    const login = home.start(['login'], { env: { BROWSER: browser } })
    const [, address] = await login.seen(/Open {2}(\S+)/)
    await login.seen(/Your browser has been opened/)
    await expect.poll(() => readFileSync(seen, 'utf8')).toBe(`${address}\n`)
    login.signal('SIGINT')
    expect(await login.ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/✗ Cancelled\.\n$/) })

    const quiet = home.start(['login', '--no-open'], { env: { BROWSER: browser } })
    await quiet.seen(/Code/)
    quiet.signal('SIGINT')
    expect((await quiet.ended).stderr).not.toContain('opened')
  })
})

test('refreshes silently, and once for processes that need it at the same moment', async () => {
  const home = homeAt(node)
  await logIn(home, node.origin)
  const before = home.read('credentials.json')
  home.write('credentials.json', before.replace(/"expires_at": \d+/, '"expires_at": 1'))
  const ended = await Promise.all([1, 2, 3].map(() => home.run(['balance'])))
  for (const one of ended) expect(one).toEqual({ code: 0, stdout: '$0.00\n', stderr: '' })
  const tokenOf = (text: string): string => /"refresh_token": "([^"]+)"/.exec(text)![1]!
  expect(tokenOf(home.read('credentials.json'))).not.toBe(tokenOf(before))
  expect((await home.run(['balance'])).code).toBe(0)
})

test('completion prints a script for the shell', async () => {
  const home = homeAt(node)
  const { code, stdout, stderr } = await home.run(['completion', 'bash'])
  expect([code, stderr]).toEqual([0, ''])
  const { value } = await home.json(['completion', 'bash'])
  expect(value).toEqual({ shell: 'bash', script: stdout })
})

describe('sessions', () => {
  test('are listed, and ended one by one or all except this one', async () => {
    const home = homeAt(node)
    await logIn(home, node.origin)
    const list = async (): Promise<Record<string, unknown>[]> => {
      const { stdout } = await home.run(['sessions', 'list', '--json'])
      return (JSON.parse(stdout) as { data: Record<string, unknown>[] }).data
    }
    const [own] = await list()
    expect(own).toMatchObject({ kind: 'command_line', current: true })
    expect((await home.run(['sessions', 'list'])).stdout).toContain('command line (this one)')
    expect((await home.run(['sessions', 'end', 'ses_00000000000000000000000000'])).code).not.toBe(0)
    expect((await home.run(['sessions', 'end'])).code).toBe(1)
    const others = await home.run(['sessions', 'end', '--others', '--json'])
    expect(JSON.parse(others.stdout)).toEqual({ id: null, deleted: true, sessions: 1 })
    expect((await home.run(['whoami'])).code).toBe(0)
    const ended = await home.run(['sessions', 'end', String(own!['id'])])
    expect([ended.code, ended.stdout]).toEqual([0, ''])
    expect(ended.stderr).toContain(`Ended session ${String(own!['id'])}`)
    expect((await home.run(['whoami'])).code).not.toBe(0)
  })
})

describe('account close', () => {
  test('requires the address to be typed, and removes the local files', async () => {
    const home = homeAt(node)
    const { email } = await logIn(home, node.origin)
    await home.run(['keys', 'create', '--name', 'laptop'])
    const unsaid = await home.run(['account', 'close'])
    expect([unsaid.code, unsaid.stderr]).toEqual([1, expect.stringContaining('--confirm')])
    expect((await home.run(['account', 'close', '--confirm', 'someone@example.com'])).code).not.toBe(0)
    expect((await home.run(['whoami'])).code).toBe(0)
    const closed = await home.run(['account', 'close', '--confirm', email, '--json'])
    expect([closed.code, JSON.parse(closed.stdout)]).toMatchObject([0, { credit_usd: '0' }])
    expect((await home.run(['whoami'])).code).not.toBe(0)
    expect(readdirSync(home.files).filter((name) => /credentials|last_key/.test(name))).toEqual([])
  })
})
