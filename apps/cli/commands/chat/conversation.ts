import type { Interface } from 'node:readline'
import { decimalUnits, dollars, type Message } from '@turnpike/api'
import { complete } from '../../api/completion.ts'
import type { Context } from '../../context.ts'
import { failureOf } from '../../failure.ts'
import { failureLines } from '../../output/failure-lines.ts'
import type { Result } from '../../output/result.ts'
import { harmless, oneLine } from '../../terminal/text-width.ts'
import { turnFacts, type ChatSettings } from './turn.ts'

/** Lines that arrive faster than anyone types were pasted, and are one message. */
const pasteMs = 15

interface Conversation {
  context: Context
  settings: ChatSettings
  messages: Message[]
  costUnits: bigint
  turns: number
}

/** A conversation at the terminal, until its user ends it. A turn that fails does not end it. */
export async function converse(context: Context, settings: ChatSettings): Promise<Result> {
  const { output } = context
  const { bold, dim } = output.messages.style
  const conversation: Conversation = { context, settings, messages: [], costUnits: 0n, turns: 0 }
  output.say(
    `Chatting with ${bold(oneLine(settings.model))}. ${dim('/help lists commands, Ctrl-D quits.')}\n`,
  )
  const { createInterface } = await import('node:readline')
  const reader = createInterface({ input: context.input, output: output.prompts, historySize: 1000 })
  const lines = new MessageReader(reader, output.messages.style.cyan('› '), output.prompts)
  try {
    for (let text = await lines.next(); text !== undefined; text = await lines.next()) {
      if (text.trim() === '') continue
      if (!text.startsWith('/')) await turn(conversation, text, reader)
      else if (obey(conversation, text.trim()) === 'end') break
    }
  } finally {
    reader.close()
  }
  if (conversation.turns > 0) {
    const cost = dollars(fromUnits(conversation.costUnits))
    output.say(dim(`${conversation.turns} ${conversation.turns === 1 ? 'turn' : 'turns'}, ${cost}`))
  }
  return undefined
}

/** Reads the user's input, message by message. */
class MessageReader {
  readonly #reader: Interface
  readonly #prompts: NodeJS.WritableStream
  readonly #lines: string[] = []
  #ended = false
  #notify: (() => void) | undefined

  constructor(reader: Interface, prompt: string, prompts: NodeJS.WritableStream) {
    this.#reader = reader
    this.#prompts = prompts
    reader.setPrompt(prompt)
    reader.on('line', (line) => {
      this.#lines.push(line)
      this.#notify?.()
    })
    // Ctrl-C at the prompt ends the conversation, like Ctrl-D.
    reader.on('SIGINT', () => reader.close())
    reader.on('close', () => {
      this.#ended = true
      this.#notify?.()
    })
  }

  /** Undefined at the end. */
  async next(): Promise<string | undefined> {
    if (!this.#ended && this.#lines.length === 0) this.#reader.prompt()
    while (this.#lines.length === 0) {
      if (this.#ended) {
        // Ctrl-D leaves the cursor after the prompt.
        this.#prompts.write('\n')
        return undefined
      }
      await new Promise<void>((resolve) => (this.#notify = resolve))
    }
    let count = 0
    while (count < this.#lines.length) {
      count = this.#lines.length
      await new Promise((resolve) => setTimeout(resolve, pasteMs))
    }
    return this.#lines.splice(0).join('\n')
  }
}

async function turn(conversation: Conversation, content: string, reader: Interface): Promise<void> {
  const { context, settings, messages } = conversation
  const { output } = context
  const system = settings.system === undefined ? [] : [{ role: 'system' as const, content: settings.system }]
  const question: Message = { role: 'user', content }
  const leave = new AbortController()
  const interrupt = (): void => leave.abort()
  reader.removeAllListeners('SIGINT')
  reader.on('SIGINT', interrupt)
  const progress = output.progress('')
  let isEmpty = true
  const onText = (piece: string): void => {
    progress.stop()
    isEmpty = false
    output.write(harmless(piece))
  }
  const request = {
    model: settings.model,
    messages: [...system, ...messages, question],
    tags: settings.tags,
    ...(settings.maxTokens !== undefined && { maxTokens: settings.maxTokens }),
  }
  try {
    const completion = await complete(context, settings.apiKey, request, onText, leave.signal)
    progress.stop()
    output.write(isEmpty ? '' : '\n')
    output.say(`${turnFacts(completion, output.messages.style)}\n`)
    messages.push(question, { role: 'assistant', content: completion.content })
    conversation.costUnits += decimalUnits(completion.costUsd ?? '0')
    conversation.turns++
  } catch (error) {
    progress.stop()
    context.signal.throwIfAborted()
    output.write(isEmpty ? '' : '\n')
    // An unanswered message is not part of the conversation, and can be sent again.
    if (leave.signal.aborted) output.say(output.messages.style.dim('Stopped. Your question was discarded.\n'))
    else {
      for (const line of failureLines(failureOf(error), output.messages)) output.say(line)
      output.say('')
    }
  } finally {
    reader.removeListener('SIGINT', interrupt)
    reader.on('SIGINT', () => reader.close())
  }
}

const commandList = [
  ['/model <id>', 'continue with another model'],
  ['/new', 'start over'],
  ['/exit', 'end'],
]

function obey(conversation: Conversation, line: string): 'end' | 'go on' {
  const { context, settings, messages } = conversation
  const { output } = context
  const [name, ...words] = line.split(/\s+/)
  switch (name) {
    case '/exit':
    case '/quit':
      return 'end'
    case '/new':
      messages.length = 0
      output.say(output.messages.style.dim('New conversation.\n'))
      break
    case '/model':
      if (words[0] !== undefined) settings.model = words[0]
      output.say(`${output.messages.style.dim('Model:')} ${oneLine(settings.model)}\n`)
      break
    default:
      if (name !== '/help') output.say(`Unknown command ${oneLine(line)}.`)
      for (const [sign, what] of commandList) output.say(`  ${sign!.padEnd(12)} ${what}`)
      output.say('')
  }
  return 'go on'
}

function fromUnits(units: bigint): string {
  const digits = units.toString().padStart(19, '0')
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '')
}
