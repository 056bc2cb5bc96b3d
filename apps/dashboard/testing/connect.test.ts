import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { ClaudeCode } from '../../server/identity/testing/claude-code.ts'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { errorAt, password } from './visitor.ts'

/** Connects Claude Code with the code that it shows. The tests build on each other. */
describeInBrowser('connecting Claude Code', { timeout: 60_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let page: Page
  let claude: ClaudeCode

  beforeAll(async () => {
    ;({ node, page } = await openDashboard())
    claude = new ClaudeCode(node.origin)
  }, 120_000)

  async function begin(): Promise<{ userCode: string; deviceCode: string; address: string }> {
    const { body } = await claude.begin()
    return {
      userCode: String(body['user_code']),
      deviceCode: String(body['device_code']),
      address: String(body['verification_uri']),
    }
  }

  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()

  async function enter(userCode: string): Promise<void> {
    await page.getByLabel('Code').fill(userCode)
    await press('Continue')
  }

  test('lets a new user sign up on the way, shows which program asks, and offers a limit', async () => {
    const { userCode, deviceCode, address } = await begin()
    await page.goto(address)
    await press('Sign in or create an account')
    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByLabel('Email').fill('ada@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Connect a device' }).waitFor()
    await enter(userCode.toLowerCase().replace('-', ''))
    await page.getByText('Claude Code', { exact: true }).waitFor()
    for (const shown of [userCode, '127.0.0.1', 'ada@example.com'])
      expect(await page.getByText(shown, { exact: true }).count(), shown).toBeGreaterThan(0)
    await page.getByLabel('Spend limit').fill('7.50')
    await press('Connect')
    await page.getByText('Claude Code is connected').waitFor()
    const { body } = await claude.poll(deviceCode)
    expect(body).toMatchObject({ token_type: 'Bearer', email: 'ada@example.com (not verified)' })
  })

  test('lists the key with its limit, and lets the user revoke it', async () => {
    await page.getByRole('link', { name: 'keys', exact: true }).click()
    await page.getByRole('button', { name: 'Actions of Claude Code' }).click()
    await page.getByRole('menuitem', { name: 'Revoke', exact: true }).waitFor()
    expect(await page.getByRole('row', { name: /Claude Code/ }).textContent()).toContain('7.5')
  })

  test("lets the user refuse a stranger's sign-in, and reports a wrong code", async () => {
    const { userCode, deviceCode, address } = await begin()
    await page.goto(address)
    await enter('BBBB-BBBB')
    expect(await errorAt(page.getByLabel('Code'))).toMatch(/^This code is not valid/)
    await enter('no code')
    await page.getByText('Enter the eight letters').waitFor()
    expect(await errorAt(page.getByLabel('Code'))).toMatch(/^Enter the eight letters/)
    await enter(userCode)
    await press('Do not connect')
    await page.getByText('Not connected').waitFor()
    expect((await claude.poll(deviceCode)).body['error']).toBe('access_denied')
  })
})
