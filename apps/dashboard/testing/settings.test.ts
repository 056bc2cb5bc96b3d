import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { unzipped } from '../../../packages/http/management/testing/unzipped.ts'
import { beginDevice, loginByDevice, poll } from '../../server/identity/testing/device-login.ts'
import { PageClient } from '../../server/identity/testing/page-client.ts'
import { confirmDevice } from '../../server/identity/testing/sign-in.ts'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAccessible, expectPage, screen } from './accessible.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { newVisitor, noDialog, password, signUp, type Visitor } from './visitor.ts'

const email = 'ada@example.com'
const newPassword = 'staple correct horse'

/** A user's own account. The tests build on each other. */
describeInBrowser('the settings', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let browser: Browser
  let node: TestNode
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    ;({ browser, node, visitor, page } = await openDashboard({ bypassCSP: true, acceptDownloads: true }))
    await signUp(visitor, node, email)
  }, 180_000)

  const open = async (show: string): Promise<void> => {
    await page.setViewportSize(screen)
    await page.goto(`${node.origin}/settings?show=${show}`)
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  }
  const dialog = () => page.getByRole('dialog')

  async function download(press: () => Promise<void>): Promise<Buffer> {
    const [file] = await Promise.all([page.waitForEvent('download'), press()])
    return readFile(await file.path())
  }

  test('are in the account menu, and show a new name everywhere at once', async () => {
    await page.getByRole('button', { name: /Account menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.getByLabel('Your name').fill('Augusta King')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /Account menu of.*Augusta King/ }).waitFor()
    await expectAccessible(page)
  })

  test('show a wrong password at its field, and end every other session after a change', async () => {
    const other = await newVisitor(browser, node)
    await other.page.goto(node.origin)
    await other.page.getByRole('button', { name: 'Sign in or create an account' }).click()
    await other.page.getByLabel('Email').fill(email)
    await other.page.getByLabel('Password').fill(password)
    await other.page.getByRole('button', { name: 'Sign in' }).click()
    await other.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()

    await open('profile')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expectPage(page)
    await dialog().getByLabel('Current password').fill('not my password')
    await dialog()
      .getByLabel(/^New password( \*)?$/)
      .fill(newPassword)
    await dialog().getByLabel('Repeat new password').fill(newPassword)
    await dialog().getByRole('button', { name: 'Change password' }).click()
    await dialog().getByText('This password is incorrect.').waitFor()
    const focused = () => dialog().getByLabel('Current password').and(page.locator(':focus')).count()
    await expect.poll(focused).toBe(1)
    await dialog().getByLabel('Current password').fill(password)
    await dialog().getByRole('button', { name: 'Change password' }).click()
    await noDialog(page)

    await other.page.reload()
    await other.page.getByRole('button', { name: 'Sign in or create an account' }).waitFor()
    await other.context.close()
    // The tab that made the change stays signed in.
    await open('sessions')
    await page.getByText('this one').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
  })

  test('list sessions with place and time, and remove an ended one at once', async () => {
    const client = new PageClient()
    const tokens = await signedInByDevice(client)
    await open('sessions')
    const row = page.getByRole('row', { name: /Command line/ })
    await row.waitFor()
    expect(await row.innerText()).toContain('127.0.0.1')
    await expectPage(page)
    await row.getByRole('button', { name: /^Sign out/ }).click()
    await dialog().getByText('is signed out and must').waitFor()
    await dialog().getByRole('button', { name: 'Sign out' }).click()
    await noDialog(page)
    await row.waitFor({ state: 'detached' })
    expect(await statusOf(tokens.access_token)).toBe(401)
  })

  test('end all other sessions together', async () => {
    const tokens = await signedInByDevice(new PageClient())
    await open('sessions')
    await page.getByRole('button', { name: 'Sign out all others' }).click()
    await dialog().getByText('1 command line').waitFor()
    await dialog().getByRole('button', { name: 'Sign out all others' }).click()
    await noDialog(page)
    await page.getByRole('row', { name: /Command line/ }).waitFor({ state: 'detached' })
    await page.getByText('this one').waitFor()
    expect(await statusOf(tokens.access_token)).toBe(401)
  })

  async function signedInByDevice(client: PageClient) {
    const { userCode, deviceCode } = await beginDevice(node.origin)
    const signIn = await confirmDevice(client, node.origin, userCode)
    await client.submit(signIn, '/sign-in', { email, password: newPassword })
    return (await poll(node.origin, deviceCode)).body as { access_token: string }
  }

  async function statusOf(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${node.origin}/api/v1/me`, { headers })).status
  }

  test('check the fields of a billing address, and put it on the next receipt', async () => {
    await open('billing')
    await page.getByLabel('Company or name').fill('Analytical Engines GmbH')
    await page.getByLabel('Street and number').fill('Hauptstraße 1')
    await page.getByLabel('Postal code').fill('10827')
    await page.getByLabel('City').fill('Berlin')
    await page.getByRole('combobox', { name: 'Country' }).fill('Germ')
    await page.getByRole('option', { name: 'Germany' }).click()
    await page.getByLabel('VAT ID').fill('DE12345')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Expected a number such as DE123456789.').waitFor()
    await page.getByLabel('VAT ID').fill('de 123 456 789')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await expectPage(page)

    await page.goto(`${node.origin}/credit`)
    await page.getByLabel('Amount').fill('25')
    await page.getByRole('button', { name: 'Go to the checkout' }).click()
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Open the checkout' }).click()
    const checkout = await opened
    await checkout.getByRole('button', { name: 'Pay 25 USD of play money' }).click()
    await checkout.getByRole('heading', { name: 'Payment received' }).waitFor()
    await checkout.close()
    await page.getByText('$25.00 received').waitFor()
    await page.getByRole('row').getByRole('link', { name: 'Receipt' }).click()
    const sheet = page.getByRole('article', { name: 'Receipt' })
    await sheet.waitFor()
    const text = await sheet.innerText()
    for (const part of ['Augusta King', 'Analytical Engines GmbH', '10827 Berlin', 'Germany', 'DE123456789'])
      expect(text).toContain(part)
    await expectAccessible(page)
  })

  test('lead to the ledger: filters in its address, links to receipts and requests, CSV', async () => {
    await page.setViewportSize(screen)
    const { data } = await node.admin<{ data: { id: string }[] }>('/accounts')
    const key = await node.createKey({ accountId: data.at(-1)!.id })
    const answer = await node.chat(key, { model: 'sandbox/echo', messages: [{ role: 'user', content: 'x' }] })
    expect(answer.status).toBe(200)
    const requestId = answer.headers.get('x-request-id')!
    await answer.text()
    await page.goto(`${node.origin}/credit?show=ledger`)
    const rows = page.getByRole('region', { name: 'Transactions' }).getByRole('row')
    await page.getByRole('link', { name: 'Receipt' }).waitFor()
    await page.getByRole('combobox', { name: 'Kinds' }).click()
    await page.getByRole('option', { name: 'Top-up' }).click()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/credit?show=ledger&kind=topup')
    await expect.poll(() => rows.count()).toBe(2)
    const file = await download(() => page.getByRole('button', { name: 'CSV' }).click())
    expect(file.toString().split('\r\n')[1]).toContain(',topup,25,25,')
    await page.getByRole('link', { name: 'Receipt' }).click()
    await page.getByRole('article', { name: 'Receipt' }).waitFor()
    await page.goto(`${node.origin}/credit?show=ledger&kind=usage&key=${key.id}`)
    await expectPage(page)
    await page.getByRole('link', { name: 'Request', exact: true }).click()
    await page.waitForURL(`**/requests/${requestId}`)
  })

  test('export everything that is stored', async () => {
    await open('data')
    const zip = await download(() => page.getByRole('button', { name: 'Download' }).click())
    const files = unzipped(zip)
    expect(files.get('account.json')).toContain(email)
    expect(files.get('billing.json')).toContain('DE123456789')
    expect(files.get('ledger-1.csv')).toContain(',topup,25,25,')
    await expectAccessible(page)
  })

  test('close the account: they explain what happens to the credit, and require a confirmation', async () => {
    await open('data')
    await page.getByRole('button', { name: 'Close account…' }).click()
    await dialog().getByText('of credit is left').waitFor()
    await dialog().getByText('every ledger entry; the ledger is never changed').waitFor()
    await expectPage(page)
    const button = dialog().getByRole('button', { name: 'Close permanently' })
    expect(await button.isDisabled()).toBe(true)
    await dialog()
      .getByLabel(/to confirm/)
      .fill('somebody@example.com')
    expect(await button.isDisabled()).toBe(true)
    await dialog()
      .getByLabel(/to confirm/)
      .fill(email)
    await button.click()
    await dialog().getByText('Your account is closed').waitFor()
    await dialog().getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('button', { name: 'Sign in or create an account' }).waitFor()
    // The email address can be used for a new account.
    const client = new PageClient({ 'x-forwarded-for': '198.18.0.9' })
    const tokens = await loginByDevice(node.origin, { email }, client)
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const me = (await (await fetch(`${node.origin}/api/v1/me`, { headers })).json()) as Record<
      string,
      unknown
    >
    expect(me).toMatchObject({ balance_usd: '0', status: 'active' })
    expect(visitor.elsewhere).toEqual([])
  })
})
