import { SmtpServer } from '@turnpike/simulators/mail/smtp-server'
import { expect, test } from 'vitest'
import { suiteNode, suiteServer } from '../../../tests/nodes/suite.ts'
import type { CliHome } from '../testing/cli-home.ts'
import { logIn } from '../testing/signed-in.ts'
import { suiteHomes, suiteProgram } from '../testing/suite.ts'

const homeAt = suiteHomes(suiteProgram())
const smtp = suiteServer(new SmtpServer())
const node = suiteNode(() => ({
  server: { port: 0, trusted_proxies: ['127.0.0.1'] },
  mail: { smtp: smtp.settings, from: 'alerts@gateway.test' },
}))

async function person(): Promise<CliHome> {
  const home = homeAt(node)
  expect((await logIn(home, node.origin)).code).toBe(0)
  return home
}

test('two people use one organization by its name', async () => {
  const [ada, ben] = [await person(), await person()]
  const made = await ada.run(['org', 'create', 'Analytical Engines'])
  expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^acct_\w{26}\n$/)])
  const id = made.stdout.trim()
  const org = ['--org', 'Analytical Engines']
  const invited = await ada.run([...org, 'org', 'invite', '--role', 'developer'])
  expect(invited.stdout).toMatch(/\/join#[\w-]{43}\n$/)
  expect(invited.stderr).toContain('for Analytical Engines')
  const address = ['org', 'invite', '--email', 'ben@example.com', ...org]
  const mailed = await ada.run(address)
  expect([mailed.code, mailed.stderr]).toEqual([0, expect.stringContaining('Emailed to ben@example.com')])
  const unmailed = await ada.json<{ mailed: boolean; url: string }>([...address, '--no-mail'])
  expect(unmailed.value).toMatchObject({ mailed: false, url: expect.stringContaining('/join#') as string })
  smtp.refusesRecipients = '550 nobody'
  const refused = await ada.run(address)
  expect([refused.code, refused.stderr]).toEqual([0, expect.stringContaining('was not emailed')])
  expect(smtp.letters.filter(({ to }) => to.includes('ben@example.com'))).toHaveLength(1)
  const joined = await ben.run(['org', 'join', invited.stdout.trim()])
  expect([joined.code, joined.stdout]).toEqual([0, `${id}\n`])
  const project = await ada.run(['projects', 'create', 'search', ...org])
  const key = ['keys', 'create', '--name', 'bot', '--project', project.stdout.trim(), '--json']
  const { value } = await ben.json<Record<string, unknown>>([...key, '--org', id])
  expect(value).toMatchObject({
    project_id: project.stdout.trim(),
    member_id: expect.stringMatching(/^mem_/),
  })
  // The money is the organization's, so no other command uses the key by itself.
  expect((await ben.run(['env'])).code).toBe(1)
  // A person's own key must not pay for an organization's request.
  expect((await ben.run(['keys', 'create', '--name', 'own'])).code).toBe(0)
  for (const command of [['env'], ['chat', 'hello', '--model', 'sandbox/echo']]) {
    const refused = await ben.run([...command, '--org', id])
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('no API key of the organization'),
    ])
  }
  expect((await ben.run(['env'])).code).toBe(0)
  expect((await ben.run(['env', '--org', id, '--key', String(value['raw'])])).stdout).toContain(value['raw'])
  const keys = await ada.json<{ data: unknown[] }>(['keys', 'list', ...org])
  expect(keys.value.data).toHaveLength(1)
  expect((await ada.json<{ data: unknown[] }>(['keys', 'list'])).value.data).toEqual([])
  const members = await ada.json<{ data: { id: string; role: string }[] }>(['org', 'members', ...org])
  expect(members.value.data.map(({ role }) => role)).toEqual(['owner', 'developer'])
  const denied = await ben.run(['org', 'invite', ...org])
  expect([denied.code, denied.stderr]).toEqual([1, expect.stringContaining('may not use')])
  const benId = members.value.data[1]!.id
  const removed = await ada.run(['org', 'remove', benId, '--keys', 'revoked', ...org])
  expect([removed.code, removed.stderr]).toEqual([0, expect.stringContaining('1 keys are revoked')])
  expect((await ben.run(['balance', '--org', id])).code).toBe(1)
  const unknown = await ben.run(['balance', ...org])
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no organization called')])
  expect((await ada.run(['org', 'leave', ...org])).stderr).toContain('only owner')
})
