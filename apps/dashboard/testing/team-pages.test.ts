import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAccessible, expectPage } from './accessible.ts'
import { furnishTeam, longName, type TeamRoom } from './team-room.ts'
import { dialog, press } from './steps.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { newVisitor, noDialog, operatorAccount, signUp, type Visitor } from './visitor.ts'

/** A team's spend and budgets, and how an operator sees the organization. */
describeInBrowser('the pages of a team', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let browser: Browser
  let node: TestNode
  let visitor: Visitor
  let page: Page
  let team: TeamRoom

  beforeAll(async () => {
    ;({ browser, node, visitor, page } = await openDashboard({ bypassCSP: true }))
    await signUp(visitor, node, 'ada@example.com')
    team = await furnishTeam(node, await operatorAccount(node), 3_000)
    const [ada, nightly] = team.memberIds
    for (const budget of [
      { name: 'Search a day', scope: 'project', subject: team.projectId, period: 'day', limit_usd: '3' },
      { name: 'Search', scope: 'project', subject: team.projectId, period: 'month', limit_usd: '40' },
      { name: 'Ada', scope: 'member', subject: ada, period: 'month', limit_usd: '0.01' },
      { name: 'Nightly', scope: 'member', subject: nightly, period: 'week', limit_usd: '1000' },
    ])
      await node.admin(`/accounts/${team.organizationId}/budgets`, { method: 'POST', body: budget })
    await actFor(team.organizationId)
  }, 120_000)

  const region = (name: string): Locator => page.getByRole('region', { name, exact: true })
  const row = (of: string, name: string): Locator => region(of).getByRole('row').filter({ hasText: name })
  const limit = (): Locator => page.locator('path[data-limit]')

  async function open(path: string): Promise<void> {
    await page.goto(node.origin + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
  }

  /** Switches the account, as the account switcher does. */
  async function actFor(organizationId: string | undefined): Promise<void> {
    await page.evaluate(`sessionStorage.setItem('turnpike.acts-for', '${organizationId ?? ''}')`)
    await open('/')
  }

  test('show a project’s spend, budgets, members, keys and requests', async () => {
    await open('/projects')
    await page.getByRole('link', { name: 'search', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'search' }).waitFor()
    await limit().waitFor({ state: 'attached' })
    expect(await limit().getAttribute('data-limit')).toBe('3000000000000')
    await row('Members of the project', 'Ada Lovelace').getByText(/%$/).waitFor()
    await row('Keys of the project', 'indexer').getByText('Ada Lovelace').waitFor()
    expect(await row('Keys of the project', 'shared').count()).toBe(0)
    await region('Requests').getByRole('row').nth(1).waitFor()
    await page.getByRole('link', { name: 'Search a day', exact: true }).first().waitFor()
    await expectPage(page)
    const shares = await region('Members of the project')
      .getByText(/^[\d.]+ %$/)
      .allInnerTexts()
    const sum = shares.reduce((all, share) => all + Number.parseFloat(share), 0)
    expect(sum).toBeGreaterThan(99)
    expect(sum).toBeLessThanOrEqual(100)
  })

  test('create a key in a project, with a setting for payment links in its 402 responses', async () => {
    await press(page, 'Create a key in this project')
    await dialog(page).getByLabel('Name').fill('crawler')
    await dialog(page)
      .getByText('Account default: no link')
      .or(dialog(page).locator('input[value*="no link"]'))
      .first()
      .waitFor()
    await dialog(page).getByRole('combobox', { name: 'Payment link in refusals' }).click()
    await page.getByRole('option', { name: 'A link', exact: true }).click()
    await expectPage(page)
    await press(dialog(page), 'Create the key')
    await press(page, 'I have saved it')
    await noDialog(page)
    await row('Keys of the project', 'crawler').waitFor()
    const keys = await node.admin<{ data: { name: string; may_top_up: boolean | null }[] }>(
      `/accounts/${team.organizationId}/keys`,
    )
    const made = keys.data.find(({ name }) => name === 'crawler')
    expect(made).toMatchObject({ project_id: team.projectId, may_top_up: true })
    await open('/credit?show=automatic')
    await page.getByRole('switch', { name: 'Include a payment link in refusals' }).click({ force: true })
    await expect
      .poll(() => node.storage.accounts.find(team.organizationId).then((found) => found?.keysMayTopUp))
      .toBe(true)
    await expectPage(page)
    await open('/keys')
    await press(page, 'Actions of crawler')
    await page.getByRole('menuitem', { name: 'Edit name and limits' }).click()
    await dialog(page).getByRole('combobox', { name: 'Payment link in refusals' }).click()
    await page.getByRole('option', { name: 'Account default: a link' }).click()
    await press(dialog(page), 'Save')
    await noDialog(page)
    const after = await node.admin<{ data: { name: string; may_top_up: boolean | null }[] }>(
      `/accounts/${team.organizationId}/keys`,
    )
    expect(after.data.find(({ name }) => name === 'crawler')?.may_top_up).toBeNull()
  })

  test('rename a project in place, and preselect it for a new budget', async () => {
    await open(`/projects/${team.projectId}`)
    await press(page, 'Rename')
    await dialog(page).getByLabel('Name').fill('search engine')
    await press(dialog(page), 'Save')
    await page.getByRole('heading', { level: 1, name: 'search engine' }).waitFor()
    await page.getByRole('link', { name: 'New budget' }).click()
    const field = dialog(page).getByRole('combobox', { name: 'Project', exact: true })
    await expect.poll(() => field.inputValue()).toBe('search engine')
    await page.keyboard.press('Escape')
    await noDialog(page)
    await open('/projects/prj_00000000000000000000000000')
    await page.getByText('Project not found').waitFor()
  })

  test('show budgets in usage by project and by member, with links to the project', async () => {
    await open('/usage?by=member')
    await row('Usage by member', 'Ada Lovelace').getByText('of $0.01 a month').waitFor()
    await expectPage(page)
    await open('/usage?by=project')
    await row('Usage by project', 'search engine')
      .getByText(/ of \$/)
      .waitFor()
    await page.getByRole('link', { name: 'About search engine' }).click()
    await page.getByRole('heading', { level: 1, name: 'search engine' }).waitFor()
    await open(`/usage?by=project&tag=team:search`)
    await row('Usage by project', 'search engine').waitFor()
    // A budget that covers everything says nothing about a part.
    expect(
      await row('Usage by project', 'search engine')
        .getByText(/ of \$/)
        .count(),
    ).toBe(0)
  })

  test('draw a limit across the bars it applies to: days, or the running sum of its period', async () => {
    // Longer than a month: on the 30th of a month, the 30 days that are shown otherwise are the month.
    await open(`/usage?project=${team.projectId}&days=60`)
    await page.getByText('Dashed: the budget').waitFor()
    expect(await limit().getAttribute('data-limit')).toBe('3000000000000')
    await page.getByText('Running total', { exact: true }).click()
    await page.getByRole('link', { name: 'view spending this month' }).click()
    await page.getByText('Running total from the first').waitFor()
    // On the first of a month there is only one day, for which the daily budget is tighter.
    const isFirst = new Date().getUTCDate() === 1
    await expect
      .poll(() => limit().getAttribute('data-limit'))
      .toBe(isFirst ? '3000000000000' : '40000000000000')
    await expectPage(page)
    await open(`/usage?project=${team.projectId}&member=${team.memberIds[0]}`)
    expect(await limit().count()).toBe(0)
  })

  test('show what members spent, and their budgets', async () => {
    await open('/organization')
    await row('Members', 'Ada Lovelace').getByText('of $0.01 a month').waitFor()
    await row('Members', longName).getByText('of $1,000.00 a week').waitFor()
    await expectPage(page)
    await row('Members', 'Ada Lovelace').getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    expect(new URL(page.url()).searchParams.get('member')).toBe(team.memberIds[0])
  })

  test('show a developer only their own part of a project, and say so', async () => {
    const bob = await newVisitor(browser, node, { bypassCSP: true })
    await signUp(bob, node, 'bob@example.com')
    const { url } = await node.admin<{ url: string }>(
      `/accounts/${team.organizationId}/organization/invitations`,
      { method: 'POST', body: { role: 'developer' } },
    )
    await bob.page.goto(url)
    await press(bob.page, 'Join')
    await bob.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await bob.page.goto(`${node.origin}/projects/${team.projectId}`)
    await bob.page.getByText('You see only your own keys.').waitFor()
    await bob.page.getByText('No keys in this project').waitFor()
    await bob.page.getByText('No spending in this range').waitFor()
    expect(await bob.page.getByRole('heading', { name: 'Budgets' }).count()).toBe(0)
    await bob.page.waitForLoadState('networkidle')
    await expectAccessible(bob.page)
    expect(bob.complaints.filter((text) => !/status of 403/.test(text))).toEqual([])
    await bob.context.close()
  })

  test('let an operator find an organization, see its members, and change its budgets', async () => {
    await actFor(undefined)
    await open('/operator')
    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Organizations' }).click()
    await expect.poll(() => region('Accounts').getByRole('row').count()).toBe(2)
    await expectPage(page)
    await page.getByRole('link', { name: 'Engines' }).click()
    await page.getByRole('heading', { level: 1, name: 'Organization' }).waitFor()
    const tab = (name: string) => page.locator('label').getByText(name, { exact: true }).click()
    await tab('Members')
    await row('Members of the organization', 'ada@example.com').getByText('Owner').waitFor()
    await row('Members of the organization', longName).getByText('Service account').waitFor()
    await expectPage(page)
    await tab('Budgets')
    await row('Budgets', 'Search a day').getByText('project search engine').waitFor()
    await press(page, 'New budget')
    await dialog(page).getByLabel('Name').fill('Of the operator')
    await dialog(page).getByRole('combobox', { name: 'On', exact: true }).click()
    await page.getByRole('option', { name: 'A member' }).click()
    await dialog(page).getByRole('combobox', { name: 'Member', exact: true }).click()
    await page.getByRole('option', { name: longName }).click()
    await dialog(page).getByLabel('Limit', { exact: true }).fill('-1')
    await press(dialog(page), 'Create budget')
    await dialog(page).getByText('Expected').waitFor()
    await expectPage(page)
    await dialog(page).getByLabel('Limit', { exact: true }).fill('7')
    await press(dialog(page), 'Create budget')
    await noDialog(page)
    await row('Budgets', 'Of the operator').getByText('$7.00').waitFor()
    await press(page, 'Actions of Of the operator')
    await page.getByRole('menuitem', { name: 'Change' }).click()
    await dialog(page).getByLabel('Limit', { exact: true }).fill('8')
    await press(dialog(page), 'Save')
    await noDialog(page)
    await row('Budgets', 'Of the operator').getByText('$8.00').waitFor()
    await press(page, 'Actions of Of the operator')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await press(dialog(page), 'Delete')
    await noDialog(page)
    await expect.poll(() => row('Budgets', 'Of the operator').count()).toBe(0)
    await expectPage(page)
    await tab('Events')
    await page.getByText('Recent events').waitFor()
    await expectPage(page)
    expect(visitor.complaints.filter((text) => !/status of (400|404)/.test(text))).toEqual([])
  })
})
