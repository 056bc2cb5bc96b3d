import type {
  BlockDelta,
  BlockEnd,
  BlockStart,
  FinishPart,
  GatewayError,
  StreamPart,
  Usage,
} from '@turnpike/protocol'
import { addAside } from '../../answers/asides.ts'
import { frameText, textFrame, type TextFrame } from '../../answers/text-frame.ts'
import type { BridgeHead, Cost } from '../../bridge.ts'
import type { StreamEncoder } from '../../caller.ts'
import { asBytes } from '../../sse/parser.ts'
import { ownMembers } from './asides.ts'
import { formatError } from './errors.ts'
import { formatFinishReason } from './finish-reason.ts'
import { serverSentEvents, type Framing } from './framing.ts'
import { functionCall } from './function-call.ts'
import { formatProofs, type ProvenThought } from './reasoning-proof.ts'
import { formatUsage } from './usage.ts'

type Json = Record<string, unknown>

interface Block {
  start: BlockStart
  /** The arguments of a call, or the proof of a thought. */
  text: string
  over: boolean
  /** The parts of this block's answers around the text, once one was written. */
  frame: TextFrame | undefined
}

/** One candidate of the answer. */
interface Candidate {
  blocks: Map<number, Block>
  /** Thoughts whose proof is sent with the next part: clients send that part back, but not the thoughts. */
  proven: ProvenThought[]
  finish: FinishPart | undefined
  asides: Json
}

/**
 * Encodes parts as the answers of Google's streams, each with what is new
 * (https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent). A call is sent once its
 * arguments are complete. The last answer has each candidate's finish reason, and the usage.
 */
export class GenerateEncoder implements StreamEncoder {
  readonly #head: BridgeHead
  readonly #framing: Framing
  readonly #candidates = new Map<number, Candidate>()
  #id: string | undefined
  /** What follows the candidates in each answer: our model, and the answer's id. */
  #heading: string | undefined

  constructor(head: BridgeHead, framing: Framing = serverSentEvents) {
    this.#head = head
    this.#framing = framing
  }

  write(part: StreamPart): string {
    switch (part.type) {
      case 'response-start':
        this.#id = part.id
        return ''
      case 'block-start':
        this.#start(part)
        return ''
      case 'block-delta':
        return this.#delta(part)
      case 'block-end':
        return this.#end(part, this.#candidate(part.choice).blocks.get(part.block)!)
      case 'finish':
        return this.#finish(part)
      case 'usage':
      case 'error':
        return ''
    }
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    const candidates = [...this.#candidates].map(([index, one]) => lastOf(index, one))
    const json = JSON.stringify(candidates)
    const counted = usage === undefined ? '' : `,"usageMetadata":${JSON.stringify(formatUsage(usage, cost))}`
    return this.#framing.frame(this.#withHead(`{"candidates":${json}${counted}`)) + this.#framing.end()
  }

  failing(error: GatewayError, requestId: string): string {
    const json = asBytes(JSON.stringify(formatError(error, requestId)))
    return this.#framing.frame(json) + this.#framing.end()
  }

  #candidate(index: number): Candidate {
    let candidate = this.#candidates.get(index)
    if (candidate === undefined) {
      candidate = { blocks: new Map(), proven: [], finish: undefined, asides: {} }
      this.#candidates.set(index, candidate)
    }
    return candidate
  }

  #start(start: BlockStart): void {
    this.#candidate(start.choice).blocks.set(start.block, { start, text: '', over: false, frame: undefined })
  }

  #delta({ choice, block: number, text, value }: BlockDelta): string {
    const candidate = this.#candidate(choice)
    const block = candidate.blocks.get(number)!
    switch (block.start.kind) {
      case 'text':
      case 'refusal':
        if (text === '') return ''
        // The proof of thoughts before a text is sent with the text's first piece.
        return candidate.proven.length > 0 ? this.#writePart(choice, { text }) : this.#piece(block, text)
      case 'reasoning':
        block.text += text
        return text === '' || this.#head.reasoningHidden === true ? '' : this.#piece(block, text)
      case 'tool-call':
        block.text += text
        return ''
      case 'raw':
        if (value !== undefined) addAside(candidate.asides, ownMembers, block.start.name, value)
        return ''
    }
  }

  #end({ choice, signature, encrypted }: Partial<BlockEnd> & { choice: number }, block: Block): string {
    if (block.over) return ''
    block.over = true
    const { start, text } = block
    if (start.kind === 'tool-call') return this.#writePart(choice, functionCall(start.toolCall, text))
    if (start.kind !== 'reasoning') return ''
    const end = {
      ...(signature === undefined ? {} : { signature }),
      ...(encrypted === undefined ? {} : { encrypted }),
    }
    this.#candidate(choice).proven.push({ head: start.reasoning, end, text })
    return ''
  }

  #finish(part: FinishPart): string {
    const candidate = this.#candidate(part.choice)
    candidate.finish ??= part
    let text = ''
    for (const block of candidate.blocks.values()) text += this.#end({ choice: part.choice }, block)
    return text
  }

  /** A part that clients send back. It has the proof of the thoughts before it. */
  #writePart(choice: number, part: Json): string {
    return this.#answer(choice, { ...part, ...takeSignature(this.#candidate(choice)) })
  }

  /** A piece of a text, or of a thought. */
  #piece(block: Block, text: string): string {
    const { kind, choice } = block.start
    const thought = kind === 'reasoning' ? { thought: true } : {}
    block.frame ??= textFrame((piece) => this.#withPart(choice, { text: piece, ...thought }))
    return this.#framing.frame(frameText(block.frame, text))
  }

  #answer(index: number, part: Json): string {
    return this.#framing.frame(this.#withPart(index, part))
  }

  #withPart(index: number, part: Json): string {
    const parts = JSON.stringify(part)
    return this.#withHead(`{"candidates":[{"content":{"parts":[${parts}],"role":"model"},"index":${index}}]`)
  }

  /**
   * An answer, latin1.
   * @param answer its JSON without the members that every answer has, and without its end
   */
  #withHead(answer: string): string {
    this.#heading ??= headingOf(this.#head.model, this.#id ?? this.#head.id)
    return asBytes(answer + this.#heading)
  }
}

/** Our model and the answer's id: the last members of each answer in a stream, with the closing brace. */
export function headingOf(modelVersion: string, responseId: unknown): string {
  return `,${JSON.stringify({ modelVersion, responseId }).slice(1)}`
}

function takeSignature(candidate: Candidate): { thoughtSignature?: string } {
  if (candidate.proven.length === 0) return {}
  const thoughtSignature = formatProofs(candidate.proven)
  candidate.proven = []
  return thoughtSignature === '' ? {} : { thoughtSignature }
}

/** A candidate's last answer, with content that has no part of its own. */
function lastOf(index: number, candidate: Candidate): Json {
  const { finish, asides } = candidate
  const part = { text: '', ...takeSignature(candidate) }
  const finishReason = formatFinishReason(finish?.reason ?? 'stop')
  return { ...asides, content: { parts: [part], role: 'model' }, finishReason, index }
}
