import type { BlockDelta, BlockEnd, BlockStart } from '@turnpike/protocol'
import { parseJson } from '../json/parse-json.ts'

/** Writes the events of the open block, if a format's blocks follow each other. Text is complete events. */
export interface BlockWriter {
  writeStart(start: BlockStart): string
  writeDelta(part: BlockDelta): string
  writeEnd(end: BlockEnd): string
}

interface Queued {
  start: BlockStart
  isOpen: boolean
  /** A function call's arguments so far, to know when they are complete. */
  arguments: string
  /** Deltas that arrived while another block was open. */
  waiting: BlockDelta[]
  end: BlockEnd | undefined
}

/** Puts the blocks of one choice into sequence, since vendors interleave calls. Only one is open. */
export class BlockQueue {
  readonly #writer: BlockWriter
  readonly #blocks = new Map<number, Queued>()
  /** Blocks that have not ended. The first one is open. */
  readonly #queue: Queued[] = []

  constructor(writer: BlockWriter) {
    this.#writer = writer
  }

  start(start: BlockStart): string {
    const block: Queued = { start, isOpen: false, arguments: '', waiting: [], end: undefined }
    this.#blocks.set(start.block, block)
    const before = this.#queue[0]
    this.#queue.push(block)
    // Many vendors end all calls with the answer: a complete call ends when the next one begins.
    if (before !== undefined && isWhole(before)) before.end ??= endOf(before)
    return before === undefined || before.end !== undefined ? this.#advance() : ''
  }

  delta(part: BlockDelta): string {
    const block = this.#blocks.get(part.block)!
    if (block === this.#queue[0]) return this.#writeDelta(block, part)
    if (block.end === undefined) block.waiting.push(part)
    return ''
  }

  end(part: BlockEnd): string {
    const block = this.#blocks.get(part.block)!
    block.end ??= part
    return block === this.#queue[0] ? this.#advance() : ''
  }

  endAll(): string {
    for (const block of this.#queue) block.end ??= endOf(block)
    return this.#advance()
  }

  #writeDelta(block: Queued, part: BlockDelta): string {
    if (block.start.kind === 'tool-call') block.arguments += part.text
    return this.#writer.writeDelta(part)
  }

  /** Writes all blocks that have ended, and opens the next one. */
  #advance(): string {
    let events = ''
    for (let block = this.#queue[0]; block !== undefined; block = this.#queue[0]) {
      if (!block.isOpen) events += this.#writer.writeStart(block.start)
      block.isOpen = true
      for (const part of block.waiting) events += this.#writeDelta(block, part)
      block.waiting = []
      if (block.end === undefined) break
      events += this.#writer.writeEnd(block.end)
      this.#queue.shift()
    }
    return events
  }
}

function endOf({ start: { choice, block } }: Queued): BlockEnd {
  return { type: 'block-end', choice, block }
}

function isWhole({ start: { kind, toolCall }, arguments: text }: Queued): boolean {
  return kind === 'tool-call' && toolCall?.variant !== 'custom' && parseJson(text) !== undefined
}
