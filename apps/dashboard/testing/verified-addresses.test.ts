import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Mailboxes } from '../../server/identity/testing/mailbox.ts'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectPage } from './accessible.ts'
import { dialog, press } from './steps.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { newVisitor, noDialog, password, signUp, type Visitor } from './visitor.ts'

const newPassword = 'staple battery horse'
const verifyMail = /^Verify your email address/
const changeMail = /^Confirm your new email address/
const passwordMail = /^Reset your password/

/** How users verify their addresses, with the emails they get. The tests build on each other. */
describeInBrowser('an address', { timeout: 120_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let browser: Browser
  let node: TestNode
  let ada: Visitor
  let bob: Visitor
  const mail = new Mailboxes()

  beforeAll(async () => {
    const input = { mail: await mail.settings() }
    ;({ browser, node, visitor: ada } = await openDashboard({ bypassCSP: true }, input))
    bob = await newVisitor(browser, node, { bypassCSP: true })
  }, 120_000)
  afterAll(async () => {
    await mail.smtp.close()
  })

  const follow = async (page: Page, email: string, subject: RegExp, count = 1): Promise<void> => {
    const { text } = await mail.letter(email, subject, count)
    const [address] = /http:\/\/\S+#[\w-]{43}/.exec(text)!
    // If only the fragment differs, the browser would not load the page again.
    await page.goto('about:blank')
    await page.goto(address)
  }

  test('is unverified after a sign-up; the settings say so, and send another link', async () => {
    const { page } = ada
    await signUp(ada, node, 'ada@example.com')
    await page.goto(`${node.origin}/settings`)
    await page.getByText('We emailed you a link.').waitFor()
    await expectPage(page)
    await press(page, 'Send the email again')
    await page.getByText('We sent a link to ada@example.com').waitFor()
    await mail.letter('ada@example.com', verifyMail, 2)
  })

  test('is verified by a click on the page that its link opens', async () => {
    const { page } = ada
    await follow(page, 'ada@example.com', verifyMail)
    await page.getByRole('heading', { level: 1, name: 'Verify your email address' }).waitFor()
    await page.getByText('You are signed in as Ada Lovelace').waitFor()
    await expectPage(page)
    await press(page, 'Verify address')
    await page.getByText('You will receive invitations and alerts there.').waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe('')
    await expectPage(page)
    await page.goto(`${node.origin}/settings`)
    await page.getByText('Change email').waitFor()
    expect(await page.getByText('We emailed you a link.').count()).toBe(0)
  })

  test('cannot be verified by another signed-in user', async () => {
    const { page } = bob
    await signUp(bob, node, 'bob@example.com')
    await follow(page, 'ada@example.com', verifyMail)
    await press(page, 'Verify address')
    await page.getByText('this code belongs to another account').waitFor()
    await expectPage(page)
  })

  test('must be verified to accept an invitation; the page says so and emails the link', async () => {
    const { page } = ada
    await page.getByRole('button', { name: /^Switch account, current:/ }).click()
    await page.getByRole('menuitem', { name: 'New organization' }).click()
    await dialog(page).getByLabel('Name').fill('Acme')
    await press(dialog(page), 'Create organization')
    await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
    await press(page, 'Invite someone')
    await dialog(page).getByLabel('Address (optional)').fill('bob@example.com')
    await press(dialog(page), 'Create invitation')
    const link = (await dialog(page).getByRole('region', { name: 'The link' }).textContent())!
    await press(dialog(page), 'I have saved it')
    await noDialog(page)

    const { page: other } = bob
    await other.goto(link)
    await other.getByText('which is not verified').waitFor()
    await press(other, 'Join')
    await other.getByText('verify it').last().waitFor()
    await expectPage(other)
    await press(other, 'Email me a verification link')
    await other.getByText('We sent a link to bob@example.com').waitFor()
    // The link in the invitation's email verifies the address, too.
    await follow(other, 'bob@example.com', /^Invitation to join/)
    await press(other, 'Join')
    await other.getByRole('button', { name: /^Switch account, current: Acme/ }).waitFor()
    await other.goto(`${node.origin}/settings`)
    await other.getByText('Change email').waitFor()
    expect(await other.getByText('We emailed you a link.').count()).toBe(0)
  })

  test('changes once the link sent to the new address is opened', async () => {
    const { page } = ada
    await page.goto(`${node.origin}/settings?action=email`)
    await dialog(page).getByLabel('New email').fill('ada@acme.example')
    await dialog(page).getByLabel('Your password').fill(password)
    await press(dialog(page), 'Email me a link')
    await noDialog(page)
    await page.getByText('ada@acme.example, after you open the link').waitFor()
    await mail.letter('ada@example.com', /^Your email address is about to change/)
    await follow(page, 'ada@acme.example', changeMail)
    await press(page, 'Verify address')
    await page.getByText('ada@acme.example is verified.').waitFor()
  })

  test('gets a link to reset a lost password', async () => {
    const { page } = await newVisitor(browser, node, { bypassCSP: true })
    page.setDefaultTimeout(45_000)
    await page.goto(node.origin)
    await press(page, 'Sign in or create an account')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email').fill('ada@acme.example')
    await expectPage(page)
    await press(page, 'Email me a link')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await follow(page, 'ada@acme.example', passwordMail)
    await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor()
    await expectPage(page)
    await page.getByLabel(/^New password( \*)?$/).fill(newPassword)
    await page.getByLabel('Repeat new password').fill(newPassword)
    await press(page, 'Set the password')
    await page.getByText('Your password was changed').waitFor()
    await press(page, 'Go to sign-in')
    await press(page, 'Sign in or create an account')
    await page.getByLabel('Email').fill('ada@acme.example')
    await page.getByLabel('Password').fill(newPassword)
    await press(page, 'Sign in')
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    // The user's other browser is signed out.
    await ada.page.goto(`${node.origin}/settings`)
    await ada.page.getByRole('button', { name: 'Sign in or create an account' }).waitFor()
  })

  test('caused no browser error, and no request to other origins', () => {
    for (const { elsewhere } of [ada, bob]) expect(elsewhere).toEqual([])
  })
})
