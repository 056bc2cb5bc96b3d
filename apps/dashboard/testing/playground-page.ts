import type { Page, Request } from 'playwright-core'
import type { TestNode } from '../../../tests/nodes/test-node.ts'
import { startTestNode } from '../../../tests/nodes/test-node.ts'

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

/** Starts the sandbox with one model that supports everything, and one that supports little. */
export function startPlaygroundNode(): Promise<TestNode> {
  const common = {
    context_length: 400_000,
    max_output_tokens: 200_000,
    upstreams: [{ provider: 'sandbox', model: 'echo' }],
  }
  return startTestNode({
    input: {
      server: { port: 0 },
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
    },
  })
}

export function playgroundPage(page: Page, node: TestNode): PlaygroundPage {
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
