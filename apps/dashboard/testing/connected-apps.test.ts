import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { McpClient } from '../../server/identity/testing/mcp-client.ts'
import { newEmail } from '../../server/identity/testing/sign-in.ts'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAccessible, screen } from './accessible.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { newVisitor, noDialog, password, signUp } from './visitor.ts'

/** An agent asks to use the gateway over MCP. The tests build on each other. */
describeInBrowser('an app that connects over MCP', { timeout: 60_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let browser: Browser
  let node: TestNode
  let page: Page
  let client: McpClient

  beforeAll(async () => {
    ;({ browser, node, page } = await openDashboard({ bypassCSP: true }))
    await signUp({ page }, node, 'ada@example.com')
    client = new McpClient(`${node.origin}/mcp`)
  }, 120_000)

  test('asks on an accessible page, and gets the permissions that were chosen', async () => {
    await page.setViewportSize(screen)
    await page.goto((await client.begin()).href)
    await page.getByRole('heading', { level: 1, name: 'Allow access?' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Create, change and revoke your API keys').uncheck()
    // Stands in for the agent's own server, which the test does not have.
    const back = page.waitForRequest((request) => request.url().startsWith('http://localhost:49321/'))
    await page.route('http://localhost:49321/**', (route) => route.fulfill({ body: 'Back in the agent.' }))
    await page.getByRole('button', { name: 'Allow' }).click()
    const tokens = await client.finish({ url: (await back).url() } as Parameters<McpClient['finish']>[0])
    expect(tokens.scope).toBe('usage:read alerts:read budgets:write topup:write chat')
  })

  test.each(['http://localhost:49321/callback', 'http://[::1]:49321/callback'])(
    "returns to %s under the page's own policy, for a user who signs up on the way",
    async (redirect) => {
      const { page, context, complaints } = await newVisitor(browser, node)
      const other = new McpClient(`${node.origin}/mcp`, { redirect_uris: [redirect] }, redirect)
      const { origin } = new URL(redirect)
      await page.route(
        (url) => url.origin === origin,
        (route) => route.fulfill({ body: 'Back in the agent.' }),
      )
      await page.goto((await other.begin()).href)
      await page.getByRole('link', { name: 'Create one' }).click()
      await page.getByText('app “Test Agent”').waitFor()
      await page.getByLabel('Email').fill(newEmail())
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('Back in the agent.').waitFor()
      expect((await other.finish({ url: page.url() } as Parameters<McpClient['finish']>[0])).scope).toContain(
        'chat',
      )
      expect(complaints).toEqual([])
      await context.close()
    },
  )

  test('is listed below the keys, and can be disconnected there', async () => {
    await page.goto(`${node.origin}/keys`)
    await page.getByRole('heading', { level: 2, name: 'Connected apps' }).waitFor()
    await expectAccessible(page)
    const row = page.getByRole('row', { name: /Test Agent/ })
    expect(await row.textContent()).toContain(
      'see usage, see alerts, change budgets, start top-ups, send prompts',
    )
    expect(await row.textContent()).toContain('Your account')
    await page.getByRole('button', { name: /^Disconnect Test Agent/ }).click()
    await page.getByText('loses access until').waitFor()
    await page.getByRole('button', { name: 'Disconnect', exact: true }).last().click()
    await page.getByRole('heading', { level: 2, name: 'Connected apps' }).waitFor({ state: 'detached' })
    await noDialog(page)
    // The element that opened the dialog is gone, so the page has the focus, not the document.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('page')
    await expect(client.refresh()).rejects.toThrow()
  })
})
