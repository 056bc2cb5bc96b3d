import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAccessible, expectPage, screen } from './accessible.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { noDialog, operatorAccount, signUp, type Visitor } from './visitor.ts'

const secret = 'sk-proj-0123456789abcdefghij-aB3d'

/** A user's own vendor keys. The tests build on each other. */
describeInBrowser('the vendor keys', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let visitor: Visitor
  let page: Page
  let accountId: string

  beforeAll(async () => {
    ;({ node, visitor, page } = await openDashboard(
      { bypassCSP: true },
      {
        byok: { encryption_keys: [Buffer.alloc(32, 7).toString('base64')], fee_percent: '5' },
        providers: { openai: { api_keys: ['of the operator'] }, anthropic: { own_keys_only: true } },
      },
    ))
    await signUp(visitor, node, 'ada@example.com')
    accountId = await operatorAccount(node)
  }, 180_000)

  const open = async (): Promise<void> => {
    await page.setViewportSize(screen)
    await page.goto(`${node.origin}/settings?show=vendor-keys`)
    await page.getByRole('heading', { level: 2, name: 'Your vendor keys' }).waitFor()
  }
  const dialog = () => page.getByRole('dialog')
  const listed = () => node.storage.vendorKeys.list(accountId)

  async function choose(action: string): Promise<void> {
    await page.getByRole('button', { name: /^Actions of openai/ }).click()
    await page.getByRole('menuitem', { name: action }).click()
    await dialog().waitFor()
  }

  test('are empty at first, and say what requests with them cost', async () => {
    await open()
    await page.getByText('No keys yet').waitFor()
    await page.getByText(/The fee here is 5 % of the list price/).waitFor()
    await expectAccessible(page)
  })

  test('can be added, with mistakes shown at the field', async () => {
    await open()
    await page.getByRole('button', { name: 'Add a key' }).click()
    await dialog().getByRole('combobox', { name: 'Vendor' }).click()
    await page.getByRole('option', { name: 'OpenAI' }).click()
    await dialog().getByLabel('Key', { exact: true }).fill('sk-turnpike-0123456789abcdef0123')
    await dialog().getByLabel('Name').fill('prod')
    await dialog().getByRole('button', { name: 'Add the key' }).click()
    await dialog().getByText('Expected a key of the vendor. This is a key of the gateway.').waitFor()
    expect(await dialog().getByLabel('Key', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await expectPage(page)
    await dialog().getByLabel('Key', { exact: true }).fill(` ${secret} `)
    await dialog().getByRole('button', { name: 'Add the key' }).click()
    await noDialog(page)
    await page.getByText('…aB3d').waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await listed()).toMatchObject([
      { provider: 'openai', name: 'prod', last4: 'aB3d', allowsShared: true },
    ])
  })

  test('can change their rules', async () => {
    await open()
    await choose('Change')
    await dialog().getByLabel('Use credit if this key fails').uncheck()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await noDialog(page)
    await page.getByText('no fallback').waitFor()
    expect(await listed()).toMatchObject([{ allowsShared: false, status: 'active' }])
  })

  test('show that the vendor rejected a key until it is replaced', async () => {
    const [key] = await listed()
    const atMs = Date.now() - 3_600_000
    await node.storage.vendorKeys.note([{ id: key!.id, usedAtMs: atMs, refusedAtMs: atMs, version: 1 }])
    await open()
    await page.getByText('refused', { exact: true }).waitFor()
    await expectPage(page)
    await choose('Replace key')
    await dialog().getByLabel('Key', { exact: true }).fill('sk-proj-another-0123456789-xY9z')
    await dialog().getByRole('button', { name: 'Replace key' }).click()
    await noDialog(page)
    await page.getByText('…xY9z').waitFor()
    await page.getByText('in use', { exact: true }).waitFor()
  })

  test('can be removed', async () => {
    await open()
    await choose('Remove')
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await noDialog(page)
    await page.getByText('No keys yet').waitFor()
    expect(await listed()).toEqual([])
    expect(visitor.elsewhere).toEqual([])
  })
})
