import { invalidRequest } from '@turnpike/protocol'
import type { Block } from './content.ts'
import { missingResult, plainText } from './tool-call.ts'

/**
 * One side's turn, by what must stand where in it: an assistant's thinking first and its calls last, a
 * user's tool results before all else
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls).
 */
export interface Turn {
  role: 'user' | 'assistant' | 'system'
  thinking: Block[]
  results: ToolResult[]
  content: Block[]
  calls: Block[]
}

export interface ToolResult {
  block: Block
  /** The caller's path to the id of the call that it answers. */
  path: string
}

export function turnOf(role: Turn['role'], parts: Partial<Turn> = {}): Turn {
  return { thinking: [], results: [], content: [], calls: [], ...parts, role }
}

/** A model answers only when someone speaks to it, and Anthropic's older endpoints want the user to begin. */
const openingText = '(The conversation begins.)'

/** The turns one after the other: those of one side in a row are one, and each call has its result. */
export function alternatingTurns(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = []
  for (const turn of turns) {
    const before = merged.at(-1)
    if (before?.role === turn.role) append(before, turn)
    else merged.push({ ...turn })
  }
  if (merged[0]?.role === 'assistant') {
    merged.unshift(turnOf('user', { content: [{ type: 'text', text: openingText }] }))
  }
  return answeredCalls(merged)
}

/** The turn as it is sent. A single plain text stays a string, as most would write it. */
export function formatTurn(turn: Turn): Block {
  const { role, thinking, results, content, calls } = turn
  const blocks = [...thinking, ...results.map(({ block }) => block), ...content, ...calls]
  return { role, content: plainText(blocks) ?? blocks }
}

function append(turn: Turn, more: Turn): void {
  turn.thinking = [...turn.thinking, ...more.thinking]
  turn.results = [...turn.results, ...more.results]
  turn.content = [...turn.content, ...more.content]
  turn.calls = [...turn.calls, ...more.calls]
}

/** @throws {GatewayError} 400 for a result of a call that was not made right before, or that has one */
function answeredCalls(turns: readonly Turn[]): Turn[] {
  const answered: Turn[] = []
  let open = new Set<unknown>()
  for (const turn of turns) {
    if (turn.role !== 'user' && open.size > 0) answered.push(turnOf('user', { results: missing(open) }))
    if (turn.role === 'user') {
      for (const { block, path } of turn.results) {
        if (!open.delete(block['tool_use_id']))
          throw invalidRequest(path, `${path}: expected the id of a tool call that the last turn made.`)
      }
      answered.push({ ...turn, results: [...turn.results, ...missing(open)] })
    } else answered.push(turn)
    open = new Set(turn.calls.map((call) => call['id']))
  }
  if (open.size > 0) answered.push(turnOf('user', { results: missing(open) }))
  return answered
}

function missing(open: ReadonlySet<unknown>): ToolResult[] {
  return [...open].map((id) => ({ block: missingResult(String(id)), path: '' }))
}
