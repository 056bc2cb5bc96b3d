import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, launchChromium } from '../../../tests/browser/chromium.ts'
import { startTestNode, type TestKey } from '../../../tests/nodes/test-node.ts'
import { suiteNode } from '../../../tests/nodes/suite.ts'
import type { OpenedTopup } from './testing/stripe-node.ts'

const chromium = findChromium()
const chat = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hello [sandbox: pace=0]' }] }
const phone = { width: 360, height: 740 }

// With port 0, the checkout's address has the real port.
const node = suiteNode({ server: { port: 0 } })

function buy(key: TestKey, usd = '25'): Promise<OpenedTopup> {
  return node.admin(`/accounts/${key.accountId}/topup`, { method: 'POST', body: { amount_usd: usd } })
}

async function statusOf(key: TestKey, { session_id: id }: OpenedTopup): Promise<string> {
  return (await node.admin<OpenedTopup>(`/accounts/${key.accountId}/topup/${id}`)).status
}

async function balanceOf(key: TestKey): Promise<string> {
  return (await node.admin<{ balance_usd: string }>(`/accounts/${key.accountId}`)).balance_usd
}

describe.skipIf(chromium === undefined)('the sandbox checkout in a browser without JavaScript', () => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await launchChromium(chromium!)
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: phone })
    page = await context.newPage()
  })
  afterAll(() => browser.close())

  test('accepts play money, and the credit can be used', async () => {
    const key = await node.createKey({ creditUsd: '0' })
    const topup = await buy(key)
    await page.goto(topup.checkout_url!)
    expect(await page.getByText('This is not real money').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Pay with a card that is declined' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('declined')
    expect([await statusOf(key, topup), await balanceOf(key)]).toEqual(['open', '0'])
    await page.getByRole('button', { name: 'Pay 25 USD of play money' }).click()
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    expect([await statusOf(key, topup), await balanceOf(key)]).toEqual(['paid', '25'])
    expect((await node.chat(key, chat)).status).toBe(200)
  })

  test('expires, and leads back', async () => {
    const key = await node.createKey({ creditUsd: '0' })
    const topup = await buy(key, '7.50')
    await page.goto(topup.checkout_url!)
    await page.getByRole('link', { name: 'Back without paying' }).click()
    await page.getByRole('heading', { name: 'Not paid yet' }).waitFor()
    await page.getByRole('link', { name: 'Go to the checkout' }).click()
    await page.getByRole('button', { name: 'Let this checkout expire' }).click()
    await page.getByRole('heading', { name: 'This checkout has expired' }).waitFor()
    expect([await statusOf(key, topup), await balanceOf(key)]).toEqual(['expired', '0'])
  })

  test('fits on a phone without horizontal scrolling', async () => {
    const key = await node.createKey({ creditUsd: '0' })
    await page.goto((await buy(key, '10000')).checkout_url!)
    const size = await page.locator('main').boundingBox()
    expect(size!.x + size!.width).toBeLessThanOrEqual(phone.width)
  })
})

test('without a processor, nothing is sold outside loopback unless that is configured', async () => {
  const server = { public_url: 'https://llm.example.com' }
  const closed = await startTestNode({ input: { server } })
  const key = await closed.createKey({ creditUsd: '0' })
  const body = { amount_usd: '25' }
  const buying = closed.admin(`/accounts/${key.accountId}/topup`, { method: 'POST', body })
  await expect(buying).rejects.toThrow(/503 .*not set up a payment processor/)
  expect(await closed.admin(`/accounts/${key.accountId}/topups`)).toMatchObject({ data: [] })
  await closed.stop()

  const open = await startTestNode({ input: { server, payments: { sandbox: true } } })
  const { accountId } = await open.createKey({ creditUsd: '0' })
  const topup = await open.admin<OpenedTopup>(`/accounts/${accountId}/topup`, { method: 'POST', body })
  expect(topup.checkout_url).toBe(`https://llm.example.com/sandbox-checkout/${topup.session_id}`)
  await open.stop()
})
