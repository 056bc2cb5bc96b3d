import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { signUp, type Visitor } from './visitor.ts'

/** Makes this tab's token expire now, as after an hour. */
const endToken = `
  for (const name of Object.keys(sessionStorage)) {
    if (!name.startsWith('oidc.user:')) continue
    const user = JSON.parse(sessionStorage.getItem(name))
    const ended = { ...user, expires_at: 1, access_token: user.access_token + 'x' }
    sessionStorage.setItem(name, JSON.stringify(ended))
  }`

describeInBrowser('a long sign-in', { timeout: 60_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let visitor: Visitor
  let page: Page
  /** Statuses of the token endpoint's responses. */
  const renewals: number[] = []

  beforeAll(async () => {
    ;({ node, visitor, page } = await openDashboard())
    await signUp(visitor, node, 'ada@example.com')
    page.on('response', (response) => {
      if (response.url() === `${node.origin}/oidc/token`) renewals.push(response.status())
    })
  }, 120_000)

  /**
   * Runs on a page without the dashboard: an open one might send a request and renew the token before it is
   * left.
   */
  const endWhereNobodyRenews = async (script: string): Promise<void> => {
    await page.goto(`${node.origin}/healthz`)
    await page.evaluate(script)
  }

  test('renews its token once, however many requests need it', async () => {
    await endWhereNobodyRenews(endToken)
    await page.goto(node.origin)
    await page.getByText('Three steps to the first request').waitFor()
    expect(renewals).toEqual([200])
  })

  test('signs in a new tab without a prompt', async () => {
    const page = await visitor.context.newPage()
    await page.goto(`${node.origin}/usage?by=model`)
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    expect(new URL(page.url()).search).toBe('?by=model')
    await page.close()
  })

  test('reloads the page if the token cannot be renewed', async () => {
    await endWhereNobodyRenews(endToken.replace('expires_at: 1', `expires_at: 1, refresh_token: 'gone'`))
    await page.goto(`${node.origin}/models`)
    await expect.poll(() => renewals, { timeout: 10_000 }).toContain(400)
    await page.getByText('sandbox/echo', { exact: true }).waitFor()
  })

  test('shows an error of the API, and lets the user retry', async () => {
    await page.route('**/api/v1/usage**', (route) => route.fulfill({ status: 400, json: {} }))
    await page.goto(`${node.origin}/usage`)
    await page.getByRole('alert').first().waitFor()
    await page.unroute('**/api/v1/usage**')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('Tokens out').first().waitFor()
  })
})
