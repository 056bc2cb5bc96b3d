import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectPage } from './accessible.ts'
import { choose, dialog, go, heading, press } from './steps.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { newVisitor, noDialog, signUp, type Visitor } from './visitor.ts'

/** An organization from its creation to its end, with two users. The tests build on each other. */
describeInBrowser('organizations', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let browser: Browser
  let node: TestNode
  let ada: Visitor
  let bob: Visitor
  /** The invitation's link. */
  let link: string

  beforeAll(async () => {
    ;({ browser, node, visitor: ada } = await openDashboard({ bypassCSP: true }))
    bob = await newVisitor(browser, node, { bypassCSP: true })
    await signUp(ada, node, 'ada@example.com')
  }, 120_000)

  const switcher = (page: Page): Locator => page.getByRole('button', { name: /^Switch account, current:/ })
  const expectActing = (page: Page, words: string): Promise<void> =>
    expect.poll(() => switcher(page).innerText()).toContain(words)
  const actFor = async (page: Page, name: string): Promise<void> => {
    await switcher(page).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const action = async (page: Page, of: string, item: string): Promise<void> => {
    await press(page, `Actions of ${of}`)
    await page.getByRole('menuitem', { name: item, exact: true }).click()
    await dialog(page).waitFor()
  }
  const expectIdlePage = async (page: Page): Promise<void> => {
    await page.waitForLoadState('networkidle')
    await expectPage(page)
  }
  const places = (page: Page): Promise<string[]> =>
    page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').allInnerTexts()

  test('are created from the account switcher, and the tab then acts for the new one', async () => {
    const { page } = ada
    await switcher(page).click()
    await page.getByText('You have no organizations yet.').waitFor()
    await page.getByRole('menuitem', { name: 'New organization' }).click()
    await dialog(page).getByLabel('Name').fill('Acme')
    await press(dialog(page), 'Create organization')
    await heading(page, 'Acme')
    await page.getByText('Your role is Owner').waitFor()
    await expectActing(page, 'Acme')
    expect(await places(page)).toEqual(expect.arrayContaining(['Keys', 'Credit', 'Organization']))
    await expectIdlePage(page)
  })

  test('invite a user by a link, which is shown once', async () => {
    const { page } = ada
    await press(page, 'Invite someone')
    await dialog(page).getByRole('radio', { name: 'Developer' }).waitFor()
    await expectIdlePage(page)
    await press(dialog(page), 'Create invitation')
    link = (await dialog(page).getByRole('region', { name: 'The link' }).textContent())!
    expect(new URL(link).pathname).toBe('/join')
    await press(dialog(page), 'I have saved it')
    await noDialog(page)
    await page.getByText('Invitations', { exact: true }).click()
    await page.getByRole('row').filter({ hasText: 'Anyone with the link' }).getByText('open').waitFor()
    await expectIdlePage(page)
  })

  test('name themselves to the invited user, who joins with the invited role', async () => {
    const { page } = bob
    await page.goto(link)
    await press(page, 'Sign in or create an account')
    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByLabel('Email').fill('bob@example.com')
    await page.getByLabel('Name (optional)').fill('Bob Kahn')
    await page.getByLabel('Password').fill('correct horse battery')
    await press(page, 'Create account')
    await heading(page, 'Join an organization')
    await page.getByText('You are invited to join Acme as Developer').waitFor()
    await expectIdlePage(page)
    await press(page, 'Join')
    await heading(page, 'Home')
    await expectActing(page, 'Developer')
    await expect
      .poll(() => places(page))
      .toEqual([
        'Home',
        'Keys',
        'Projects',
        'Usage',
        'Health',
        'Requests',
        'Budgets',
        'Models',
        'Playground',
        'Organization',
      ])
    await page.goto(link)
    await page.getByText('This link is not valid').waitFor()
    await expectIdlePage(page)
  })

  test('have projects with keys, each of one member', async () => {
    const { page } = ada
    await go(page, 'Projects')
    await page.getByText('No projects yet').waitFor()
    await press(page, 'New project')
    await dialog(page).getByLabel('Name').fill('search')
    await press(dialog(page), 'Create project')
    await noDialog(page)
    await press(page, 'New project')
    await dialog(page).getByLabel('Name').fill('search')
    await press(dialog(page), 'Create project')
    await dialog(page).getByText('A project with this name already exists.').waitFor()
    await page.keyboard.press('Escape')
    await noDialog(page)
    await expectIdlePage(page)
    await bob.page.goto(`${node.origin}/keys?action=new`)
    await dialog(bob.page).getByLabel('Name').fill('indexer')
    await choose(bob.page, 'Project', 'search')
    expect(await dialog(bob.page).getByRole('combobox', { name: 'Owner' }).count()).toBe(0)
    await press(dialog(bob.page), 'Create the key')
    await press(bob.page, 'I have saved it')
    await noDialog(bob.page)
    await bob.page.getByText('search · Bob Kahn').waitFor()
    await expectIdlePage(bob.page)
    await page.goto(`${node.origin}/keys`)
    await page.getByText('search · Bob Kahn').waitFor()
  })

  test('offer only what the role allows', async () => {
    const { page } = bob
    await go(page, 'Projects')
    await page.getByRole('row').filter({ hasText: 'search' }).waitFor()
    expect(await page.getByRole('button', { name: 'New project' }).count()).toBe(0)
    await go(page, 'Organization')
    await page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).waitFor()
    expect(await page.getByRole('button', { name: 'Invite someone' }).count()).toBe(0)
    await go(ada.page, 'Organization')
    await action(ada.page, 'Bob Kahn', 'Change role')
    await dialog(ada.page).getByRole('radio', { name: 'Viewer' }).click()
    await expectIdlePage(ada.page)
    await press(dialog(ada.page), 'Save')
    await noDialog(ada.page)
    await ada.page.getByRole('row').filter({ hasText: 'Bob Kahn' }).getByText('Viewer').waitFor()
    await page.goto(`${node.origin}/keys`)
    await page.getByText('search · Bob Kahn').waitFor()
    expect(await page.getByRole('button', { name: 'Create a key' }).count()).toBe(0)
    expect(await places(page)).not.toContain('Playground')
  })

  test('show usage by member and by project', async () => {
    const { page } = ada
    for (const by of ['member', 'project']) {
      await page.goto(`${node.origin}/usage?by=${by}`)
      await heading(page, 'Usage')
      await expectIdlePage(page)
    }
  })

  test('have service accounts with keys, but without a login', async () => {
    const { page } = ada
    await go(page, 'Organization')
    await press(page, 'New service account')
    await dialog(page).getByLabel('Name').fill('nightly')
    await press(dialog(page), 'Create service account')
    await noDialog(page)
    await page.getByRole('row').filter({ hasText: 'nightly' }).getByText('Service account').waitFor()
    await page.goto(`${node.origin}/keys?action=new`)
    await dialog(page).getByLabel('Name').fill('batch')
    await choose(page, 'Owner', 'nightly (service account)')
    await press(dialog(page), 'Create the key')
    await press(page, 'I have saved it')
    await noDialog(page)
    await page.getByRole('row').filter({ hasText: 'batch' }).getByText('nightly').waitFor()
  })

  test('end a removed member’s access at once, and mark the remaining key as handed over', async () => {
    const { page } = ada
    await go(page, 'Organization')
    await action(page, 'Bob Kahn', 'Remove')
    expect(await dialog(page).getByRole('button', { name: 'Remove', exact: true }).isDisabled()).toBe(true)
    await dialog(page).getByRole('radio', { name: 'Keep them for the organization' }).click()
    await expectIdlePage(page)
    await press(dialog(page), 'Remove')
    await page.getByText('1 key of Bob Kahn still works').waitFor()
    await page.getByRole('link', { name: 'See the keys' }).click()
    await page.getByRole('row').filter({ hasText: 'indexer' }).getByText('handed over').waitFor()
    await expectIdlePage(page)
    await go(bob.page, 'Projects')
    await bob.page.getByText('You are no longer a member of that organization').waitFor()
    await expectActing(bob.page, 'Your account')
    await press(bob.page, 'Close the note')
  })

  test('are separate from the user’s own account, and a new tab acts for the last one used', async () => {
    const { page } = ada
    await actFor(page, 'Your account')
    await heading(page, 'Home')
    expect(await places(page)).not.toContain('Organization')
    await go(page, 'Keys')
    await page.getByText('No keys yet').waitFor()
    await actFor(page, 'Acme')
    await heading(page, 'Home')
    const other = await page.context().newPage()
    await other.goto(node.origin)
    await heading(other, 'Home')
    await expectActing(other, 'Acme')
    await actFor(other, 'Your account')
    await heading(other, 'Home')
    await page.reload()
    await heading(page, 'Home')
    await expectActing(page, 'Acme')
    await other.close()
    for (const view of [
      '/settings',
      '/settings?show=billing',
      '/organization?show=settings',
      '/playground',
    ]) {
      await page.goto(node.origin + view)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expectIdlePage(page)
    }
  })

  test('do not let the only owner leave, who can close it by typing its name', async () => {
    const { page } = ada
    await page.goto(`${node.origin}/organization?show=settings`)
    await press(page, 'Leave…')
    await press(dialog(page), 'Leave')
    await dialog(page).getByText('This is the only owner').waitFor()
    await press(dialog(page), 'Cancel')
    await noDialog(page)
    await press(page, 'Close organization…')
    await dialog(page).getByLabel('Type Acme to confirm').fill('Acme')
    await press(dialog(page), 'Close permanently')
    await heading(page, 'Home')
    await expectActing(page, 'Your account')
    const refused = (text: string): boolean => /status of (400|403|404|409)/.test(text)
    expect([...ada.complaints, ...bob.complaints].filter((text) => !refused(text))).toEqual([])
  })
})
