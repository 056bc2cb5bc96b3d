import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findChromium, launchChromium } from '../../../tests/browser/chromium.ts'
import { authorizationUrl } from './testing/device-login.ts'
import { newEmail, password } from './testing/sign-in.ts'
import { suiteNode } from '../../../tests/nodes/suite.ts'

const executablePath = findChromium()
const phone = { width: 390, height: 844 }

/** The pages as people see them: in Chromium, on a phone, without scripts. */
describe.skipIf(executablePath === undefined)('the pages in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser
  /** A native app that waits for its code. */
  let app: Server
  let redirectUri: string
  let context: BrowserContext
  let page: Page
  /** Requests of the browser to other origins, and errors that it logged. */
  let elsewhere: string[]
  let complaints: string[]

  beforeAll(async () => {
    browser = await launchChromium(executablePath!)
  })
  const node = suiteNode({ server: { port: 0 } })
  beforeAll(async () => {
    app = createServer((_request, response) => response.end('You can return to the app.'))
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
    redirectUri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`
  })
  afterAll(async () => {
    await browser.close()
    app.closeAllConnections()
    app.close()
  })
  beforeEach(async () => {
    context = await browser.newContext({ viewport: phone, javaScriptEnabled: false })
    page = await context.newPage()
    elsewhere = []
    complaints = []
    page.on('request', (request) => {
      const { origin } = new URL(request.url())
      if (![node.origin, new URL(redirectUri).origin, 'null'].includes(origin)) elsewhere.push(request.url())
    })
    page.on('console', (message) => {
      // The browser itself logs this for a page with a 4xx status.
      if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text())
    })
  })
  afterEach(async () => {
    expect([elsewhere, complaints]).toEqual([[], []])
    await context.close()
  })

  async function newUserCode(): Promise<string> {
    const body = new URLSearchParams({ client_id: 'turnpike' })
    const answer = await fetch(`${node.origin}/oidc/device/auth`, { method: 'POST', body })
    return ((await answer.json()) as { user_code: string }).user_code
  }

  const signInUrl = (fields: Record<string, string> = {}): string =>
    authorizationUrl(node.origin, { redirect_uri: redirectUri, ...fields })

  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
  const heading = (): Promise<string | null> => page.getByRole('heading', { level: 1 }).textContent()

  async function signUp(email: string): Promise<void> {
    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Name (optional)').fill('Ada')
    await page.getByLabel('Password').fill(password)
    await press('Create account')
  }

  /** What every page needs for a person without a mouse, or with poor eyesight. */
  async function expectAccessible(): Promise<void> {
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await page.getByRole('main').count()).toBe(1)
    for (const input of await page.locator('input:not([type=hidden])').all()) {
      const id = await input.getAttribute('id')
      expect(await page.locator(`label[for="${id}"]`).count(), `label of ${id}`).toBe(1)
      for (const described of ((await input.getAttribute('aria-describedby')) ?? '')
        .split(' ')
        .filter(Boolean))
        expect(await page.locator(`#${described}`).count()).toBe(1)
    }
    const { width } = (await page.locator('main').boundingBox())!
    expect(width).toBeLessThanOrEqual(phone.width)
    for (const button of await page.getByRole('button').all())
      expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  }

  test('connect a device: code, confirmation, sign-up', async () => {
    const userCode = await newUserCode()
    await page.goto(`${node.origin}/oidc/device`)
    await expectAccessible()
    await page.getByLabel('Code').fill('BCDF-BCDF')
    await press('Continue')
    expect(await page.getByText('This code is not valid.').isVisible()).toBe(true)
    await expectAccessible()
    await page.getByLabel('Code').fill(userCode.toLowerCase())
    await press('Continue')
    expect(await heading()).toBe('Connect this device?')
    expect(await page.getByRole('main').innerText()).toMatch(
      new RegExp(`${userCode}[^]*Turnpike command line[^]*127\\.0\\.0\\.1`),
    )
    await expectAccessible()
    await press('Sign in and connect')
    await expectAccessible()
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByLabel('Password').fill('wrong password')
    await press('Sign in')
    expect(await page.getByRole('alert').textContent()).toBe('Incorrect email or password.')
    expect(await page.getByLabel('Email').inputValue()).toBe('nobody@example.com')
    await expectAccessible()
    await signUp(newEmail())
    expect(await heading()).toBe('Device connected')
    await expectAccessible()
  })

  test('fill in a code from the address without acting on it', async () => {
    const userCode = await newUserCode()
    await page.goto(`${node.origin}/oidc/device?user_code=${userCode}`)
    expect(await page.getByLabel('Code').inputValue()).toBe(userCode)
    await press('Continue')
    await press('Do not connect')
    expect(await heading()).toBe('Not connected')
  })

  test('give an app its code, over a redirect that the page’s policy allows', async () => {
    await page.goto(signInUrl())
    await signUp(newEmail())
    expect(await heading()).toBe('Allow access?')
    await expectAccessible()
    await press('Allow')
    await page.waitForURL(`${redirectUri}?code=*`)
    expect(await page.content()).toContain('You can return to the app.')
  })

  test('send a user who declines back with the refusal', async () => {
    await page.goto(signInUrl())
    await press('Cancel')
    await page.waitForURL(/error=access_denied/)
  })

  test('work by keyboard alone: tab, type, enter', async () => {
    const email = newEmail()
    await page.goto(signInUrl())
    await signUp(email)
    await context.clearCookies()
    await page.goto(signInUrl())
    // Keys pressed before the field has the focus have no effect.
    await page.locator('input:focus').waitFor()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus-visible').innerText()).toBe('Allow')
  })

  test('sign out, and lead back to where the dashboard requests', async () => {
    await page.goto(signInUrl())
    await signUp(newEmail())
    const back = `client_id=turnpike&post_logout_redirect_uri=${node.origin}/dashboard`
    await page.goto(`${node.origin}/oidc/sign-out?${back}`)
    expect(await heading()).toBe('Sign out?')
    await expectAccessible()
    await press('Sign out')
    await page.waitForURL(`${node.origin}/dashboard`)
  })

  test('explain what cannot be done', async () => {
    for (const fields of [{ client_id: 'nobody' }, { redirect_uri: 'https://evil.example/' }]) {
      await page.goto(signInUrl(fields))
      expect(await heading()).toBe('Something went wrong')
      await expectAccessible()
    }
  })
})
