import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAccessible, phone, screen } from './accessible.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'

describeInBrowser('the API reference', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let browser: Browser
  let node: TestNode

  beforeAll(async () => {
    ;({ browser, node } = await openDashboard())
  }, 120_000)

  /** Keeps the page's own policy, except for injecting the accessibility rules. */
  async function opened(options: Parameters<Browser['newContext']>[0]): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage()
    page.setDefaultTimeout(45_000)
    page.on('pageerror', (error) => expect.soft(error).toBeUndefined())
    await page.goto(`${node.origin}/docs`)
    return page
  }

  test('is accessible in both themes, and fits a phone', async () => {
    const page = await opened({ viewport: screen, bypassCSP: true })
    await expectAccessible(page)
    await page.context().close()
  })

  test('marks up the lists of its introduction as lists', async () => {
    const page = await opened({ viewport: screen })
    const items = page.locator('#content > ul').first().getByRole('listitem')
    const texts = await items.allInnerTexts()
    expect(texts.length).toBeGreaterThan(1)
    for (const text of texts) expect(text).not.toMatch(/^- |\n- |\*\*|`/)
    await page.context().close()
  })

  test('has no sideways scroll area that a keyboard cannot reach', async () => {
    for (const viewport of [screen, phone]) {
      const page = await opened({ viewport })
      const aside = await page.evaluate(`[...document.querySelectorAll('*')]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
          && getComputedStyle(element).display !== 'inline' && element.tabIndex < 0)
        .map((element) => element.outerHTML.slice(0, 120))`)
      expect(aside, `${viewport.width} px`).toEqual([])
      await page.context().close()
    }
  })

  test('can be read by keyboard: the skip link first, then the text', async () => {
    const page = await opened({ viewport: screen })
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs#content')
    const before = (await page.evaluate('scrollY')) as number
    await page.keyboard.press('PageDown')
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(before + 300)
    await page.context().close()
  })

  test('starts with its text on a phone, with the table of contents behind a button', async () => {
    const page = await opened({ viewport: phone })
    const { y } = (await page.getByRole('heading', { level: 1 }).boundingBox())!
    expect(y).toBeLessThan(phone.height)
    const link = page.getByRole('navigation').getByText('Rank documents by a query')
    expect(await link.isVisible()).toBe(false)
    await page.getByText('Contents', { exact: true }).click()
    await link.click()
    await page.waitForURL('**/docs#*')
    await page.context().close()
  })

  test('lets fields and schemas be found by keyboard, and links back to the dashboard', async () => {
    const page = await opened({ viewport: screen })
    await page.keyboard.press('/')
    await page.keyboard.type('return_documents')
    await expect.poll(() => page.getByRole('status').innerText()).toMatch(/^\d places?$/)
    const shown = page.getByRole('navigation').getByRole('listitem')
    expect(await shown.allInnerTexts()).toContain('Rank documents by a query')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs#*')
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('status').innerText()).toBe('')
    await page.keyboard.type('xyzzy')
    await expect.poll(() => page.getByRole('status').innerText()).toBe('0 places')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('button', { name: 'Sign in or create an account' }).waitFor()
    await page.context().close()
  })
})
