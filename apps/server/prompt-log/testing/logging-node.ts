import { randomBytes } from 'node:crypto'
import { PromptLog, type LogEntry } from '@turnpike/gateway'
import type { NodeDatabase } from '../../../../tests/nodes/databases.ts'
import { startTestNode, type TestKey, type TestNode } from '../../../../tests/nodes/test-node.ts'
import type { ConfigurationInput } from '../../configuration/schema/schema.ts'

const quiet = { warn: () => undefined, error: () => undefined }

/** A gateway in front of the sandbox, whose keys have their prompts kept. */
export class LoggingNode {
  readonly node: TestNode
  readonly #encryptionKey: string
  readonly #drop: () => Promise<void>

  constructor(node: TestNode, encryptionKey: string, drop: () => Promise<void>) {
    this.node = node
    this.#encryptionKey = encryptionKey
    this.#drop = drop
  }

  static async start(
    create: NodeDatabase['create'],
    settings: NonNullable<ConfigurationInput['prompt_log']> = {},
    input: ConfigurationInput = {},
  ): Promise<LoggingNode> {
    const { url, drop } = await create()
    const key = randomBytes(32).toString('base64')
    const node = await startTestNode({
      ...(url === undefined ? {} : { databaseUrl: url }),
      input: { ...input, prompt_log: { encryption_keys: [key], ...settings } },
    })
    return new LoggingNode(node, key, drop)
  }

  /** A key with credit, of an account that keeps prompts. */
  async loggedKey(): Promise<TestKey> {
    const key = await this.node.createKey()
    await this.node.storage.accounts.update(key.accountId, { logPrompts: true })
    return key
  }

  /** Calls a model at any of the gateway's paths, and returns its response and its log entry. */
  async ask(
    key: TestKey,
    path: string,
    body: unknown,
    signal?: AbortSignal,
  ): Promise<{ id: string; status: number; text: string; entry: LogEntry | undefined }> {
    const response = await fetch(`${this.node.origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.raw}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await response.text().catch(() => '(cut)')
    const id = response.headers.get('x-request-id')!
    return { id, status: response.status, text, entry: await this.entry(key, id) }
  }

  /** The log entry of a request; undefined if none was written in time. */
  async entry({ accountId }: TestKey, id: string): Promise<LogEntry | undefined> {
    const reader = this.#reader()
    try {
      for (let looks = 0; looks < 60; looks++) {
        const found = await reader.find(accountId, id)
        if (found !== undefined) return found.entry as LogEntry
        if ((await this.ended()) && looks > 5) return undefined
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return undefined
    } finally {
      await reader.close()
    }
  }

  /** Whether nothing is pending. */
  async ended(): Promise<boolean> {
    return /^turnpike_prompt_log_waiting_bytes 0$/m.test(await (await this.node.metrics()).text())
  }

  async counted(result: string): Promise<number> {
    const text = await (await this.node.metrics()).text()
    return Number(
      new RegExp(`^turnpike_prompt_log_total\\{result="${result}"\\} (\\d+)$`, 'm').exec(text)?.[1],
    )
  }

  async stop(): Promise<void> {
    await this.node.stop()
    await this.#drop()
  }

  #reader(): PromptLog {
    const settings = {
      encryptionKeys: [Buffer.from(this.#encryptionKey, 'base64')],
      days: { usual: 7, most: 30 },
      maxBytes: 256 * 1024,
      maxAccountBytes: 1024 ** 3,
      patterns: [],
    }
    return new PromptLog(this.node.storage.promptLogs, settings, quiet)
  }
}
