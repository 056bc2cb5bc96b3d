import type { Page, Request } from 'playwright-core'
import type { TestNode, TestNodeOptions } from '../../../tests/nodes/test-node.ts'
import type { dashboardOfSuite } from './suite.ts'
import { operatorAccount, signUp, type Visitor } from './visitor.ts'

/** The playground, driven like a user would. */
export interface PlaygroundPage {
  page: Page
  open: (search?: string) => Promise<void>
  /** Sends a question, and returns the body of the browser's request. */
  ask: (text: string) => Promise<Sent>
  /** Waits until this many answers are complete. */
  answered: (count: number) => Promise<void>
}

/** The body of a request of the playground. */
export type Sent = Record<string, unknown> & { messages: { role: string; content: unknown }[] }

export const askPath = '/api/v1/playground/chat/completions'

const common = {
  context_length: 400_000,
  max_output_tokens: 200_000,
  upstreams: [{ provider: 'sandbox', model: 'echo' }],
}

/** The sandbox with one model that supports everything, and one that supports little. */
const input: NonNullable<TestNodeOptions['input']> = {
  models: {
    'sandbox/full': {
      ...common,
      pricing: {
        prompt: '0.000001',
        completion: '0.000002',
        service_tiers: { priority: { prompt: '0.000002', completion: '0.000004' } },
      },
      modalities: { input: ['text', 'image', 'file'], output: ['text'] },
      supported_parameters: [
        'max_tokens',
        'reasoning',
        'response_format',
        'seed',
        'stop',
        'temperature',
        'tool_choice',
        'tools',
        'top_p',
      ],
    },
    'sandbox/plain': {
      ...common,
      pricing: { prompt: '0.000001', completion: '0.000002' },
      supported_parameters: ['max_tokens'],
    },
  },
}

/** Opens the playground of a new user with 25 USD of credit. */
export async function openPlayground(
  openDashboard: ReturnType<typeof dashboardOfSuite>,
  options?: Parameters<typeof openDashboard>[0],
): Promise<{ at: PlaygroundPage; node: TestNode; visitor: Visitor; accountId: string }> {
  const { node, visitor } = await openDashboard(options, input)
  await signUp(visitor, node, 'ada@example.com')
  const accountId = await operatorAccount(node)
  const body = { amount_usd: '25', kind: 'grant', reason: 'test' }
  await node.admin(`/accounts/${accountId}/credits`, { method: 'POST', body })
  return { at: playgroundPage(visitor.page, node), node, visitor, accountId }
}

function playgroundPage(page: Page, node: TestNode): PlaygroundPage {
  const isAsking = (request: Request): boolean => new URL(request.url()).pathname === askPath
  return {
    page,
    async open(search = '?model=sandbox/full') {
      await page.goto(`${node.origin}/playground${search}`)
      await page.getByLabel('Message').waitFor()
    },
    async ask(text) {
      const sent = page.waitForRequest(isAsking)
      await page.getByLabel('Message').fill(text)
      await page.keyboard.press('Enter')
      return (await sent).postDataJSON() as Sent
    },
    async answered(count) {
      await page
        .getByRole('link', { name: 'Details' })
        .nth(count - 1)
        .waitFor()
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    },
  }
}
