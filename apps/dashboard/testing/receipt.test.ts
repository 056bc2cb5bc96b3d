import { afterRefund, parseUsd } from '@turnpike/billing'
import { beforeAll, expect, test } from 'vitest'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAccessible, phone, screen } from './accessible.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { signUp, type Visitor } from './visitor.ts'

const issuer = 'Example GmbH'
const legalText = 'Hauptstraße 1\n10827 Berlin\nVAT ID DE123456789'

describeInBrowser('the receipt of a top-up', { timeout: 120_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let visitor: Visitor
  let sessionId: string

  beforeAll(async () => {
    const payments = { receipt: { issuer, legal_text: legalText } }
    ;({ node, visitor } = await openDashboard({ bypassCSP: true }, { payments }))
    await signUp(visitor, node, 'ada@example.com')
    const { page } = visitor
    await page.getByRole('link', { name: 'Credit', exact: true }).click()
    await page.getByLabel('Amount').fill('25.50')
    await page.getByRole('button', { name: 'Go to the checkout' }).click()
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Open the checkout' }).click()
    const checkout = await opened
    sessionId = checkout.url().split('/').at(-1)!
    await checkout.getByRole('button', { name: 'Pay 25.5 USD of play money' }).click()
    await checkout.getByRole('heading', { name: 'Payment received' }).waitFor()
    await checkout.close()
  }, 180_000)

  const sheet = () => visitor.page.getByRole('article', { name: 'Receipt' })

  test('is linked from the payment, and has everything that bookkeeping requires', async () => {
    const { page } = visitor
    await page.getByText('$25.50 received').waitFor()
    await page.getByRole('row').getByRole('link', { name: 'Receipt' }).click()
    await page.waitForURL(`**/credit/receipts/${sessionId}`)
    const text = await sheet().innerText()
    for (const part of [issuer, 'VAT ID DE123456789', 'Ada Lovelace', 'ada@example.com', '$25.50'])
      expect(text).toContain(part)
    expect(text).toMatch(/\d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d UTC/)
    expect(text).toContain('Credit granted: $25.50')
    expect(text).toContain('play money')
    expect(text).toContain('not a tax invoice')
    expect(await page.title()).toContain(sessionId)
  })

  test('is accessible in both themes, and fits a phone', async () => {
    await visitor.page.setViewportSize(screen)
    await expectAccessible(visitor.page)
  })

  test.each([
    ['a phone', phone],
    ['a desktop', screen],
  ])('prints from %s with the dark theme on white, without the page around it', async (_, size) => {
    const { page } = visitor
    await page.setViewportSize(size)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const hidden = ['navigation', 'link', 'button'] as const
    for (const role of hidden) expect([role, await page.getByRole(role).count()]).toEqual([role, 0])
    expect(await page.locator('.mantine-AppShell-header').isVisible()).toBe(false)
    const colors = await page.evaluate(`[
      getComputedStyle(document.body).backgroundColor,
      getComputedStyle(document.querySelector('.mantine-AppShell-main')).backgroundColor,
      getComputedStyle(document.querySelector('article')).backgroundColor,
      getComputedStyle(document.querySelector('article')).color,
      document.querySelector('article').getBoundingClientRect().left,
    ]`)
    const white = 'rgb(255, 255, 255)'
    expect(colors).toEqual([white, white, white, 'rgb(0, 0, 0)', 0])
    expect(await page.getByRole('heading', { level: 1, name: 'Receipt' }).isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })
  })

  test('has a button that prints it', async () => {
    const { page } = visitor
    await page.evaluate('globalThis.print = () => { globalThis.printed = true }')
    await page.getByRole('button', { name: 'Print' }).click()
    expect(await page.evaluate('globalThis.printed')).toBe(true)
  })

  test('shows refunds', async () => {
    const nowMs = Date.now()
    const refund = parseUsd('5.25')
    await node.storage.topups.change(sessionId, (topup) => afterRefund(topup, refund, nowMs), nowMs)
    await visitor.page.reload()
    await sheet().waitFor()
    const rows = await sheet().getByRole('row').allInnerTexts()
    expect(rows.slice(1).map((row) => row.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringContaining('$25.50'),
      'Refunded −$5.25',
      expect.stringMatching(/^Remains paid on .+ \$20\.25$/),
    ])
  })

  test('is refused with an explanation if the top-up was not paid', async () => {
    await visitor.page.goto(`${node.origin}/credit/receipts/top_${'0'.repeat(26)}`)
    await visitor.page.getByRole('alert').waitFor()
    expect(visitor.elsewhere).toEqual([])
  })
})
