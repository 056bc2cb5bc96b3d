import { invalidRequest } from '@turnpike/protocol'

/** A block of a turn in a vendor format's own form. */
export type TurnBlock = Record<string, unknown>

/**
 * One side's turn, for formats in which sides alternate, grouped by required order: an assistant's thinking
 * first and its calls last, a user's tool results before everything else
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls).
 */
export interface Turn {
  role: 'user' | 'assistant' | 'system'
  thinking: TurnBlock[]
  results: ToolResult[]
  content: TurnBlock[]
  calls: ToolCall[]
}

/** A call or result may consist of several blocks: what belongs to it follows it. */
export interface ToolCall {
  blocks: TurnBlock[]
  /** The id that the vendor gets. */
  id: string
}

export interface ToolResult extends ToolCall {
  /** The caller's path to the id of the call that it answers. */
  path: string
}

/** What to write, in a format's own form, where a conversation lacks something. */
export interface TurnWords {
  text(text: string): TurnBlock
  /** Replaces a result that the caller did not send. */
  missingResult(id: string): TurnBlock
}

export function turnOf(role: Turn['role'], parts: Partial<Turn> = {}): Turn {
  return { thinking: [], results: [], content: [], calls: [], ...parts, role }
}

export function isEmptyTurn({ thinking, results, content, calls }: Turn): boolean {
  return thinking.length + results.length + content.length + calls.length === 0
}

/** All of a turn's blocks, in the required order. */
export function blocksOf({ thinking, results, content, calls }: Turn): TurnBlock[] {
  const blocksOfCall = ({ blocks }: ToolCall): TurnBlock[] => blocks
  return [...thinking, ...results.flatMap(blocksOfCall), ...content, ...calls.flatMap(blocksOfCall)]
}

/** A model answers only after a user's turn, and older endpoints require the user to begin. */
const openingText = '(The conversation begins.)'

/**
 * Makes turns alternate: consecutive turns of one side are merged, and each call gets a result.
 * @throws {GatewayError} 400 for a result whose call was not made right before, or already has one
 */
export function alternatingTurns(turns: readonly Turn[], words: TurnWords): Turn[] {
  const merged: Turn[] = []
  for (const turn of turns) {
    const before = merged.at(-1)
    if (before?.role === turn.role) append(before, turn)
    else merged.push({ ...turn })
  }
  if (merged[0]?.role === 'assistant') {
    merged.unshift(turnOf('user', { content: [words.text(openingText)] }))
  }
  return answerOpenCalls(merged, words)
}

function append(turn: Turn, more: Turn): void {
  turn.thinking = [...turn.thinking, ...more.thinking]
  turn.results = [...turn.results, ...more.results]
  turn.content = [...turn.content, ...more.content]
  turn.calls = [...turn.calls, ...more.calls]
}

function answerOpenCalls(turns: readonly Turn[], words: TurnWords): Turn[] {
  const answered: Turn[] = []
  let open = new Set<string>()
  for (const turn of turns) {
    if (turn.role !== 'user' && open.size > 0)
      answered.push(turnOf('user', { results: missing(open, words) }))
    if (turn.role === 'user') {
      for (const { id, path } of turn.results) {
        if (!open.delete(id))
          throw invalidRequest(path, `${path}: expected the id of a tool call of the previous turn.`)
      }
      answered.push({ ...turn, results: [...turn.results, ...missing(open, words)] })
    } else answered.push(turn)
    open = new Set(turn.calls.map(({ id }) => id))
  }
  if (open.size > 0) answered.push(turnOf('user', { results: missing(open, words) }))
  return answered
}

function missing(open: ReadonlySet<string>, words: TurnWords): ToolResult[] {
  return [...open].map((id) => ({ blocks: [words.missingResult(id)], id, path: '' }))
}

/** Sent as a call's result if there is none, so that a conversation which broke off can continue. */
export const missingResultText = 'There is no result: the call was not carried out or its result was lost.'

/** Marks instructions within the conversation as such, for models that accept none there. */
export function markInstruction(text: string): string {
  return `<system>\n${text}\n</system>`
}
