import { SmtpServer, type Letter } from '@turnpike/simulators/mail/smtp-server'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainText, subjectOf } from '../../server/notify/testing/plain-text.ts'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectPage } from './accessible.ts'
import { choose, dialog, go, heading, payAtCheckout, press } from './steps.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import { newVisitor, noDialog, password, signUp, type Visitor } from './visitor.ts'

const patient = { timeout: 30_000 }
const alertsTo = 'alerts@acme.test'
/** Its answers cost cents, so that a budget of a dollar is soon used up. */
const dear = {
  context_length: 131_072,
  max_output_tokens: 8_192,
  upstreams: [{ provider: 'sandbox', model: 'echo' }],
  pricing: { prompt: '0.00001', completion: '0.0001' },
  supported_parameters: ['max_tokens'],
}

/**
 * A team's first day, with two users in two browsers: from the sign-up to the books. The tests depend on
 * each other's order.
 */
describeInBrowser('the first day of a team', { timeout: 120_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let browser: Browser
  let node: TestNode
  let ada: Visitor
  let bob: Visitor
  let link: string
  /** The raw key of Bob. */
  let raw: string
  const smtp = new SmtpServer()

  beforeAll(async () => {
    const port = await smtp.listen()
    const input = {
      models: { 'sandbox/dear': dear },
      mail: { smtp: { host: '127.0.0.1', port, tls: 'none' as const }, from: 'turnpike@gateway.test' },
    }
    ;({ browser, node, visitor: ada } = await openDashboard({ bypassCSP: true }, input))
    bob = await newVisitor(browser, node, { bypassCSP: true })
  }, 120_000)
  afterAll(async () => {
    await smtp.close()
  })

  const view = (page: Page, name: string): Promise<void> => page.getByText(name, { exact: true }).click()
  const row = (page: Page, name: string | RegExp): Locator => page.getByRole('row').filter({ hasText: name })
  /** The exact amounts, whatever the page shows rounded. */
  const amountsIn = async (within: Locator): Promise<string[]> => {
    const shown = await within.locator('.figures').all()
    return Promise.all(shown.map(async (one) => (await one.getAttribute('title')) ?? (await one.innerText())))
  }
  /** Waits for the email with this subject to the address that gets the alerts. */
  const mail = async (subject: RegExp): Promise<Letter> => {
    const find = () =>
      smtp.letters.find((letter) => subject.test(subjectOf(letter)) && letter.to.includes(alertsTo))
    await expect.poll(find, patient).toBeDefined()
    return find()!
  }
  /** Opens the link of an email. */
  const follow = async (page: Page, letter: Letter): Promise<void> => {
    const [address] = /http:\/\/\S+/.exec(plainText(letter.body))!
    expect(new URL(address).origin).toBe(node.origin)
    await page.goto(address)
  }
  /** Sends a question that costs as many tokens as the vendor reports. */
  const ask = async (page: Page, tokens: number): Promise<void> => {
    await page.getByLabel('Message').fill(`Find it [sandbox: pace=0 usage=${tokens}]`)
    await page.keyboard.press('Enter')
  }
  const answered = (page: Page, count: number): Promise<void> =>
    page
      .getByRole('link', { name: 'Details' })
      .nth(count - 1)
      .waitFor()

  test('starts with a sign-up and a new organization', async () => {
    const { page } = ada
    await signUp(ada, node, 'ada@example.com')
    await page.getByRole('button', { name: /^Switch account, current:/ }).click()
    await page.getByRole('menuitem', { name: 'New organization' }).click()
    await dialog(page).getByLabel('Name').fill('Acme')
    await press(dialog(page), 'Create organization')
    await heading(page, 'Acme')
  })

  test('buys credit for it, and saves the card', async () => {
    const { page } = ada
    await go(page, 'Credit')
    await page.getByLabel('Amount').fill('10')
    await page.getByRole('checkbox', { name: 'Save for automatic top-ups' }).check()
    await payAtCheckout(page, 10)
    await expectPage(page)
  })

  test('invites a second user by a link, who signs up and joins', async () => {
    const { page } = ada
    await go(page, 'Organization')
    await press(page, 'Invite someone')
    await press(dialog(page), 'Create invitation')
    link = (await dialog(page).getByRole('region', { name: 'The link' }).textContent())!
    await press(dialog(page), 'I have saved it')
    await noDialog(page)
    const { page: other } = bob
    await other.goto(link)
    await press(other, 'Sign in or create an account')
    await other.getByRole('link', { name: 'Create one' }).click()
    await other.getByLabel('Email').fill('bob@example.com')
    await other.getByLabel('Name (optional)').fill('Bob Kahn')
    await other.getByLabel('Password').fill(password)
    await press(other, 'Create account')
    await other.getByText('You are invited to join Acme as Developer').waitFor()
    await press(other, 'Join')
    await heading(other, 'Home')
    await page.reload()
    await row(page, 'Bob Kahn').getByText('Developer').waitFor()
  })

  test('creates a project, in which the second user has a key', async () => {
    const { page } = ada
    await go(page, 'Projects')
    await press(page, 'New project')
    await dialog(page).getByLabel('Name').fill('search')
    await press(dialog(page), 'Create project')
    await noDialog(page)
    const { page: other } = bob
    await go(other, 'Projects')
    await press(other, 'Actions of search')
    await other.getByRole('menuitem', { name: 'Create a key in this project' }).click()
    await dialog(other).getByLabel('Name').fill('indexer')
    await press(dialog(other), 'Create the key')
    raw = (await dialog(other).getByRole('region', { name: 'The new key' }).textContent())!
    await press(other, 'I have saved it')
    await noDialog(other)
    await row(other, 'indexer').getByText('search · Bob Kahn').waitFor()
  })

  test('sets a hard budget on a tag', async () => {
    const { page } = ada
    await go(page, 'Budgets')
    await press(page, 'New budget')
    await dialog(page).getByLabel('Name').fill('Search team')
    await choose(page, 'On', 'A tag')
    await dialog(page).getByLabel('Tag').fill('team:search')
    await dialog(page).getByLabel('Limit', { exact: true }).fill('1')
    await press(dialog(page), 'Create budget')
    await noDialog(page)
    await row(page, 'Search team').getByText('tag team:search').waitFor()
  })

  test('sends alerts to an address that has confirmed them', async () => {
    const { page } = ada
    await go(page, 'Alerts')
    await view(page, 'Recipients')
    await press(page, 'Add a recipient')
    await dialog(page).getByLabel('Address').fill(alertsTo)
    await press(dialog(page), 'Add')
    await noDialog(page)
    await row(page, alertsTo).getByText('not confirmed yet').waitFor()
    const confirmation = await mail(/^Confirm that you want alerts/)
    expect(confirmation.to).toEqual([alertsTo])
    const reader = await page.context().newPage()
    await follow(reader, confirmation)
    await press(reader, 'Yes, send them to me')
    await reader.getByRole('heading', { name: 'Confirmed' }).waitFor()
    await reader.close()
    await page.reload()
    await row(page, alertsTo).getByText('active').waitFor()
  })

  test("refuses the second user's questions once the budget is used up, after warning emails", async () => {
    const { page } = bob
    await page.goto(`${node.origin}/playground?model=sandbox/dear`)
    await page.getByLabel('Tags', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Tags' }).fill('team:search')
    await page.keyboard.press('Enter')
    await ask(page, 2_600)
    await answered(page, 1)
    await ask(page, 2_600)
    await answered(page, 2)
    const half = await mail(/^The budget "Search team" has reached 50 %/)
    expect(half.to).toEqual([alertsTo])
    expect(plainText(half.body)).toMatch(
      /0\.52\d* USD of the budget "Search team" \(tag team:search, 1 USD a month\) is spent\./,
    )
    await ask(page, 3_000)
    await answered(page, 3)
    await mail(/^The budget "Search team" has reached 80 %/)
    await ask(page, 3_000)
    const refusal = page
      .getByRole('alert')
      .filter({ hasText: 'The budget “Search team” does not cover this' })
    const words = await refusal.innerText()
    expect(words).toMatch(/\$0\.17\d* of \$1\.00 a month on tag team:search left/)
    expect(words).toMatch(/this request may cost up to \$0\.4\d*\./)
    expect(words).toMatch(/It resets (in \d+ \w+|tomorrow|just now), at 1 \w+ \d{4}, 00:00 UTC\./)
    expect(await page.getByLabel('Message').inputValue()).toContain('usage=3000')
    await expectPage(page)
    // The page of the budget is only for members who may see all of it.
    expect(await refusal.getByRole('link').count()).toBe(0)
    const refused = await mail(/^The budget "Search team" is refusing requests/)
    expect(plainText(refused.body)).toMatch(
      /was not enough for a request that could cost up to 0\.4\d* USD\./,
    )
  })

  test("refuses a program's requests, too, and accepts those without the tag", async () => {
    const program = (tags: string[]): Promise<Response> =>
      fetch(`${node.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${raw}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'sandbox/dear',
          messages: [{ role: 'user', content: 'Find it [sandbox: pace=0 usage=500]' }],
          metadata: { tags },
        }),
      })
    const refused = await program(['team:search'])
    const { error } = (await refused.json()) as { error: { type: string; metadata: object } }
    expect([refused.status, error.type]).toEqual([402, 'insufficient_quota'])
    expect(error.metadata).toMatchObject({
      reason: 'budget',
      budget: { name: 'Search team', limit_usd: '1' },
    })
    expect((await program(['team:other'])).status).toBe(200)
  })

  test('leads from the email to the budget, whichever account the user acted for before', async () => {
    const page = await ada.context.newPage()
    await page.goto(node.origin)
    await page.getByRole('button', { name: /^Switch account, current:/ }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    await heading(page, 'Home')
    await follow(page, await mail(/^The budget "Search team" is refusing requests/))
    await heading(page, 'Search team')
    const text = await page.getByText('Counted by the budget since').innerText()
    const [, counted, ledger] = /: (\$[\d.,]+); according to the ledger: (\$[\d.,]+)\.$/.exec(text)!
    expect(counted).toMatch(/^\$0\.82/)
    expect(ledger).toBe(counted)
    await page.close()
  })

  test('leads by a link to another account, or says that the user does not belong to it', async () => {
    const page = await ada.context.newPage()
    const { data } = await node.admin<{ data: { id: string; email: string | null }[] }>('/accounts')
    const idOf = (address: string): string => data.find(({ email }) => email === address)!.id
    const acting = page.getByRole('button', { name: /^Switch account, current:/ })
    const expectActing = (words: string): Promise<void> =>
      expect.poll(() => acting.innerText(), patient).toContain(words)
    await page.goto(`${node.origin}/?act_for=${idOf('ada@example.com')}`)
    await expectActing('Your account')
    await follow(page, await mail(/^The budget "Search team" is refusing requests/))
    await expectActing('Acme')
    await page.goto(`${node.origin}/?act_for=acct_%0d%0ax-evil:1`)
    await expectActing('Acme')
    await page.goto(`${node.origin}/?act_for=${idOf('bob@example.com')}`)
    await page.getByText('You are no longer a member of that organization').waitFor()
    await expectActing('Your account')
    await press(page, 'Close the note')
    await page.close()
  })

  test('buys credit automatically and once when it falls below the set balance', async () => {
    const { page } = ada
    await page.goto(`${node.origin}/credit?show=automatic`)
    await page.getByRole('switch', { name: 'Buy credit automatically' }).click()
    await page.getByRole('textbox', { name: 'When the balance falls below' }).fill('9')
    await page.getByRole('textbox', { name: 'Charge', exact: true }).fill('20')
    await press(page, 'Save')
    await page.getByText('of at most $100.00').waitFor()
    await bob.page.goto(`${node.origin}/playground?model=sandbox/dear`)
    await ask(bob.page, 3_000)
    await answered(bob.page, 1)
    await page.getByText('$20.00 charged this month of at most $100.00').waitFor(patient)
    await expectPage(page)
    expect((await mail(/^Top-up of 20 USD/)).to).toEqual([alertsTo])
    await view(page, 'Top-ups')
    await row(page, /automatic/).waitFor()
    expect(await page.getByRole('region', { name: 'Top-ups' }).getByRole('row').count()).toBe(3)
  })

  test("leads from the playground to the top-up if the person's own account has no credit", async () => {
    const { page } = bob
    await page.getByRole('button', { name: /^Switch account, current:/ }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    await heading(page, 'Home')
    await page.goto(`${node.origin}/playground?model=sandbox/dear`)
    await ask(page, 1)
    await page.getByRole('alert').filter({ hasText: 'credit of 0 USD' }).waitFor()
    await expectPage(page)
    await go(page, 'Add credit')
    await heading(page, 'Credit')
  })

  test("has the same total by member, project and tag, and the tag's equals the budget’s", async () => {
    const { page } = ada
    const sums = new Set<string>()
    for (const by of ['member', 'project', 'tag']) {
      await page.goto(`${node.origin}/usage?by=${by}`)
      const table = page.getByRole('region', { name: `Usage by ${by}` })
      const all = table.getByRole('row', { name: /^Total/ })
      await all.waitFor()
      const [sum] = await amountsIn(all)
      sums.add(sum!)
      // Tags overlap: each has the cost of all its requests.
      if (by === 'tag') continue
      const parts = (await amountsIn(table.locator('tbody'))).map(picoOf)
      expect(
        parts.reduce((before, pico) => before + pico, 0n),
        by,
      ).toBe(picoOf(sum!))
    }
    expect(sums.size).toBe(1)
    const [tagged] = await amountsIn(row(page, 'team:search'))
    await go(page, 'Budgets')
    await row(page, 'Search team').waitFor()
    const [, spent] = await amountsIn(row(page, 'Search team'))
    expect(spent).toBe(tagged)
  })

  test('ends with books that balance, without anything charged twice', async () => {
    const { page } = ada
    const { data } = await node.admin<{ data: { id: string; email: string | null }[] }>('/accounts')
    const { id } = data.find(({ email }) => email === 'ada@example.com')!
    await node.admin(`/accounts/${id}`, { method: 'PATCH', body: { operator: true } })
    await page.goto(`${node.origin}/credit`)
    await row(page, /automatic/).waitFor()
    expect(await page.getByRole('region', { name: 'Top-ups' }).getByRole('row').count()).toBe(3)
    await page.getByRole('button', { name: /^Switch account, current:/ }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    await heading(page, 'Home')
    await go(page, 'Operator')
    await page.locator('label').getByText('Books', { exact: true }).click()
    await press(page, 'Verify ledger')
    await page.getByText('No differences').waitFor()
    const refused = (text: string): boolean => /status of (402|404)/.test(text)
    const complaints = [...ada.complaints, ...bob.complaints].filter((text) => !refused(text))
    expect([complaints, ada.elsewhere, bob.elsewhere]).toEqual([[], [], []])
  })
})

/** `$1,234.5` in pico-USD. */
function picoOf(amount: string): bigint {
  const [whole = '', part = ''] = amount.replaceAll(/[$,]/g, '').split('.')
  return BigInt(whole + part.padEnd(12, '0'))
}
