import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { TestKey, TestNode } from '../../../tests/nodes/test-node.ts'
import { expectPage, screen } from './accessible.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { onlyAccount, noDialog, signUp, type Visitor } from './visitor.ts'

const weather = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }

/** Prompts and answers are kept, read, copied and deleted. The tests build on each other. */
describeInBrowser('the prompt log', { timeout: 60_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let visitor: Visitor
  let page: Page
  let key: TestKey

  beforeAll(async () => {
    ;({ node, visitor, page } = await openDashboard({ bypassCSP: true }))
    await signUp(visitor, node, 'ada@example.com')
    key = await node.createKey({ accountId: await onlyAccount(node) })
  }, 120_000)

  const ask = async (body: object): Promise<string> => {
    const response = await node.chat(key, { model: 'sandbox/echo', ...body })
    await response.text()
    return response.headers.get('x-request-id')!
  }

  test('is off at first, and a request says where to turn it on', async () => {
    const id = await ask({ messages: [{ role: 'user', content: 'not kept' }] })
    await page.goto(`${node.origin}/requests/${id}`)
    await page.getByText('The prompt and answer of this request are not stored.').waitFor()
    await page.getByRole('link', { name: 'Prompt log settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Prompt log' })
    await dialog.getByLabel('Keep prompts and answers').check({ force: true })
    await dialog.getByLabel('Days').fill('900')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Expected at most 30 days.').waitFor()
    await dialog.getByLabel('Days').fill('14')
    await page.setViewportSize(screen)
    await expectPage(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await noDialog(page)
  })

  test('shows the error message that a refused request returned', async () => {
    const id = await ask({ messages: [{ role: 'user', content: 'hello' }], temperature: 'hot' })
    await page.goto(`${node.origin}/requests/${id}`)
    await page.getByText('Error returned to the caller:').getByText('temperature').waitFor()
    await page.setViewportSize(screen)
    await expectPage(page)
  })

  test('shows the messages, their roles, and what was redacted', async () => {
    const picture = Buffer.alloc(4_000, 1).toString('base64')
    const id = await ask({
      stream: true,
      tools: [weather],
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'get_weather', arguments: '{"city":"Berlin"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Mail joe@example.com the key sk-proj-aB3dE5gH7jK9mN1pQ3sT5v.' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
          ],
        },
      ],
    })
    await page.goto(`${node.origin}/requests/${id}`)
    const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Prompt and answer' }) })
    await panel.getByText('Kept until').waitFor()
    const messages = panel.getByRole('list', { name: 'Messages' }).getByRole('listitem')
    await expect.poll(() => messages.count()).toBe(5)
    const texts = await messages.allTextContents()
    for (const [at, part] of [
      'Be brief.',
      'Calls get_weather',
      'sunny',
      '[redacted:email]',
      'Assistant',
    ].entries())
      expect(texts[at]).toContain(part)
    expect(texts[3]).toContain('image/png· 3.9 KiB, not kept')
    expect(await panel.textContent()).not.toContain('sk-proj')
    expect(await panel.textContent()).toContain('api key')
    await expectPage(page)

    await panel.getByText('JSON', { exact: true }).click()
    expect(await panel.getByRole('region', { name: 'Request' }).textContent()).toContain('"get_weather"')
    await panel.getByText('Code', { exact: true }).click()
    for (const language of ['curl', 'Python', 'TypeScript']) {
      await panel.getByRole('tab', { name: language }).click()
      const code = await panel.getByRole('region', { name: `The request in ${language}` }).textContent()
      expect(code).toContain(`${node.origin}/v1/chat/completions`)
      expect(code).toContain('TURNPIKE_API_KEY')
      expect(code).not.toContain(key.raw)
    }
    await expectPage(page)
  })

  test('can be deleted at once, for a request and as a whole', async () => {
    const [first, second] = [
      await ask({ messages: [{ role: 'user', content: 'first' }] }),
      await ask({ messages: [{ role: 'user', content: 'second' }] }),
    ]
    await page.goto(`${node.origin}/requests/${first}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('Deleted. The prompt and answer').waitFor()
    await noDialog(page)
    await page.goto(`${node.origin}/requests?action=log`)
    await page.getByRole('button', { name: 'Delete all…' }).click()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('Nothing is stored.').waitFor()
    await page.goto(`${node.origin}/requests/${second}`)
    await page.getByText('The prompt and answer of this request are not stored.').waitFor()
    expect(visitor.elsewhere).toEqual([])
  })

  test('follows the setting of a key that has its own', async () => {
    await page.goto(`${node.origin}/keys?action=limits&key=${key.id}`)
    await page.getByRole('combobox', { name: 'Prompts and answers' }).click()
    await page.getByRole('option', { name: 'Not kept' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await noDialog(page)
    const id = await ask({ messages: [{ role: 'user', content: 'not kept' }] })
    await page.goto(`${node.origin}/requests/${id}`)
    await page.getByText('The prompt and answer of this request are not stored.').waitFor()
  })
})
