import { beforeAll, expect, test } from 'vitest'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { expectAccessible, expectPage, screen } from './accessible.ts'
import { openPlayground, type PlaygroundPage, type Sent } from './playground-page.ts'
import { dashboardOfSuite, describeInBrowser } from './suite.ts'
import type { Visitor } from './visitor.ts'

/** Invalidates this tab's access token and refresh token. */
const endSession = `
  for (const name of Object.keys(sessionStorage)) {
    if (!name.startsWith('oidc.user:')) continue
    const ended = { ...JSON.parse(sessionStorage.getItem(name)), expires_at: 1, refresh_token: 'none' }
    sessionStorage.setItem(name, JSON.stringify(ended))
  }`

/** A user with credit and without any key. The tests build on each other. */
describeInBrowser('the playground', { timeout: 120_000 }, () => {
  const openDashboard = dashboardOfSuite()
  let node: TestNode
  let visitor: Visitor
  let at: PlaygroundPage

  beforeAll(async () => {
    ;({ at, node, visitor } = await openPlayground(openDashboard))
  }, 120_000)

  const button = (name: string) => at.page.getByRole('button', { name, exact: true })
  test('is authorized by the session: no key is created, pasted or shown', async () => {
    const { page } = at
    await at.open()
    const sent = await at.ask('Hello there [sandbox: pace=0]')
    expect(sent).toMatchObject({ model: 'sandbox/full', stream: true, metadata: { tags: ['playground'] } })
    await at.answered(1)
    expect(await page.getByRole('log').textContent()).toMatch(/\$0\.0\d+/)
    expect(await page.content()).not.toContain('sk-turnpike')
    await page.goto(`${node.origin}/usage?by=key`)
    await page.getByRole('row', { name: /^Playground/ }).waitFor()
    await page.goto(`${node.origin}/keys`)
    await page.getByRole('button', { name: 'Create a key' }).first().waitFor()
    expect(await page.getByText('Playground', { exact: true }).count()).toBe(1)
  })

  test('offers the parameters that the model supports, and shows mistakes at the field', async () => {
    const { page } = at
    await at.open('?model=sandbox/plain')
    await page.getByLabel('Max tokens').waitFor()
    for (const label of ['Temperature', 'Top P', 'Seed', 'Reasoning', 'Response format', 'Service tier'])
      await expect.poll(() => page.getByLabel(label).count(), { message: label }).toBe(0)
    await at.open()
    await page.getByLabel('Temperature').fill('3')
    await page.getByText('Expected a number from 0 to 2.').waitFor()
    await page.getByLabel('Message').fill('Hello')
    expect(await button('Send').isDisabled()).toBe(true)
    await page.getByLabel('Temperature').fill('0.5')
    await page.getByLabel('Top P').fill('0.9')
    await page.getByLabel('Seed').fill('7')
    await page.getByLabel('Max tokens').fill('100')
    await page.getByLabel('Reasoning').selectOption('low')
    await page.getByLabel('Service tier').selectOption('priority')
    await page.getByLabel('System prompt').fill('Be brief.')
    await page.getByLabel('Stop sequences').click()
    await page.getByRole('combobox', { name: 'Stop sequences' }).fill('END')
    await page.keyboard.press('Enter')
    await page.getByLabel('Response format').selectOption('JSON with schema')
    await page.getByLabel('JSON Schema').fill('{"type": ')
    await page.getByText(/^Invalid JSON/).waitFor()
    await page.getByLabel('JSON Schema').fill('{"type":"object","properties":{"a":{"type":"string"}}}')
    const sent = await at.ask('As JSON [sandbox: pace=0]')
    expect(sent).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      max_completion_tokens: 100,
      reasoning_effort: 'low',
      service_tier: 'priority',
      stop: ['END'],
      response_format: { type: 'json_schema', json_schema: { name: 'answer' } },
    })
    expect(sent.messages[0]).toEqual({ role: 'system', content: 'Be brief.' })
    await at.answered(1)
  })

  test("shows the gateway's error at the field, and restores the question", async () => {
    const { page } = at
    await at.open()
    await page.route('**/api/v1/playground/**', (route) =>
      route.fulfill({
        status: 400,
        json: {
          error: {
            message: '`temperature`: expected 1.',
            type: 'invalid_request_error',
            code: 400,
            param: 'temperature',
            request_id: 'req_1',
          },
        },
      }),
    )
    await at.ask('What?')
    await page.getByText('Expected 1.', { exact: true }).waitFor()
    expect(await page.getByLabel('Message').inputValue()).toBe('What?')
    await page.unrouteAll({ behavior: 'wait' })
    expect(await page.getByRole('log').count()).toBe(0)
  })

  test('shows a tool call, and sends the typed text as its result', async () => {
    const { page } = at
    await at.open()
    await button('Add tools').click()
    await page.getByLabel('Tools', { exact: true }).fill('[{"name": "bad name"}]')
    await page.getByText(/^Tool 1: `name`/).waitFor()
    const tools = [
      { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
    ]
    await page.getByLabel('Tools', { exact: true }).fill(JSON.stringify(tools))
    await page.getByLabel('Tool choice').selectOption('get_weather')
    const sent = await at.ask('Weather? [sandbox: pace=0 tool=get_weather]')
    expect(sent).toMatchObject({
      tools: [{ type: 'function', function: { name: 'get_weather' } }],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    })
    await page.getByText('Send its result first').waitFor()
    expect(await page.getByRole('group', { name: 'Arguments of get_weather' }).textContent()).toContain(
      'city',
    )
    await page.getByLabel('Result of get_weather').fill('{"degrees": 21}')
    const again = page.waitForRequest('**/playground/chat/completions')
    await button('Send the result').click()
    const { messages, ...rest } = (await again).postDataJSON() as Sent
    expect(messages.at(-2)).toMatchObject({
      role: 'assistant',
      tool_calls: [{ function: { name: 'get_weather' } }],
    })
    expect(messages.at(-1)).toMatchObject({ role: 'tool', content: '{"degrees": 21}' })
    // Required again, the model would call a tool forever.
    expect(rest).not.toHaveProperty('tool_choice')
    await at.answered(2)
    expect(await page.getByRole('log').textContent()).toContain('{"degrees": 21}')
  })

  test("collapses the model's reasoning", async () => {
    const { page } = at
    await at.open()
    await at.ask('Think [sandbox: pace=0 reasoning=30]')
    await at.answered(1)
    const thoughts = page.getByRole('group').filter({ hasText: 'Thought for 30 tokens' })
    expect(await thoughts.locator('p').isVisible()).toBe(false)
    await page.getByText('Thought for 30 tokens').click()
    expect(await thoughts.locator('p').isVisible()).toBe(true)
  })

  test('sends a question to two models, each with its own parameters and answers', async () => {
    const { page } = at
    await at.open('?model=sandbox/full&with=sandbox/plain')
    await page.getByLabel('Temperature').fill('0.5')
    await page.getByText('sandbox/plain does not support: temperature. These are left out.').waitFor()
    const bodies: Sent[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/playground/chat/completions')) bodies.push(request.postDataJSON() as Sent)
    })
    await at.ask('Both [sandbox: pace=0]')
    await at.answered(2)
    await at.ask('Again [sandbox: pace=0]')
    await at.answered(4)
    const models = bodies.map(({ model, temperature }) => [String(model), temperature])
    expect(models.toSorted(([left], [right]) => (left! < right! ? -1 : 1))).toEqual([
      ['sandbox/full', 0.5],
      ['sandbox/full', 0.5],
      ['sandbox/plain', undefined],
      ['sandbox/plain', undefined],
    ])
    for (const { messages } of bodies.slice(2))
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(await page.getByText(/^This conversation: \$0\.0\d+/).count()).toBe(1)
    await page.getByRole('button', { name: 'Remove the second model' }).click()
    await page.waitForURL(/model=sandbox%2Ffull$/)
  })

  test.each([
    ['after it began', 'pace=20/s'],
    ['before its first token', 'delay=20s'],
  ])('shows the cost of an answer that was stopped %s', async (when, knob) => {
    const { page } = at
    // For a model with hidden reasoning, the gateway would first read the answer to its end.
    await at.open('?model=sandbox/plain')
    await at.ask(`Count [sandbox: ${knob} tokens=3000]`)
    if (when === 'after it began')
      await expect.poll(() => page.getByRole('log').textContent(), { timeout: 10_000 }).toMatch(/first token/)
    else await page.getByLabel('The model is answering').waitFor()
    await button('Stop the answer').click()
    await page.getByText('stopped', { exact: true }).waitFor()
    await page.getByText(/\(estimated\)$/).waitFor()
    const text = (await page.getByRole('log').textContent())!
    const [, cost] = /\$(0\.\d+)/.exec(text) ?? []
    expect(Number(cost)).toBeGreaterThan(0)
    const { data } = await node.admin<{ data: { outcome: string; cost_usd: string }[] }>(
      '/usage/requests?limit=1',
    )
    expect(data[0]).toMatchObject({ outcome: 'client_closed', cost_usd: cost })
    await page.getByRole('link', { name: 'Details' }).waitFor()
  })

  test('stores conversations only in the browser, to be reopened, continued and deleted', async () => {
    const { page } = at
    await at.open()
    await at.ask('Remember the heron [sandbox: pace=0]')
    await at.answered(1)
    await page.reload()
    await page.getByText('Ask something').waitFor()
    await button('History').click()
    await page.getByRole('button', { name: /^Remember the heron/ }).click()
    await at.answered(1)
    const { messages } = await at.ask('And now? [sandbox: pace=0]')
    expect(messages[0]).toMatchObject({ content: 'Remember the heron [sandbox: pace=0]' })
    await at.answered(2)
    await button('History').click()
    const entries = page.getByRole('dialog').getByRole('listitem')
    await entries.first().waitFor()
    const before = await entries.count()
    await page.getByRole('button', { name: /^Delete “Remember the heron/ }).click()
    await expect.poll(() => entries.count()).toBe(before - 1)
    await button('Delete all').click()
    await page.getByRole('button', { name: /^Delete all \d/ }).click()
    await expect.poll(() => entries.count()).toBe(0)
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain('heron')
    await page.keyboard.press('Escape')
  })

  test('shows the request to each model as code', async () => {
    const { page } = at
    await at.open('?model=sandbox/full&with=sandbox/plain')
    await page.getByLabel('Temperature').fill('0.25')
    await button('Code').click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('region', { name: 'Chat completions in curl' }).textContent()).toContain(
      '0.25',
    )
    await dialog.getByLabel('Model').selectOption('sandbox/plain')
    for (const api of ['Chat completions', 'Messages', 'Responses', 'Gemini']) {
      await dialog.getByLabel('API').selectOption(api)
      for (const language of ['curl', 'Python', 'TypeScript']) {
        await dialog.getByRole('tab', { name: language }).click()
        const code = await dialog.getByRole('region', { name: `${api} in ${language}` }).textContent()
        expect(code, `${api} in ${language}`).toContain('sandbox/plain')
        expect(code).toContain('TURNPIKE_API_KEY')
        expect(code).not.toContain('0.25')
      }
    }
    await page.keyboard.press('Escape')
  })

  test('keeps the composer in view, however long the conversation is', async () => {
    const { page } = at
    await at.open()
    await at.ask('Long [sandbox: pace=0 tokens=3000]')
    await at.answered(1)
    for (const position of ['0', 'document.documentElement.scrollHeight'])
      for (const { width, height } of [screen, { width: 375, height: 740 }]) {
        await page.setViewportSize({ width, height })
        await page.evaluate(`scrollTo(0, ${position})`)
        const box = (await page.getByLabel('Message').boundingBox())!
        expect(box.y).toBeGreaterThan(0)
        expect(box.y + box.height).toBeLessThanOrEqual(height)
      }
    await page.setViewportSize(screen)
  })

  test('restores a question after a sign-in, if the session ended before it was sent', async () => {
    const { page } = at
    await at.open()
    await page.waitForLoadState('networkidle')
    await page.getByLabel('Message').fill('What was I about to ask? [sandbox: pace=0]')
    // Last, because any other request of the page would notice the end of the session as well.
    await page.evaluate(endSession)
    await page.keyboard.press('Enter')
    await expect
      .poll(
        () =>
          page
            .getByLabel('Message')
            .inputValue()
            .catch(() => ''),
        { timeout: 20_000 },
      )
      .toMatch(/^What was I/)
    expect(new URL(page.url()).pathname).toBe('/playground')
    expect(await page.evaluate('sessionStorage.getItem("turnpike.playground.draft")')).toBeNull()
  })

  test('leads to the sign-in if the session has ended, and sends no question', async () => {
    const { page, context } = { ...at, context: visitor.context }
    await at.open()
    await page.getByLabel('Message').fill('Nobody else shall read it')
    const other = await context.newPage()
    await other.goto(`${node.origin}/keys`)
    await other.getByRole('button', { name: 'Account menu' }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in or create an account' }).waitFor()
    await other.close()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(
      /access_token|refresh_token|Nobody else/,
    )
  })

  test('causes no browser error, and sends no request to other origins', () => {
    expect(visitor.elsewhere).toEqual([])
    expect(visitor.complaints.filter((one) => !/40[01] \(/.test(one))).toEqual([])
  })
})

describeInBrowser('the accessible playground', { timeout: 90_000 }, () => {
  const openDashboard = dashboardOfSuite()

  test('is accessible in both themes, and fits a phone', async () => {
    const { at } = await openPlayground(openDashboard, { bypassCSP: true })
    await at.open('?model=sandbox/full&with=sandbox/plain')
    await at.page.getByRole('button', { name: 'Add tools' }).click()
    const code =
      '```python\nimport os\nx = f"{os}" + str(42)  # note\n```\n\n- [ ] a\n\n|a|b|\n|---|---|\n| 1 | 2 |'
    await at.ask(`# Head\n\n[link](https://example.com) \`code\` [sandbox: pace=0]\n\n${code}`)
    await at.answered(2)
    await at.page.locator('.hljs-keyword').first().waitFor()
    await expectPage(at.page)
    await at.ask('Weather? [sandbox: pace=0 tool=get_weather reasoning=9]')
    await at.page.getByRole('button', { name: 'Send the result' }).first().waitFor()
    await expectAccessible(at.page)
  })
})
