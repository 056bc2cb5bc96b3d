import { createHash } from 'node:crypto'
import { invalidRequest, type ContentBlock, type Message } from '@turnpike/protocol'
import type { BedrockTraits } from '../../model-traits.ts'
import { toolArguments } from '../../requests/tool-arguments.ts'
import { missingResultText, type ToolCall, type ToolResult, type TurnBlock } from '../../requests/turns.ts'
import { cachePoint, formatContent, isMedia, type FormatContext } from './content.ts'

type CallBlock = Extract<ContentBlock, { kind: 'tool-call' }>
type ToolMessage = Extract<Message, { role: 'tool' }>

/** A call from an earlier turn of the model. `path` is the caller's: `messages[1].tool_calls[0]`. */
export function formatToolCall(call: CallBlock, path: string, saying: FormatContext): ToolCall {
  const id = vendorId(call.id, `${path}.id`, saying.model)
  const input = toolArguments(call.arguments, `${path}.function.arguments`)
  const block = { toolUse: { toolUseId: id, name: call.name, input } }
  return { blocks: [block, ...cachePoint(call.cache, 'messages', saying)], id }
}

/** A tool's result, and the media that follow it as the user's if the model accepts none in results. */
export function formatToolResult(
  message: ToolMessage,
  path: string,
  saying: FormatContext,
): { result: ToolResult; beside: TurnBlock[] } {
  const at = `${path}.tool_call_id`
  const id = vendorId(message.toolCallId, at, saying.model)
  const content: TurnBlock[] = []
  const beside: TurnBlock[] = []
  let points: TurnBlock[] = []
  for (const [index, part] of message.content.entries()) {
    const [block, ...marks] = formatContent(part, `${path}.content[${index}]`, saying)
    if (block === undefined) continue
    // A cache mark within the result applies to all of it: results cannot contain a cache point.
    if (marks.length > 0) points = marks
    const isWithin = !isMedia(part) || saying.model.resultMedia
    if (isWithin) content.push(block)
    else beside.push(block)
  }
  if (beside.length > 0) beside.unshift({ text: 'Given with the result of a tool:' })
  const failed = message.failed === true
  if (failed && !saying.model.resultStatus) content.unshift({ text: 'The tool failed:' })
  const status = failed && saying.model.resultStatus ? { status: 'error' } : {}
  const block = { toolResult: { toolUseId: id, content, ...status } }
  return { result: { blocks: [block, ...points], id, path: at }, beside }
}

export function missingResult(id: string): TurnBlock {
  return { toolResult: { toolUseId: id, content: [{ text: missingResultText }] } }
}

/** Replaces an id with characters that Bedrock refuses. The replacement is always the same for it. */
function vendorId(id: string, path: string, { shortCallIds }: BedrockTraits): string {
  if (id === '') throw invalidRequest(path, `${path} is required: expected the id of the tool call.`)
  if (shortCallIds) return /^[a-zA-Z0-9]{9}$/.test(id) ? id : hashId(id).slice(0, 9)
  return /^[a-zA-Z0-9_-]{1,64}$/.test(id) ? id : `call_${hashId(id).slice(0, 32)}`
}

function hashId(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}
