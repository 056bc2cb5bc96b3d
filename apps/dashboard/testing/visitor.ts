import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { launchChromium } from '../../../tests/browser/chromium.ts'
import { startTestNode, type TestNode } from '../../../tests/nodes/test-node.ts'
import { buildDashboard } from './built.ts'

export const password = 'correct horse battery'

/** A user of the dashboard, and what their browser requested and complained about. */
export interface Visitor {
  page: Page
  context: BrowserContext
  /** Requested addresses on other origins. */
  elsewhere: string[]
  complaints: string[]
}

export async function newVisitor(
  browser: Browser,
  node: TestNode,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  const visitor: Visitor = { page, context, elsewhere: [], complaints: [] }
  page.on('request', (request) => {
    const { origin } = new URL(request.url())
    if (origin !== node.origin && origin !== 'null') visitor.elsewhere.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') visitor.complaints.push(message.text())
  })
  page.on('pageerror', (error) => visitor.complaints.push(String(error)))
  return visitor
}

/** Opens the dashboard of a new node; the caller must stop browser and node. */
export async function openDashboard(
  chromium: string,
  options?: Parameters<typeof newVisitor>[2],
  input: NonNullable<Parameters<typeof startTestNode>[0]>['input'] = {},
): Promise<{ browser: Browser; node: TestNode; visitor: Visitor }> {
  await buildDashboard()
  const node = await startTestNode({ input: { server: { port: 0 }, ...input } })
  const browser = await launchChromium(chromium)
  const visitor = await newVisitor(browser, node, options)
  return { browser, node, visitor }
}

/** From the sign-in page through the identity provider's pages, back to the dashboard. */
export async function signUp({ page }: Pick<Visitor, 'page'>, node: TestNode, email: string): Promise<void> {
  await page.goto(node.origin)
  await page.getByRole('button', { name: 'Sign in or create an account' }).click()
  await page.getByRole('link', { name: 'Create one' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Name (optional)').fill('Ada Lovelace')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}

/** The ID of the only account. The page's first request creates it, and may still be in progress. */
export function onlyAccount(node: TestNode): Promise<string> {
  return vi.waitFor(async () => {
    const { data } = await node.admin<{ data: { id: string }[] }>('/accounts')
    expect(data).not.toEqual([])
    return data.at(-1)!.id
  }, 20_000)
}

/**
 * Makes the only account an operator's.
 * @returns its ID
 */
export async function operatorAccount(node: TestNode): Promise<string> {
  const id = await onlyAccount(node)
  await node.admin(`/accounts/${id}`, { method: 'PATCH', body: { operator: true } })
  return id
}

/** Waits for an error at a field, and returns its text as a screen reader announces it. */
export async function errorAt(field: Locator): Promise<string> {
  await expect.poll(() => field.getAttribute('aria-invalid'), { timeout: 15_000 }).toBe('true')
  const ids = (await field.getAttribute('aria-describedby')) ?? ''
  const texts = ids.split(' ').map((id) => field.page().locator(`[id="${id}"]`).innerText())
  return (await Promise.all(texts)).join(' ')
}

/** Waits until no dialog is open: for a moment, one that closes and its successor both exist. */
export async function noDialog(page: Page): Promise<void> {
  await expect.poll(() => page.getByRole('dialog').count(), { timeout: 15_000 }).toBe(0)
}
